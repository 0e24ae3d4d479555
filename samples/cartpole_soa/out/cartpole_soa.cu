// cartpole_soa.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cartpole_soa.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace cartpole_soa_kernels;

struct CartpoleSoaInstance {};  // nothing is kept between runs

extern const CartpoleSoaTensor kCartpoleSoaInputTable[] = {
    {"state_0", "f32", 1, kCartpoleSoaInState0, 256},
    {"state_1", "f32", 1, kCartpoleSoaInState1, 256},
    {"state_2", "f32", 1, kCartpoleSoaInState2, 256},
    {"state_3", "f32", 1, kCartpoleSoaInState3, 256},
    {"actions", "s32", 2, kCartpoleSoaInActions, 4096},
    {"starts_0", "f32", 2, kCartpoleSoaInStarts0, 4096},
    {"starts_1", "f32", 2, kCartpoleSoaInStarts1, 4096},
    {"starts_2", "f32", 2, kCartpoleSoaInStarts2, 4096},
    {"starts_3", "f32", 2, kCartpoleSoaInStarts3, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CartpoleSoaTensor kCartpoleSoaOutputTable[] = {
    {"state_0", "f32", 1, kCartpoleSoaOutState0, 256},
    {"state_1", "f32", 1, kCartpoleSoaOutState1, 256},
    {"state_2", "f32", 1, kCartpoleSoaOutState2, 256},
    {"state_3", "f32", 1, kCartpoleSoaOutState3, 256},
    {"sum", "s32", 1, kCartpoleSoaOutSum, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

CartpoleSoaStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "cartpole_soa: %s %s %s", what, name, other);
  return kCartpoleSoaInvalidArgument;
}

// True if the call did not succeed; then cartpole_soa_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "cartpole_soa: %s: %s", what, reason);
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
CartpoleSoaStatus check_arguments(const CartpoleSoaInputs& in, const CartpoleSoaOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kCartpoleSoaInputCount + kCartpoleSoaOutputCount + 1] = {};
  static_assert(sizeof in == kCartpoleSoaInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kCartpoleSoaOutputCount * sizeof(void*));
  std::memcpy(pointers + kCartpoleSoaInputCount, &out, sizeof out);

  Range ranges[kCartpoleSoaInputCount + kCartpoleSoaOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kCartpoleSoaInputCount + kCartpoleSoaOutputCount; ++i) {
    const bool written = i >= kCartpoleSoaInputCount;
    const CartpoleSoaTensor& tensor =
        written ? kCartpoleSoaOutputTable[i - kCartpoleSoaInputCount]
                : kCartpoleSoaInputTable[i];
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
  return kCartpoleSoaOk;
}

}  // namespace

CartpoleSoaStatus cartpole_soa_create(CartpoleSoaInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  CartpoleSoaInstance* created = new (std::nothrow) CartpoleSoaInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kCartpoleSoaOutOfMemory;
  }
  *instance = created;
  return kCartpoleSoaOk;
}

CartpoleSoaStatus cartpole_soa_run(CartpoleSoaInstance* instance, const CartpoleSoaInputs* in,
                                   const CartpoleSoaOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const CartpoleSoaStatus status = check_arguments(*in, *out);
  if (status != kCartpoleSoaOk) return status;

  // while.13, while.14, while.15, while.16, ...  (cartpole.py:121)
  if (failed("step", launch_step(in->state_0, in->state_1, in->state_2, in->state_3, in->actions,
                                 in->starts_0, in->starts_1, in->starts_2, in->starts_3,
                                 out->state_0, out->state_1, out->state_2, out->state_3, out->sum,
                                 stream))) {
    return kCartpoleSoaCudaError;
  }

  return kCartpoleSoaOk;
}

void cartpole_soa_destroy(CartpoleSoaInstance* instance) {
  delete instance;
}

const char* cartpole_soa_last_error() { return last_error; }
