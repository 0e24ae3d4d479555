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
      .input_sha256 = "3212071ccf8a1c63ff74a7d488a39c76e75e5f7a71eaf47671952d60fe0da6de",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kSoftmaxCanCapture,
  };
  return &info;
}
