// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "resnet18/resnet18.h"

#include "launcher/architectures.cuh"

const Resnet18Info* resnet18_info() {
  static const Resnet18Info info = {
      .size = sizeof(Resnet18Info),
      .kernels = 15,
      .launches = 17,
      .interface_hash = RESNET18_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "53415dc4962a46138dbe5b1060b694e046e273c95fde660073b00738a195dfd3",
      .architectures = kBuiltFor,
      .workspace_bytes = 20736,
      .weights_bytes = 0,
      .can_capture = kResnet18CanCapture,
  };
  return &info;
}
