// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "sort_argsort/sort_argsort.h"

#include "launcher/architectures.cuh"

const SortArgsortInfo* sort_argsort_info() {
  static const SortArgsortInfo info = {
      .size = sizeof(SortArgsortInfo),
      .kernels = 3,
      .launches = 3,
      .interface_hash = SORT_ARGSORT_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "4373c98bb65f546591c6673e140fbabadf12bcfec4b574e522bec4ec623dc0d1",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kSortArgsortCanCapture,
  };
  return &info;
}
