// softmax.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "softmax.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace softmax_kernels;

struct SoftmaxInstance {};  // nothing is kept between runs

extern const SoftmaxTensor kSoftmaxInputTable[] = {
    {"x", "f32", 2, kSoftmaxInX, 24832},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const SoftmaxTensor kSoftmaxOutputTable[] = {
    {"div", "f32", 2, kSoftmaxOutDiv, 24832},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

SoftmaxStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "softmax: %s %s %s", what, name, other);
  return kSoftmaxInvalidArgument;
}

// True if the call did not succeed; then softmax_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "softmax: %s: %s", what, reason);
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
SoftmaxStatus check_arguments(const SoftmaxInputs& in, const SoftmaxOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kSoftmaxInputCount + kSoftmaxOutputCount + 1] = {};
  static_assert(sizeof in == kSoftmaxInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kSoftmaxOutputCount * sizeof(void*));
  std::memcpy(pointers + kSoftmaxInputCount, &out, sizeof out);

  Range ranges[kSoftmaxInputCount + kSoftmaxOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kSoftmaxInputCount + kSoftmaxOutputCount; ++i) {
    const bool written = i >= kSoftmaxInputCount;
    const SoftmaxTensor& tensor =
        written ? kSoftmaxOutputTable[i - kSoftmaxInputCount]
                : kSoftmaxInputTable[i];
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
  return kSoftmaxOk;
}

}  // namespace

SoftmaxStatus softmax_create(SoftmaxInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  SoftmaxInstance* created = new (std::nothrow) SoftmaxInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kSoftmaxOutOfMemory;
  }
  *instance = created;
  return kSoftmaxOk;
}

SoftmaxStatus softmax_run(SoftmaxInstance* instance, const SoftmaxInputs* in,
                          const SoftmaxOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const SoftmaxStatus status = check_arguments(*in, *out);
  if (status != kSoftmaxOk) return status;

  // div.7  (elementwise.py:25)
  if (failed("softmax", launch_softmax(in->x, out->div, stream))) return kSoftmaxCudaError;

  return kSoftmaxOk;
}

void softmax_destroy(SoftmaxInstance* instance) {
  delete instance;
}

const char* softmax_last_error() { return last_error; }
