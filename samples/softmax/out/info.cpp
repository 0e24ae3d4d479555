// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "softmax/softmax.h"

#include "launcher/architectures.cuh"

const SoftmaxInfo* softmax_info() {
  static const SoftmaxInfo info = {
      .size = sizeof(SoftmaxInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = SOFTMAX_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "4dcfc0fb0e42f029cd369ce4d5c7b283dae55ac145e21a14abca2d106a1e15f0",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kSoftmaxCanCapture,
  };
  return &info;
}
