// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "black_scholes/black_scholes.h"

#include "launcher/architectures.cuh"

const BlackScholesInfo* black_scholes_info() {
  static const BlackScholesInfo info = {
      .size = sizeof(BlackScholesInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = BLACK_SCHOLES_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "6823ab0a1bda2668ac9fd52d16fb36fb15b432c831238724642ce94f46de02bd",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kBlackScholesCanCapture,
  };
  return &info;
}
