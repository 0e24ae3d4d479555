// layernorm.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "layernorm.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace layernorm_kernels;

struct LayernormInstance {};  // nothing is kept between runs

extern const LayernormTensor kLayernormInputTable[] = {
    {"x", "f32", 2, kLayernormInX, 24576},
    {"scale", "f32", 1, kLayernormInScale, 384},
    {"bias", "f32", 1, kLayernormInBias, 384},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const LayernormTensor kLayernormOutputTable[] = {
    {"add", "f32", 2, kLayernormOutAdd, 24576},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

LayernormStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "layernorm: %s %s %s", what, name, other);
  return kLayernormInvalidArgument;
}

// True if the call did not succeed; then layernorm_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "layernorm: %s: %s", what, reason);
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
LayernormStatus check_arguments(const LayernormInputs& in, const LayernormOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kLayernormInputCount + kLayernormOutputCount + 1] = {};
  static_assert(sizeof in == kLayernormInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kLayernormOutputCount * sizeof(void*));
  std::memcpy(pointers + kLayernormInputCount, &out, sizeof out);

  Range ranges[kLayernormInputCount + kLayernormOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kLayernormInputCount + kLayernormOutputCount; ++i) {
    const bool written = i >= kLayernormInputCount;
    const LayernormTensor& tensor =
        written ? kLayernormOutputTable[i - kLayernormInputCount]
                : kLayernormInputTable[i];
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
  return kLayernormOk;
}

}  // namespace

LayernormStatus layernorm_create(LayernormInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  LayernormInstance* created = new (std::nothrow) LayernormInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kLayernormOutOfMemory;
  }
  *instance = created;
  return kLayernormOk;
}

LayernormStatus layernorm_run(LayernormInstance* instance, const LayernormInputs* in,
                              const LayernormOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const LayernormStatus status = check_arguments(*in, *out);
  if (status != kLayernormOk) return status;

  // add.11  (layers.py:38)
  if (failed("layernorm", launch_layernorm(in->x, in->scale, in->bias, out->add, stream))) {
    return kLayernormCudaError;
  }

  return kLayernormOk;
}

void layernorm_destroy(LayernormInstance* instance) {
  delete instance;
}

const char* layernorm_last_error() { return last_error; }
