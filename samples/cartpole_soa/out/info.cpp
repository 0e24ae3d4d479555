// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "cartpole_soa/cartpole_soa.h"

#include "launcher/architectures.cuh"

const CartpoleSoaInfo* cartpole_soa_info() {
  static const CartpoleSoaInfo info = {
      .size = sizeof(CartpoleSoaInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = CARTPOLE_SOA_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "d3d6a98a3eb61a1fd0b0f0ce104ef8bdd8213beca85ebd783657de86716a4831",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kCartpoleSoaCanCapture,
  };
  return &info;
}
