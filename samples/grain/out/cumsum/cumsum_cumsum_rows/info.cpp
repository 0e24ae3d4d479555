// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "cumsum_cumsum_rows/cumsum_cumsum_rows.h"

#include "launcher/architectures.cuh"

const CumsumCumsumRowsInfo* cumsum_cumsum_rows_info() {
  static const CumsumCumsumRowsInfo info = {
      .size = sizeof(CumsumCumsumRowsInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = CUMSUM_CUMSUM_ROWS_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "535f75885fb5d6cf26c6c29be149180d6a610d0eb65116db3952e819ad77a896",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kCumsumCumsumRowsCanCapture,
  };
  return &info;
}
