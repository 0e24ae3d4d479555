// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "cartpole_unroll10/cartpole_unroll10.h"

#include "launcher/architectures.cuh"

const CartpoleUnroll10Info* cartpole_unroll10_info() {
  static const CartpoleUnroll10Info info = {
      .size = sizeof(CartpoleUnroll10Info),
      .kernels = 1,
      .launches = 1,
      .interface_hash = CARTPOLE_UNROLL10_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "c9eb8a89ed94e252e78d6bcaf361f3a523309be1900136135faf709e467f3746",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kCartpoleUnroll10CanCapture,
  };
  return &info;
}
