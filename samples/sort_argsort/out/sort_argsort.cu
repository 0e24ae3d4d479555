// sort_argsort.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "sort_argsort.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace sort_argsort_kernels;

struct SortArgsortInstance {};  // nothing is kept between runs

extern const SortArgsortTensor kSortArgsortInputTable[] = {
    {"x", "f32", 2, kSortArgsortInX, 2400},
    {"group", "s32", 2, kSortArgsortInGroup, 2400},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const SortArgsortTensor kSortArgsortOutputTable[] = {
    {"sort_1", "f32", 2, kSortArgsortOutSort1, 2400},
    {"sort_2", "s32", 2, kSortArgsortOutSort2, 2400},
    {"sort_3", "s32", 2, kSortArgsortOutSort3, 2400},
    {"sort_4", "f32", 2, kSortArgsortOutSort4, 2400},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

SortArgsortStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "sort_argsort: %s %s %s", what, name, other);
  return kSortArgsortInvalidArgument;
}

// True if the call did not succeed; then sort_argsort_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "sort_argsort: %s: %s", what, reason);
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
SortArgsortStatus check_arguments(const SortArgsortInputs& in, const SortArgsortOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kSortArgsortInputCount + kSortArgsortOutputCount + 1] = {};
  static_assert(sizeof in == kSortArgsortInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kSortArgsortOutputCount * sizeof(void*));
  std::memcpy(pointers + kSortArgsortInputCount, &out, sizeof out);

  Range ranges[kSortArgsortInputCount + kSortArgsortOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kSortArgsortInputCount + kSortArgsortOutputCount; ++i) {
    const bool written = i >= kSortArgsortInputCount;
    const SortArgsortTensor& tensor =
        written ? kSortArgsortOutputTable[i - kSortArgsortInputCount]
                : kSortArgsortInputTable[i];
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
  return kSortArgsortOk;
}

}  // namespace

SortArgsortStatus sort_argsort_create(SortArgsortInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  SortArgsortInstance* created = new (std::nothrow) SortArgsortInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kSortArgsortOutOfMemory;
  }
  *instance = created;
  return kSortArgsortOk;
}

SortArgsortStatus sort_argsort_run(SortArgsortInstance* instance, const SortArgsortInputs* in,
                                   const SortArgsortOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const SortArgsortStatus status = check_arguments(*in, *out);
  if (status != kSortArgsortOk) return status;

  // sort.16  (arrays.py:27)
  if (failed("sort_1", launch_sort_1(in->x, out->sort_1, stream))) return kSortArgsortCudaError;

  // sort.30  (arrays.py:27)
  if (failed("sort_2", launch_sort_2(in->group, out->sort_2, stream))) return kSortArgsortCudaError;

  // sort.32, sort.33  (arrays.py:26)
  if (failed("sort_3", launch_sort_3(in->x, in->group, out->sort_3, out->sort_4, stream))) {
    return kSortArgsortCudaError;
  }

  return kSortArgsortOk;
}

void sort_argsort_destroy(SortArgsortInstance* instance) {
  delete instance;
}

const char* sort_argsort_last_error() { return last_error; }
