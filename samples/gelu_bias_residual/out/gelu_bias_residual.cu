// gelu_bias_residual.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "gelu_bias_residual.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace gelu_bias_residual_kernels;

struct GeluBiasResidualInstance {};  // nothing is kept between runs

extern const GeluBiasResidualTensor kGeluBiasResidualInputTable[] = {
    {"x", "f32", 2, kGeluBiasResidualInX, 24576},
    {"bias", "f32", 1, kGeluBiasResidualInBias, 384},
    {"residual", "f32", 2, kGeluBiasResidualInResidual, 24576},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const GeluBiasResidualTensor kGeluBiasResidualOutputTable[] = {
    {"add", "f32", 2, kGeluBiasResidualOutAdd, 24576},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

GeluBiasResidualStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "gelu_bias_residual: %s %s %s", what, name, other);
  return kGeluBiasResidualInvalidArgument;
}

// True if the call did not succeed; then gelu_bias_residual_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "gelu_bias_residual: %s: %s", what, reason);
  return true;
}

// The bytes an input or output of the caller covers.
struct Range {
  uintptr_t begin;
  uintptr_t end;
  const char* name;
  bool written;
};

// Refuses null and misaligned pointers, and outputs that overlap an input or another output.
GeluBiasResidualStatus check_arguments(const GeluBiasResidualInputs& in,
                                       const GeluBiasResidualOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kGeluBiasResidualInputCount + kGeluBiasResidualOutputCount + 1] = {};
  static_assert(sizeof in == kGeluBiasResidualInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kGeluBiasResidualOutputCount * sizeof(void*));
  std::memcpy(pointers + kGeluBiasResidualInputCount, &out, sizeof out);

  Range ranges[kGeluBiasResidualInputCount + kGeluBiasResidualOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kGeluBiasResidualInputCount + kGeluBiasResidualOutputCount; ++i) {
    const bool written = i >= kGeluBiasResidualInputCount;
    const GeluBiasResidualTensor& tensor =
        written ? kGeluBiasResidualOutputTable[i - kGeluBiasResidualInputCount]
                : kGeluBiasResidualInputTable[i];
    if (tensor.bytes == 0) continue;
    const uintptr_t begin = reinterpret_cast<uintptr_t>(pointers[i]);
    if (begin == 0) return refuse("null pointer for", tensor.name);
    if (begin % 16 != 0) return refuse("not 16-byte aligned:", tensor.name);
    ranges[count++] = {begin, begin + static_cast<uintptr_t>(tensor.bytes), tensor.name, written};
  }

  // Sorted by a heap: g++ 12 sees errors in std::sort of a short array that are none.
  const auto before = [](const Range& a, const Range& b) { return a.begin < b.begin; };
  std::make_heap(ranges, ranges + count, before);
  std::sort_heap(ranges, ranges + count, before);
  const Range* last = nullptr;  // of the ranges so far, the one that ends last
  const Range* last_written = nullptr;
  for (int i = 0; i < count; ++i) {
    const Range& range = ranges[i];
    const Range* other = range.written ? last : last_written;
    if (other != nullptr && range.begin < other->end) {
      return refuse("overlapping:", range.name, other->name);
    }
    if (last == nullptr || range.end > last->end) last = &range;
    if (!range.written) continue;
    if (last_written == nullptr || range.end > last_written->end) last_written = &range;
  }
  return kGeluBiasResidualOk;
}

}  // namespace

GeluBiasResidualStatus gelu_bias_residual_create(GeluBiasResidualInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  GeluBiasResidualInstance* created = new (std::nothrow) GeluBiasResidualInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kGeluBiasResidualOutOfMemory;
  }
  *instance = created;
  return kGeluBiasResidualOk;
}

GeluBiasResidualStatus gelu_bias_residual_run(GeluBiasResidualInstance* instance,
                                              const GeluBiasResidualInputs* in,
                                              const GeluBiasResidualOutputs* out,
                                              cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const GeluBiasResidualStatus status = check_arguments(*in, *out);
  if (status != kGeluBiasResidualOk) return status;

  // add.15  (elementwise.py:16)
  if (failed("gelu_bias_residual", launch_gelu_bias_residual(in->x, in->bias, in->residual,
                                                             out->add, stream))) {
    return kGeluBiasResidualCudaError;
  }

  return kGeluBiasResidualOk;
}

void gelu_bias_residual_destroy(GeluBiasResidualInstance* instance) {
  delete instance;
}

const char* gelu_bias_residual_last_error() { return last_error; }
