// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "cartpole/cartpole.h"

#include "launcher/architectures.cuh"

const CartpoleInfo* cartpole_info() {
  static const CartpoleInfo info = {
      .size = sizeof(CartpoleInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = CARTPOLE_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "349a332f0acf8aac6db148132f0734d8da6a71010e3f5650a26f5aecb95fe987",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kCartpoleCanCapture,
  };
  return &info;
}
