// topk: topk, divide over f32[8,40].
//
//   in   logits         f32[8,200]
//   in   temperature    f32[]
//   out  topk_2         f32[8,40]
//   out  topk_indices   s32[8,40]
//
//   topk_2, topk_indices = topk(logits / temperature)
//
// A row a block of 64 threads. Reads 6.4 kB, writes 2.6 kB.

#include "kernels.h"

#include "device/block_sort.cuh"
#include "device/launch.cuh"
#include "device/total_order.cuh"

namespace token_sampling_kernels::topk {
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
topk(const float* __restrict__ logits,
     const float* __restrict__ temperature,
     float* __restrict__ topk_2,
     int* __restrict__ topk_indices) {
  Shared& shared = block_shared<Shared>();
  const int row = blockIdx.x;

  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    shared.elements[column] = {logits[row * kColumns + column] / temperature[0], column};
  }

  block_sort<kThreads, kItems>(shared.elements, kColumns, Before());

  for (int i = threadIdx.x; i < kK; i += kThreads) {
    const int place = row * kK + i;
    topk_2[place] = shared.elements[i].value;
    topk_indices[place] = shared.elements[i].index;
  }
}

}  // namespace

cudaError_t
enqueue(const float* logits, const float* temperature, float* topk_2, int* topk_indices,
        cudaStream_t stream) {
  return launch(topk, {.grid = kRows, .block = kThreads}, stream,
                logits, temperature, topk_2, topk_indices);
}

}  // namespace token_sampling_kernels::topk
