// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "token_sampling/token_sampling.h"

#include "launcher/architectures.cuh"

const TokenSamplingInfo* token_sampling_info() {
  static const TokenSamplingInfo info = {
      .size = sizeof(TokenSamplingInfo),
      .kernels = 2,
      .launches = 2,
      .interface_hash = TOKEN_SAMPLING_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "72ad6e3b57b7aa2646f21663426f133719115a1c594149eec0d74ea70ae72a51",
      .architectures = kBuiltFor,
      .workspace_bytes = 2560,
      .weights_bytes = 0,
      .can_capture = kTokenSamplingCanCapture,
  };
  return &info;
}
