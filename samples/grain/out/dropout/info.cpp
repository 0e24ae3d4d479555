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
      .input_sha256 = "73eb5b71ccc2f5bde8e63abce3149f2f2fb19bab4ccf86a337b1cda7b54f2287",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kDropoutCanCapture,
  };
  return &info;
}
