// sum: multiply, add over f32[8,16,4].
//
//   in   sum_3      f32[8,16,4]
//   in   product    f32[8,16,4]
//   in   padded     f32[8,4,4]
//   in   padded_2   f32[8,4,4]
//   out  sum_4      f32[8,16,4]
//
//   sum_2     = product[:,1:16:2,:] * sum_3[:,0:15:2,:] + sum_3[:,1:16:2,:]
//   sum_1     = padded + padded_2
//   product_1 = (product[:,0:15:2,:] * product[:,1:16:2,:])[:,2:8:2,:] * sum_1[:,0:3,:]
//   joined    = concatenate(sum_2[:,0,:], product_1 + sum_2[:,2:8:2,:]), dimensions={1}
//   padded_3  = pad(joined, 0, padding=0_0x0_1_1x0_0)
//   padded_4  = pad(sum_1, 0, padding=0_0x1_0_1x0_0)
//   sum       = padded_3 + padded_4
//   sum_5     = product[:,2:16:2,:] * sum[:,0:7,:] + sum_3[:,2:16:2,:]
//   padded_1  = pad(concatenate(sum_3[:,0,:], sum_5), 0, padding=0_0x0_1_1x0_0)
//   padded_5  = pad(sum, 0, padding=0_0x1_0_1x0_0)
//   sum_4     = padded_1 + padded_5
//
// 16 blocks of 32 threads. Reads 5.1 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace recurrence_kernels::sum {
namespace {

constexpr int kI = 8;
constexpr int kJ = 16;
constexpr int kK = 4;
constexpr int kElements = kI * kJ * kK;  // 512
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
sum(const float* __restrict__ sum_3,
    const float* __restrict__ product,
    const float* __restrict__ padded,
    const float* __restrict__ padded_2,
    float* __restrict__ sum_4) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / (kJ * kK);
  const int j = element / kK % kJ;
  const int k = element % kK;

  const int index_1 = i * 16 + j / 4 * kK + k;
  const int index_2 = i * 16 + (j + 1) / 4 * kK + k;
  const int index_3 = i * 16 + (j + 2) / 4 * kK + k;
  const int index_4 = i * 16 + (j + 3) / 4 * kK + k;
  const int index_5 = i * 64 + k;
  const int index_6 = i * 64 + j / 2 * 8 + k;
  const int index_7 = i * 64 + (j + 2) / 4 * 16 + k;
  const int index_8 = i * 64 + (j + 3) / 4 * 16 + k;
  float padded_1 = 0.0f;
  if (j < kJ - 1 && j % 2 == 0) {
    if (j / 2 == 0) {
      padded_1 = sum_3[index_5];
    } else {
      float padded_3_1 = 0.0f;
      if ((j / 2 + 1) % 2 == 0) {
        if ((j + 2) / 4 < 2) {
          padded_3_1 = fmaf(product[index_5 + 4], sum_3[index_5], sum_3[index_5 + 4]);
        } else {
          const float sum_1_1 = padded[index_3 - 8] + padded_2[index_3 - 8];

          // after
          const float product_value_1 = product[index_7 - 12];
          const float sum_2_1 = fmaf(product_value_1, sum_3[index_7 - 16], sum_3[index_7 - 12]);
          padded_3_1 = fmaf(product[index_7 - 16] * product_value_1, sum_1_1, sum_2_1);
        }
      }
      const float padded_4_1 =
          j / 2 >= 2 && j / 2 % 2 == 0 ? padded[index_1 - 4] + padded_2[index_1 - 4] : 0.0f;
      padded_1 = fmaf(product[index_6], padded_3_1 + padded_4_1, sum_3[index_6]);
    }
  }
  float padded_5 = 0.0f;
  if (j >= 1 && (j + 1) % 2 == 0) {
    float padded_3_2 = 0.0f;
    if ((j + 1) / 2 < 8 && ((j + 1) / 2 + 1) % 2 == 0) {
      if ((j + 3) / 4 < 2) {
        padded_3_2 = fmaf(product[index_5 + 4], sum_3[index_5], sum_3[index_5 + 4]);
      } else {
        const float sum_1_2 = padded[index_4 - 8] + padded_2[index_4 - 8];

        // after
        const float product_value_2 = product[index_8 - 12];
        const float sum_2_2 = fmaf(product_value_2, sum_3[index_8 - 16], sum_3[index_8 - 12]);
        padded_3_2 = fmaf(product[index_8 - 16] * product_value_2, sum_1_2, sum_2_2);
      }
    }
    const float padded_4_2 = (j + 1) / 2 >= 2 && (j + 1) / 2 % 2 == 0
                                 ? padded[index_2 - 4] + padded_2[index_2 - 4]
                                 : 0.0f;
    padded_5 = padded_3_2 + padded_4_2;
  }

  sum_4[element] = padded_1 + padded_5;
}

}  // namespace

cudaError_t
enqueue(const float* sum_3, const float* product, const float* padded, const float* padded_2,
        float* sum_4, cudaStream_t stream) {
  return launch(sum, {.grid = kElements / kThreads, .block = kThreads}, stream,
                sum_3, product, padded, padded_2, sum_4);
}

}  // namespace recurrence_kernels::sum
