// cartpole_unroll10.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cartpole_unroll10.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace cartpole_unroll10_kernels;

struct CartpoleUnroll10Instance {};  // nothing is kept between runs

extern const CartpoleUnroll10Tensor kCartpoleUnroll10InputTable[] = {
    {"state_0", "f32", 1, kCartpoleUnroll10InState0, 256},
    {"state_1", "f32", 1, kCartpoleUnroll10InState1, 256},
    {"state_2", "f32", 1, kCartpoleUnroll10InState2, 256},
    {"state_3", "f32", 1, kCartpoleUnroll10InState3, 256},
    {"actions", "s32", 2, kCartpoleUnroll10InActions, 4096},
    {"starts_0", "f32", 2, kCartpoleUnroll10InStarts0, 4096},
    {"starts_1", "f32", 2, kCartpoleUnroll10InStarts1, 4096},
    {"starts_2", "f32", 2, kCartpoleUnroll10InStarts2, 4096},
    {"starts_3", "f32", 2, kCartpoleUnroll10InStarts3, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CartpoleUnroll10Tensor kCartpoleUnroll10OutputTable[] = {
    {"state_0", "f32", 1, kCartpoleUnroll10OutState0, 256},
    {"state_1", "f32", 1, kCartpoleUnroll10OutState1, 256},
    {"state_2", "f32", 1, kCartpoleUnroll10OutState2, 256},
    {"state_3", "f32", 1, kCartpoleUnroll10OutState3, 256},
    {"sum", "s32", 1, kCartpoleUnroll10OutSum, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

CartpoleUnroll10Status refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "cartpole_unroll10: %s %s %s", what, name, other);
  return kCartpoleUnroll10InvalidArgument;
}

// True if the call did not succeed; then cartpole_unroll10_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "cartpole_unroll10: %s: %s", what, reason);
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
CartpoleUnroll10Status check_arguments(const CartpoleUnroll10Inputs& in,
                                       const CartpoleUnroll10Outputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kCartpoleUnroll10InputCount + kCartpoleUnroll10OutputCount + 1] = {};
  static_assert(sizeof in == kCartpoleUnroll10InputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kCartpoleUnroll10OutputCount * sizeof(void*));
  std::memcpy(pointers + kCartpoleUnroll10InputCount, &out, sizeof out);

  Range ranges[kCartpoleUnroll10InputCount + kCartpoleUnroll10OutputCount + 1];
  int count = 0;
  for (int i = 0; i < kCartpoleUnroll10InputCount + kCartpoleUnroll10OutputCount; ++i) {
    const bool written = i >= kCartpoleUnroll10InputCount;
    const CartpoleUnroll10Tensor& tensor =
        written ? kCartpoleUnroll10OutputTable[i - kCartpoleUnroll10InputCount]
                : kCartpoleUnroll10InputTable[i];
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
  return kCartpoleUnroll10Ok;
}

}  // namespace

CartpoleUnroll10Status cartpole_unroll10_create(CartpoleUnroll10Instance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  CartpoleUnroll10Instance* created = new (std::nothrow) CartpoleUnroll10Instance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kCartpoleUnroll10OutOfMemory;
  }
  *instance = created;
  return kCartpoleUnroll10Ok;
}

CartpoleUnroll10Status cartpole_unroll10_run(CartpoleUnroll10Instance* instance,
                                             const CartpoleUnroll10Inputs* in,
                                             const CartpoleUnroll10Outputs* out,
                                             cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const CartpoleUnroll10Status status = check_arguments(*in, *out);
  if (status != kCartpoleUnroll10Ok) return status;

  // while.13, while.14, while.15, while.16, ...  (cartpole.py:121)
  if (failed("step", launch_step(in->state_0, in->state_1, in->state_2, in->state_3, in->actions,
                                 in->starts_0, in->starts_1, in->starts_2, in->starts_3,
                                 out->state_0, out->state_1, out->state_2, out->state_3, out->sum,
                                 stream))) {
    return kCartpoleUnroll10CudaError;
  }

  return kCartpoleUnroll10Ok;
}

void cartpole_unroll10_destroy(CartpoleUnroll10Instance* instance) {
  delete instance;
}

const char* cartpole_unroll10_last_error() { return last_error; }
