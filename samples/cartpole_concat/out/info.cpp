// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "cartpole_concat/cartpole_concat.h"

#include "launcher/architectures.cuh"

const CartpoleConcatInfo* cartpole_concat_info() {
  static const CartpoleConcatInfo info = {
      .size = sizeof(CartpoleConcatInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = CARTPOLE_CONCAT_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "94c53443064ed9c50c0ec5440fbf544b9e90adcbb14558c93e1486482086ae39",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kCartpoleConcatCanCapture,
  };
  return &info;
}
