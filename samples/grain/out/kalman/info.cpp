// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "kalman/kalman.h"

#include "launcher/architectures.cuh"

const KalmanInfo* kalman_info() {
  static const KalmanInfo info = {
      .size = sizeof(KalmanInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = KALMAN_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "96f4a7b0780123f0c7a898c6d7597d68f15eb5171f05e8a475b66bfa4cf1ddcf",
      .architectures = kBuiltFor,
      .workspace_bytes = 256,
      .weights_bytes = 16,
      .can_capture = kKalmanCanCapture,
  };
  return &info;
}
