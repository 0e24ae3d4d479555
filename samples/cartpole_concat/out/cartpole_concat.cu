// cartpole_concat.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cartpole_concat.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace cartpole_concat_kernels;

struct CartpoleConcatInstance {};  // nothing is kept between runs

extern const CartpoleConcatTensor kCartpoleConcatInputTable[] = {
    {"state", "f32", 2, kCartpoleConcatInState, 1024},
    {"actions", "s32", 2, kCartpoleConcatInActions, 4096},
    {"starts", "f32", 3, kCartpoleConcatInStarts, 16384},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CartpoleConcatTensor kCartpoleConcatOutputTable[] = {
    {"state", "f32", 2, kCartpoleConcatOutState, 1024},
    {"sum", "s32", 1, kCartpoleConcatOutSum, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

CartpoleConcatStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "cartpole_concat: %s %s %s", what, name, other);
  return kCartpoleConcatInvalidArgument;
}

// True if the call did not succeed; then cartpole_concat_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "cartpole_concat: %s: %s", what, reason);
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
CartpoleConcatStatus check_arguments(const CartpoleConcatInputs& in,
                                     const CartpoleConcatOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kCartpoleConcatInputCount + kCartpoleConcatOutputCount + 1] = {};
  static_assert(sizeof in == kCartpoleConcatInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kCartpoleConcatOutputCount * sizeof(void*));
  std::memcpy(pointers + kCartpoleConcatInputCount, &out, sizeof out);

  Range ranges[kCartpoleConcatInputCount + kCartpoleConcatOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kCartpoleConcatInputCount + kCartpoleConcatOutputCount; ++i) {
    const bool written = i >= kCartpoleConcatInputCount;
    const CartpoleConcatTensor& tensor =
        written ? kCartpoleConcatOutputTable[i - kCartpoleConcatInputCount]
                : kCartpoleConcatInputTable[i];
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
  return kCartpoleConcatOk;
}

}  // namespace

CartpoleConcatStatus cartpole_concat_create(CartpoleConcatInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  CartpoleConcatInstance* created = new (std::nothrow) CartpoleConcatInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kCartpoleConcatOutOfMemory;
  }
  *instance = created;
  return kCartpoleConcatOk;
}

CartpoleConcatStatus cartpole_concat_run(CartpoleConcatInstance* instance,
                                         const CartpoleConcatInputs* in,
                                         const CartpoleConcatOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const CartpoleConcatStatus status = check_arguments(*in, *out);
  if (status != kCartpoleConcatOk) return status;

  // while.10, while.11  (cartpole.py:105)
  if (failed("step", launch_step(in->state, in->actions, in->starts, out->state, out->sum,
                                 stream))) {
    return kCartpoleConcatCudaError;
  }

  return kCartpoleConcatOk;
}

void cartpole_concat_destroy(CartpoleConcatInstance* instance) {
  delete instance;
}

const char* cartpole_concat_last_error() { return last_error; }
