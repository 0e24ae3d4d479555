// histogram.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "histogram/histogram.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = histogram_kernels;

struct HistogramInstance {
  int device = 0;  // that was current in create
};

extern const HistogramTensor kHistogramInputTable[] = {
    {"values", "f32", 1, kHistogramInValues, 8000},
    {"weights_in", "f32", 1, kHistogramInWeightsIn, 8000},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const HistogramTensor kHistogramOutputTable[] = {
    {"counts", "s32", 1, kHistogramOutCounts, 128},
    {"sums", "f32", 1, kHistogramOutSums, 128},
    {"peaks", "f32", 1, kHistogramOutPeaks, 128},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

HistogramStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "histogram: %s%s%s%s",
                what, name, separator, other);
  return kHistogramInvalidArgument;
}

// True if the call did not succeed; then histogram_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "histogram: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

HistogramStatus histogram_create(HistogramInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  HistogramInstance* created = new (std::nothrow) HistogramInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kHistogramOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    histogram_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kHistogramOutOfMemory;
    return kHistogramCudaError;
  }
  *instance = created;
  return kHistogramOk;
}

HistogramStatus histogram_run(HistogramInstance* instance, const HistogramInputs* in,
                              const HistogramOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kHistogramInputTable, *out, kHistogramOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // counts, sums, peaks  (histogram.grain:6)
  if (failed("histogram", kernels::histogram::enqueue(in->values, in->weights_in, out->counts,
                                                      out->sums, out->peaks, stream))) {
    return kHistogramCudaError;
  }

  return kHistogramOk;
}

void histogram_destroy(HistogramInstance* instance) {
  delete instance;
}

const char* histogram_last_error() { return last_error; }
