// black_scholes.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "black_scholes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace black_scholes_kernels;

struct BlackScholesInstance {};  // nothing is kept between runs

extern const BlackScholesTensor kBlackScholesInputTable[] = {
    {"spot", "f32", 1, kBlackScholesInSpot, 2048},
    {"volatility", "f32", 1, kBlackScholesInVolatility, 2048},
    {"strike", "f32", 1, kBlackScholesInStrike, 2048},
    {"years", "f32", 1, kBlackScholesInYears, 2048},
    {"rate", "f32", 0, nullptr, 4},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const BlackScholesTensor kBlackScholesOutputTable[] = {
    {"sub", "f32", 1, kBlackScholesOutSub, 2048},
    {"add_any_1", "f32", 1, kBlackScholesOutAddAny1, 2048},
    {"add_any_2", "f32", 1, kBlackScholesOutAddAny2, 2048},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

BlackScholesStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "black_scholes: %s %s %s", what, name, other);
  return kBlackScholesInvalidArgument;
}

// True if the call did not succeed; then black_scholes_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "black_scholes: %s: %s", what, reason);
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
BlackScholesStatus check_arguments(const BlackScholesInputs& in, const BlackScholesOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kBlackScholesInputCount + kBlackScholesOutputCount + 1] = {};
  static_assert(sizeof in == kBlackScholesInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kBlackScholesOutputCount * sizeof(void*));
  std::memcpy(pointers + kBlackScholesInputCount, &out, sizeof out);

  Range ranges[kBlackScholesInputCount + kBlackScholesOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kBlackScholesInputCount + kBlackScholesOutputCount; ++i) {
    const bool written = i >= kBlackScholesInputCount;
    const BlackScholesTensor& tensor =
        written ? kBlackScholesOutputTable[i - kBlackScholesInputCount]
                : kBlackScholesInputTable[i];
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
  return kBlackScholesOk;
}

}  // namespace

BlackScholesStatus black_scholes_create(BlackScholesInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  BlackScholesInstance* created = new (std::nothrow) BlackScholesInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kBlackScholesOutOfMemory;
  }
  *instance = created;
  return kBlackScholesOk;
}

BlackScholesStatus black_scholes_run(BlackScholesInstance* instance, const BlackScholesInputs* in,
                                     const BlackScholesOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const BlackScholesStatus status = check_arguments(*in, *out);
  if (status != kBlackScholesOk) return status;

  // sub.7, add_any.18, add_any.19  (finance.py:19)
  if (failed("black_scholes", launch_black_scholes(in->spot, in->volatility, in->strike, in->years,
                                                   in->rate, out->sub, out->add_any_1,
                                                   out->add_any_2, stream))) {
    return kBlackScholesCudaError;
  }

  return kBlackScholesOk;
}

void black_scholes_destroy(BlackScholesInstance* instance) {
  delete instance;
}

const char* black_scholes_last_error() { return last_error; }
