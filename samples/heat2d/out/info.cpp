// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "heat2d/heat2d.h"

#include "launcher/architectures.cuh"

const Heat2dInfo* heat2d_info() {
  static const Heat2dInfo info = {
      .size = sizeof(Heat2dInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = HEAT2D_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "39ed2979c14136e18a9c8383d448920ee14a637f5e848790629d3fa5ee284953",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kHeat2dCanCapture,
  };
  return &info;
}
