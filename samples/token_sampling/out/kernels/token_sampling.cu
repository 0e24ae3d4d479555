// token_sampling: topk, divide over f32[8,40].
//
//   in   logits        f32[8,200]
//   in   temperature   f32[]
//   out  values        f32[8,40]
//   out  tokens        s32[8,40]
//
//   values, tokens = topk(logits / temperature)
//
// A row a block of 64 threads. Reads 6.4 kB, writes 2.6 kB.

#include "kernels.h"

#include "device/block_sort.cuh"
#include "device/launch.cuh"
#include "device/total_order.cuh"

namespace token_sampling_kernels::token_sampling {
namespace {

constexpr int kRows = 8;
constexpr int kColumns = 200;
constexpr int kK = 40;  // elements that are kept
constexpr int kThreads = 64;
constexpr int kItems = 5;  // elements a thread sorts

struct Element {
  float value;
  int index;
};

// Whether a must stand before b.
struct Before {
  __device__ bool operator()(const Element& a, const Element& b) const {
    return total_order_key(a.value) > total_order_key(b.value);
  }
};

struct Shared {
  Element elements[kColumns];
};

__global__ void __launch_bounds__(kThreads)
token_sampling(const float* __restrict__ logits,
               const float* __restrict__ temperature,
               float* __restrict__ values,
               int* __restrict__ tokens) {
  Shared& shared = block_shared<Shared>();
  const int row = blockIdx.x;

  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    shared.elements[column] = {logits[row * kColumns + column] / temperature[0], column};
  }

  block_sort<kThreads, kItems>(shared.elements, kColumns, Before());

  for (int i = threadIdx.x; i < kK; i += kThreads) {
    const int place = row * kK + i;
    values[place] = shared.elements[i].value;
    tokens[place] = shared.elements[i].index;
  }
}

}  // namespace

cudaError_t
enqueue(const float* logits, const float* temperature, float* values, int* tokens,
        cudaStream_t stream) {
  return launch(token_sampling, {.grid = kRows, .block = kThreads}, stream,
                logits, temperature, values, tokens);
}

}  // namespace token_sampling_kernels::token_sampling
