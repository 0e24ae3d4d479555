// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "conjugate_gradient/conjugate_gradient.h"

#include "launcher/architectures.cuh"

const ConjugateGradientInfo* conjugate_gradient_info() {
  static const ConjugateGradientInfo info = {
      .size = sizeof(ConjugateGradientInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = CONJUGATE_GRADIENT_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "8534ecbd38386df7adf9a4be7955b41ccd6fe505024f675f7de14efdea425393",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kConjugateGradientCanCapture,
  };
  return &info;
}
