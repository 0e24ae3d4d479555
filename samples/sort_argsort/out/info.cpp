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
      .input_sha256 = "0c500d164a4b447e256a7fc7fa0694c40df92dde0d8f498d4e64547463f19ed5",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kSortArgsortCanCapture,
  };
  return &info;
}
