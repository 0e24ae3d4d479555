// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "gelu_bias_residual/gelu_bias_residual.h"

#include "launcher/architectures.cuh"

const GeluBiasResidualInfo* gelu_bias_residual_info() {
  static const GeluBiasResidualInfo info = {
      .size = sizeof(GeluBiasResidualInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = GELU_BIAS_RESIDUAL_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "7300d6b226d15bdd8aecbd4b44fabe41d8b6baf675c09e119e9193d1c4dec3c0",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kGeluBiasResidualCanCapture,
  };
  return &info;
}
