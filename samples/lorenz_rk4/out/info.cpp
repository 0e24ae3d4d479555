// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "lorenz_rk4/lorenz_rk4.h"

#include "launcher/architectures.cuh"

const LorenzRk4Info* lorenz_rk4_info() {
  static const LorenzRk4Info info = {
      .size = sizeof(LorenzRk4Info),
      .kernels = 1,
      .launches = 1,
      .interface_hash = LORENZ_RK4_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "13e587294a708aa4892572ed3fe0e11c74ee53213a6609fa6e74943f15c3e1a6",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kLorenzRk4CanCapture,
  };
  return &info;
}
