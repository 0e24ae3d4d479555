// score: topk over f32[32].
//
//   in   strength        f32[300]
//   out  score_out       f32[32]
//   out  score_indices   s32[32]
//
//   score_out, score_indices = topk(strength)
//
// A row a block of 64 threads. Reads 1.2 kB, writes 256 B.

#include "kernels.h"

#include "device/block_sort.cuh"
#include "device/launch.cuh"
#include "device/total_order.cuh"

namespace detections_kernels::score {
namespace {

constexpr int kColumns = 300;
constexpr int kK = 32;  // elements that are kept
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
score(const float* __restrict__ strength,
      float* __restrict__ score_out,
      int* __restrict__ score_indices) {
  Shared& shared = block_shared<Shared>();

  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    shared.elements[column] = {strength[column], column};
  }

  block_sort<kThreads, kItems>(shared.elements, kColumns, Before());

  for (int i = threadIdx.x; i < kK; i += kThreads) {
    score_out[i] = shared.elements[i].value;
    score_indices[i] = shared.elements[i].index;
  }
}

}  // namespace

cudaError_t
enqueue(const float* strength, float* score_out, int* score_indices, cudaStream_t stream) {
  return launch(score, {.grid = 1, .block = kThreads}, stream, strength, score_out, score_indices);
}

}  // namespace detections_kernels::score
