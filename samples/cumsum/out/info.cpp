// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "cumsum/cumsum.h"

#include "launcher/architectures.cuh"

const CumsumInfo* cumsum_info() {
  static const CumsumInfo info = {
      .size = sizeof(CumsumInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = CUMSUM_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "aeeabae4171563c897306cce9db487400a3f2b06185913f1f0e440bc733ff2fa",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kCumsumCanCapture,
  };
  return &info;
}
