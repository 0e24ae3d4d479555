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
      .input_sha256 = "cb947d2b7c62e02147f49c5227f5fc19db7cee4dc2b5e043dd5707891d81daf4",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kLorenzRk4CanCapture,
  };
  return &info;
}
