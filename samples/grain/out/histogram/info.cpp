// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "histogram/histogram.h"

#include "launcher/architectures.cuh"

const HistogramInfo* histogram_info() {
  static const HistogramInfo info = {
      .size = sizeof(HistogramInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = HISTOGRAM_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "73fdf7417d014b66404abbb24db0272e672df06f82be1d2759ad006a3f3d10c8",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kHistogramCanCapture,
  };
  return &info;
}
