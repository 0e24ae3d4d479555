// score: dot over f32[2,4,16,16].
//
//   in   q           f32[2,4,16,12]
//   in   k           f32[2,4,16,12]
//   out  score_out   f32[2,4,16,16]
//
//   score_out = dot(q, k), einsum=abcd,abed->abce
//
// 64 blocks of 32 threads. Reads 12.3 kB, writes 8.2 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace attention_kernels::score {
namespace {

constexpr int kElements = 2048;
constexpr int kTerms = 12;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
score(const float* __restrict__ q, const float* __restrict__ k, float* __restrict__ score_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / 256;
  const int j = element / 16 % 16;
  const int l = element % 16;

  float score = 0.0f;
  for (int k_1 = 0; k_1 < kTerms; ++k_1) {
    score = fmaf(q[(i * 16 + j) * kTerms + k_1], k[(i * 16 + l) * kTerms + k_1], score);
  }

  score_out[element] = score;
}

}  // namespace

cudaError_t
enqueue(const float* q, const float* k, float* score_out, cudaStream_t stream) {
  return launch(score, {.grid = kElements / kThreads, .block = kThreads}, stream, q, k, score_out);
}

}  // namespace attention_kernels::score
