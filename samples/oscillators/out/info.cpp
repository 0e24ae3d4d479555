// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "oscillators/oscillators.h"

#include "launcher/architectures.cuh"

const OscillatorsInfo* oscillators_info() {
  static const OscillatorsInfo info = {
      .size = sizeof(OscillatorsInfo),
      .kernels = 2,
      .launches = 2,
      .interface_hash = OSCILLATORS_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "e7ee574a93be4cb46d51b1930ba2d4a0030f12e5fc787c5e163e5e3565bee742",
      .architectures = kBuiltFor,
      .workspace_bytes = 21760,
      .weights_bytes = 0,
      .can_capture = kOscillatorsCanCapture,
  };
  return &info;
}
