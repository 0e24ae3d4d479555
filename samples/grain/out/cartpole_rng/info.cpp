// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "cartpole_rng/cartpole_rng.h"

#include "launcher/architectures.cuh"

const CartpoleRngInfo* cartpole_rng_info() {
  static const CartpoleRngInfo info = {
      .size = sizeof(CartpoleRngInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = CARTPOLE_RNG_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "9193e5ad9ae07fa7a024a844355c057835f78ca5c398902c6dbcad789f847bf4",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kCartpoleRngCanCapture,
  };
  return &info;
}
