// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "adamw_update/adamw_update.h"

#include "launcher/architectures.cuh"

const AdamwUpdateInfo* adamw_update_info() {
  static const AdamwUpdateInfo info = {
      .size = sizeof(AdamwUpdateInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = ADAMW_UPDATE_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "4ed315af3bfb1cc4cb7d4f52f7d592e51cb45612f2159b7fd41730733003f444",
      .architectures = kBuiltFor,
      .workspace_bytes = 256,
      .weights_bytes = 0,
      .can_capture = kAdamwUpdateCanCapture,
  };
  return &info;
}
