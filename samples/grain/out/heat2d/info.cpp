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
      .input_sha256 = "30d36d4e249ec6f55d32577c208a4c1984f5efcc3345d5c895b03b7df20a395c",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kHeat2dCanCapture,
  };
  return &info;
}
