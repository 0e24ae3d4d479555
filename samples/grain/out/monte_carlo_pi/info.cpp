// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "monte_carlo_pi/monte_carlo_pi.h"

#include "launcher/architectures.cuh"

const MonteCarloPiInfo* monte_carlo_pi_info() {
  static const MonteCarloPiInfo info = {
      .size = sizeof(MonteCarloPiInfo),
      .kernels = 2,
      .launches = 2,
      .interface_hash = MONTE_CARLO_PI_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "7f260b35c210ac2542c2751ea9892fae0badb06b8783bb2e6ac3fc27258959a4",
      .architectures = kBuiltFor,
      .workspace_bytes = 4096,
      .weights_bytes = 0,
      .can_capture = kMonteCarloPiCanCapture,
  };
  return &info;
}
