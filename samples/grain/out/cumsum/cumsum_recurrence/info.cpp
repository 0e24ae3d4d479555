// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "cumsum_recurrence/cumsum_recurrence.h"

#include "launcher/architectures.cuh"

const CumsumRecurrenceInfo* cumsum_recurrence_info() {
  static const CumsumRecurrenceInfo info = {
      .size = sizeof(CumsumRecurrenceInfo),
      .kernels = 2,
      .launches = 2,
      .interface_hash = CUMSUM_RECURRENCE_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "535f75885fb5d6cf26c6c29be149180d6a610d0eb65116db3952e819ad77a896",
      .architectures = kBuiltFor,
      .workspace_bytes = 2048,
      .weights_bytes = 0,
      .can_capture = kCumsumRecurrenceCanCapture,
  };
  return &info;
}
