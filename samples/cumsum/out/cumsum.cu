// cumsum.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cumsum.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace cumsum_kernels;

struct CumsumInstance {};  // nothing is kept between runs

extern const CumsumTensor kCumsumInputTable[] = {
    {"x", "f32", 2, kCumsumInX, 9600},
    {"p", "f32", 2, kCumsumInP, 9600},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CumsumTensor kCumsumOutputTable[] = {
    {"sum", "f32", 2, kCumsumOutSum, 9600},
    {"product", "f32", 2, kCumsumOutProduct, 9600},
    {"max", "f32", 2, kCumsumOutMax, 9600},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

CumsumStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "cumsum: %s %s %s", what, name, other);
  return kCumsumInvalidArgument;
}

// True if the call did not succeed; then cumsum_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "cumsum: %s: %s", what, reason);
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
CumsumStatus check_arguments(const CumsumInputs& in, const CumsumOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kCumsumInputCount + kCumsumOutputCount + 1] = {};
  static_assert(sizeof in == kCumsumInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kCumsumOutputCount * sizeof(void*));
  std::memcpy(pointers + kCumsumInputCount, &out, sizeof out);

  Range ranges[kCumsumInputCount + kCumsumOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kCumsumInputCount + kCumsumOutputCount; ++i) {
    const bool written = i >= kCumsumInputCount;
    const CumsumTensor& tensor =
        written ? kCumsumOutputTable[i - kCumsumInputCount]
                : kCumsumInputTable[i];
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
  return kCumsumOk;
}

}  // namespace

CumsumStatus cumsum_create(CumsumInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  CumsumInstance* created = new (std::nothrow) CumsumInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kCumsumOutOfMemory;
  }
  *instance = created;
  return kCumsumOk;
}

CumsumStatus cumsum_run(CumsumInstance* instance, const CumsumInputs* in, const CumsumOutputs* out,
                        cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const CumsumStatus status = check_arguments(*in, *out);
  if (status != kCumsumOk) return status;

  // reduce_window_sum.7  (arrays.py:15)
  if (failed("sum", launch_sum(in->x, out->sum, stream))) return kCumsumCudaError;

  // reduce_window.5  (arrays.py:15)
  if (failed("product", launch_product(in->p, out->product, stream))) return kCumsumCudaError;

  // reduce_window_max.7  (arrays.py:15)
  if (failed("max", launch_max(in->x, out->max, stream))) return kCumsumCudaError;

  return kCumsumOk;
}

void cumsum_destroy(CumsumInstance* instance) {
  delete instance;
}

const char* cumsum_last_error() { return last_error; }
