// cartpole_rng.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cartpole_rng.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace cartpole_rng_kernels;

struct CartpoleRngInstance {};  // nothing is kept between runs

extern const CartpoleRngTensor kCartpoleRngInputTable[] = {
    {"state", "f32", 2, kCartpoleRngInState, 1024},
    {"key", "u32", 1, kCartpoleRngInKey, 8},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CartpoleRngTensor kCartpoleRngOutputTable[] = {
    {"state", "f32", 2, kCartpoleRngOutState, 1024},
    {"sum", "s32", 1, kCartpoleRngOutSum, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

CartpoleRngStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "cartpole_rng: %s %s %s", what, name, other);
  return kCartpoleRngInvalidArgument;
}

// True if the call did not succeed; then cartpole_rng_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "cartpole_rng: %s: %s", what, reason);
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
CartpoleRngStatus check_arguments(const CartpoleRngInputs& in, const CartpoleRngOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kCartpoleRngInputCount + kCartpoleRngOutputCount + 1] = {};
  static_assert(sizeof in == kCartpoleRngInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kCartpoleRngOutputCount * sizeof(void*));
  std::memcpy(pointers + kCartpoleRngInputCount, &out, sizeof out);

  Range ranges[kCartpoleRngInputCount + kCartpoleRngOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kCartpoleRngInputCount + kCartpoleRngOutputCount; ++i) {
    const bool written = i >= kCartpoleRngInputCount;
    const CartpoleRngTensor& tensor =
        written ? kCartpoleRngOutputTable[i - kCartpoleRngInputCount]
                : kCartpoleRngInputTable[i];
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
  return kCartpoleRngOk;
}

}  // namespace

CartpoleRngStatus cartpole_rng_create(CartpoleRngInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  CartpoleRngInstance* created = new (std::nothrow) CartpoleRngInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kCartpoleRngOutOfMemory;
  }
  *instance = created;
  return kCartpoleRngOk;
}

CartpoleRngStatus cartpole_rng_run(CartpoleRngInstance* instance, const CartpoleRngInputs* in,
                                   const CartpoleRngOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const CartpoleRngStatus status = check_arguments(*in, *out);
  if (status != kCartpoleRngOk) return status;

  // while.11, while.12  (cartpole.py:89)
  if (failed("step", launch_step(in->state, in->key, out->state, out->sum, stream))) {
    return kCartpoleRngCudaError;
  }

  return kCartpoleRngOk;
}

void cartpole_rng_destroy(CartpoleRngInstance* instance) {
  delete instance;
}

const char* cartpole_rng_last_error() { return last_error; }
