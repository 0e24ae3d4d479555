// attention: dot over f32[2,4,16,16].
//
//   in   dense                 f32[2,16,144]
//   out  unscaled_scores_out   f32[2,4,16,16]
//
//   dense_part          = reshape(dense[:,:,48:96], [2,16,4,12])
//   unscaled_scores_out = dot(reshape(dense[:,:,0:48], [2,16,4,12]), dense_part),
//                         einsum=abcd,aecd->acbe
//
// 64 blocks of 32 threads. Reads 12.3 kB, writes 8.2 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace gpt2_block_kernels::attention {
namespace {

constexpr int kI = 2;
constexpr int kJ = 4;
constexpr int kK = 16;
constexpr int kL = 16;
constexpr int kElements = kI * kJ * kK * kL;  // 2048
constexpr int kTerms = 12;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
attention(const float* __restrict__ dense, float* __restrict__ unscaled_scores_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / (kJ * kK * kL);
  const int j = element / (kK * kL) % kJ;
  const int k = element / kL % kK;
  const int l = element % kL;

  float unscaled_scores = 0.0f;
  for (int k_1 = 0; k_1 < kTerms; ++k_1) {
    unscaled_scores = fmaf(dense[i * 2304 + k * 144 + j * kTerms + k_1],
                           dense[i * 2304 + l * 144 + j * kTerms + k_1 + 48], unscaled_scores);
  }

  unscaled_scores_out[element] = unscaled_scores;
}

}  // namespace

cudaError_t
enqueue(const float* dense, float* unscaled_scores_out, cudaStream_t stream) {
  return launch(attention, {.grid = kElements / kThreads, .block = kThreads}, stream,
                dense, unscaled_scores_out);
}

}  // namespace gpt2_block_kernels::attention
