// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "ppo_update/ppo_update.h"

#include "launcher/architectures.cuh"

const PpoUpdateInfo* ppo_update_info() {
  static const PpoUpdateInfo info = {
      .size = sizeof(PpoUpdateInfo),
      .kernels = 4,
      .launches = 4,
      .interface_hash = PPO_UPDATE_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "6b8876a2e1a080ee517eec84218598fb5e10632482164a89ca09585d72df53b7",
      .architectures = kBuiltFor,
      .workspace_bytes = 47360,
      .weights_bytes = 0,
      .can_capture = kPpoUpdateCanCapture,
  };
  return &info;
}
