// rmsnorm.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "rmsnorm.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace rmsnorm_kernels;

struct RmsnormInstance {};  // nothing is kept between runs

extern const RmsnormTensor kRmsnormInputTable[] = {
    {"x", "bf16", 2, kRmsnormInX, 12288},
    {"scale", "bf16", 1, kRmsnormInScale, 192},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const RmsnormTensor kRmsnormOutputTable[] = {
    {"mul", "bf16", 2, kRmsnormOutMul, 12288},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

RmsnormStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "rmsnorm: %s %s %s", what, name, other);
  return kRmsnormInvalidArgument;
}

// True if the call did not succeed; then rmsnorm_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "rmsnorm: %s: %s", what, reason);
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
RmsnormStatus check_arguments(const RmsnormInputs& in, const RmsnormOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kRmsnormInputCount + kRmsnormOutputCount + 1] = {};
  static_assert(sizeof in == kRmsnormInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kRmsnormOutputCount * sizeof(void*));
  std::memcpy(pointers + kRmsnormInputCount, &out, sizeof out);

  Range ranges[kRmsnormInputCount + kRmsnormOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kRmsnormInputCount + kRmsnormOutputCount; ++i) {
    const bool written = i >= kRmsnormInputCount;
    const RmsnormTensor& tensor =
        written ? kRmsnormOutputTable[i - kRmsnormInputCount]
                : kRmsnormInputTable[i];
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
  return kRmsnormOk;
}

}  // namespace

RmsnormStatus rmsnorm_create(RmsnormInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  RmsnormInstance* created = new (std::nothrow) RmsnormInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kRmsnormOutOfMemory;
  }
  *instance = created;
  return kRmsnormOk;
}

RmsnormStatus rmsnorm_run(RmsnormInstance* instance, const RmsnormInputs* in,
                          const RmsnormOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const RmsnormStatus status = check_arguments(*in, *out);
  if (status != kRmsnormOk) return status;

  // mul.17  (layers.py:44)
  if (failed("rmsnorm", launch_rmsnorm(in->x, in->scale, out->mul, stream))) {
    return kRmsnormCudaError;
  }

  return kRmsnormOk;
}

void rmsnorm_destroy(RmsnormInstance* instance) {
  delete instance;
}

const char* rmsnorm_last_error() { return last_error; }
