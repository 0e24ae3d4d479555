// ranges.cuh: what a profiler shows of a run, where it is built with SINTER_NVTX: a range for the run,
// and in it one for each of its steps. Otherwise there is nothing to it.

#pragma once

#include "device/launch.cuh"
#ifdef SINTER_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

inline namespace sinter_helpers {

// How a program calls the range of a step, "copy" or the name of a kernel.
using RangeName = const char* (*)(const char* what);

#ifdef SINTER_NVTX
inline namespace with_nvtx {  // programs with and without it may be linked into one binary

// Open while it lives.
template <RangeName range_name>
struct Range {
  const char* what;

  Range(const char* step) : what(step) { nvtxRangePushA(range_name(step)); }
  Range(const Range&) = delete;
  ~Range() { nvtxRangePop(); }
};
#else
inline namespace without_nvtx {

template <RangeName>
struct [[maybe_unused]] Range {
  const char* what;

  Range(const char* step) : what(step) {}
};
#endif

// A step of a run. Made of a list, {what, call}: the range is there before the call is made.
template <RangeName range_name>
struct Step {
  Range<range_name> range;
  cudaError_t error;
};

}  // namespace with_nvtx or without
}  // namespace sinter_helpers
