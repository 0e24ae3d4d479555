// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "dropout/dropout.h"

#include "launcher/architectures.cuh"

const DropoutInfo* dropout_info() {
  static const DropoutInfo info = {
      .size = sizeof(DropoutInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = DROPOUT_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "5052aaa46aef10fd321ad23dd350b9eeb89bb74bbde7d440e10ee8f0ee66263d",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kDropoutCanCapture,
  };
  return &info;
}
