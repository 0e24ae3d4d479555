// dropout.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "dropout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace dropout_kernels;

struct DropoutInstance {};  // nothing is kept between runs

extern const DropoutTensor kDropoutInputTable[] = {
    {"x", "f32", 2, kDropoutInX, 24576},
    {"key", "u32", 1, kDropoutInKey, 8},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const DropoutTensor kDropoutOutputTable[] = {
    {"select", "f32", 2, kDropoutOutSelect, 24576},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

DropoutStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "dropout: %s %s %s", what, name, other);
  return kDropoutInvalidArgument;
}

// True if the call did not succeed; then dropout_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "dropout: %s: %s", what, reason);
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
DropoutStatus check_arguments(const DropoutInputs& in, const DropoutOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kDropoutInputCount + kDropoutOutputCount + 1] = {};
  static_assert(sizeof in == kDropoutInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kDropoutOutputCount * sizeof(void*));
  std::memcpy(pointers + kDropoutInputCount, &out, sizeof out);

  Range ranges[kDropoutInputCount + kDropoutOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kDropoutInputCount + kDropoutOutputCount; ++i) {
    const bool written = i >= kDropoutInputCount;
    const DropoutTensor& tensor =
        written ? kDropoutOutputTable[i - kDropoutInputCount]
                : kDropoutInputTable[i];
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
  return kDropoutOk;
}

}  // namespace

DropoutStatus dropout_create(DropoutInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  DropoutInstance* created = new (std::nothrow) DropoutInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kDropoutOutOfMemory;
  }
  *instance = created;
  return kDropoutOk;
}

DropoutStatus dropout_run(DropoutInstance* instance, const DropoutInputs* in,
                          const DropoutOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const DropoutStatus status = check_arguments(*in, *out);
  if (status != kDropoutOk) return status;

  // select_n.1  (elementwise.py:64)
  if (failed("dropout", launch_dropout(in->x, in->key, out->select, stream))) {
    return kDropoutCudaError;
  }

  return kDropoutOk;
}

void dropout_destroy(DropoutInstance* instance) {
  delete instance;
}

const char* dropout_last_error() { return last_error; }
