// dense_2: dot over f32[32,3].
//
//   in   params_policy_2_w   f32[16,3]
//   in   x_4                 f32[32,16]
//   out  dense_2_out         f32[32,3]
//
//   dense_2_out = dot(x_4, params_policy_2_w)
//
// 3 blocks of 32 threads. Reads 2.2 kB, writes 384 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::dense_2 {
namespace {

constexpr int kRows = 32;
constexpr int kColumns = 3;
constexpr int kElements = kRows * kColumns;  // 96
constexpr int kTerms = 16;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
dense_2(const float* __restrict__ params_policy_2_w,
        const float* __restrict__ x_4,
        float* __restrict__ dense_2_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float dense_2 = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    dense_2 = fmaf(x_4[row * kTerms + k], params_policy_2_w[k * kColumns + column], dense_2);
  }

  dense_2_out[element] = dense_2;
}

}  // namespace

cudaError_t
enqueue(const float* params_policy_2_w, const float* x_4, float* dense_2_out, cudaStream_t stream) {
  return launch(dense_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_policy_2_w, x_4, dense_2_out);
}

}  // namespace ppo_update_kernels::dense_2
