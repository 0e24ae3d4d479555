// sum: multiply, add over f32[8,16,4].
//
//   in   sum_in     f32[8,16,4]
//   in   product    f32[8,16,4]
//   in   padded     f32[8,4,4]
//   in   padded_1   f32[8,4,4]
//   out  sum_out    f32[8,16,4]
//
//   sum_2     = product[:,1:16:2,:] * sum_in[:,0:15:2,:] + sum_in[:,1:16:2,:]
//   sum_1     = padded + padded_1
//   product_1 = (product[:,0:15:2,:] * product[:,1:16:2,:])[:,2:8:2,:] * sum_1[:,0:3,:]
//   joined    = concatenate(sum_2[:,0,:], product_1 + sum_2[:,2:8:2,:]), dimensions={1}
//   padded_4  = pad(joined, 0, padding=0_0x0_1_1x0_0)
//   padded_6  = pad(sum_1, 0, padding=0_0x1_0_1x0_0)
//   sum       = padded_4 + padded_6
//   sum_5     = product[:,2:16:2,:] * sum[:,0:7,:] + sum_in[:,2:16:2,:]
//   padded_2  = pad(concatenate(sum_in[:,0,:], sum_5), 0, padding=0_0x0_1_1x0_0)
//   padded_7  = pad(sum, 0, padding=0_0x1_0_1x0_0)
//   sum_out   = padded_2 + padded_7
//
// 16 blocks of 32 threads. Reads 5.1 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace recurrence_kernels::sum {
namespace {

constexpr int kElements = 512;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
sum(const float* __restrict__ sum_in,
    const float* __restrict__ product,
    const float* __restrict__ padded,
    const float* __restrict__ padded_1,
    float* __restrict__ sum_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / 64;
  const int j = element / 4 % 16;
  const int k = element % 4;

  const int index_1 = i * 16 + j / 4 * 4 + k;
  const int index_2 = i * 16 + (j + 1) / 4 * 4 + k;
  const int index_3 = i * 16 + (j + 2) / 4 * 4 + k;
  const int index_4 = i * 16 + (j + 3) / 4 * 4 + k;
  const int index_5 = i * 64 + k;
  const int index_6 = i * 64 + j / 2 * 8 + k;
  const int index_7 = i * 64 + (j + 2) / 4 * 16 + k;
  const int index_8 = i * 64 + (j + 3) / 4 * 16 + k;
  float padded_2 = 0.0f;
  if (j < 15) {
    float padded_3 = 0.0f;
    if (j % 2 == 0) {
      if (j / 2 == 0) {
        padded_3 = sum_in[index_5];
      } else {
        float padded_4 = 0.0f;
        if (j / 2 >= 1) {
          float padded_5 = 0.0f;
          if ((j / 2 + 1) % 2 == 0) {
            if ((j + 2) / 4 < 2) {
              padded_5 = fmaf(product[index_5 + 4], sum_in[index_5], sum_in[index_5 + 4]);
            } else {
              // recurrence
              const float sum_1 = padded[index_3 - 8] + padded_1[index_3 - 8];

              // after
              const float product_value_1 = product[index_7 - 12];
              const float sum_2 = fmaf(product_value_1, sum_in[index_7 - 16], sum_in[index_7 - 12]);
              padded_5 = fmaf(product[index_7 - 16] * product_value_1, sum_1, sum_2);
            }
          }
          padded_4 = padded_5;
        }
        const float padded_6 =
            j / 2 >= 2 && j / 2 % 2 == 0 ? padded[index_1 - 4] + padded_1[index_1 - 4] : 0.0f;
        padded_3 = fmaf(product[index_6], padded_4 + padded_6, sum_in[index_6]);
      }
    }
    padded_2 = padded_3;
  }
  float padded_7 = 0.0f;
  if (j >= 1 && (j + 1) % 2 == 0) {
    float padded_8 = 0.0f;
    if ((j + 1) / 2 >= 1 && (j + 1) / 2 < 8) {
      float padded_9 = 0.0f;
      if (((j + 1) / 2 + 1) % 2 == 0) {
        if ((j + 3) / 4 < 2) {
          padded_9 = fmaf(product[index_5 + 4], sum_in[index_5], sum_in[index_5 + 4]);
        } else {
          // recurrence
          const float sum_3 = padded[index_4 - 8] + padded_1[index_4 - 8];

          // after
          const float product_value_2 = product[index_8 - 12];
          const float sum_4 = fmaf(product_value_2, sum_in[index_8 - 16], sum_in[index_8 - 12]);
          padded_9 = fmaf(product[index_8 - 16] * product_value_2, sum_3, sum_4);
        }
      }
      padded_8 = padded_9;
    }
    const float padded_10 = (j + 1) / 2 >= 2 && (j + 1) / 2 % 2 == 0
                                ? padded[index_2 - 4] + padded_1[index_2 - 4]
                                : 0.0f;
    padded_7 = padded_8 + padded_10;
  }

  sum_out[element] = padded_2 + padded_7;
}

}  // namespace

cudaError_t
enqueue(const float* sum_in, const float* product, const float* padded, const float* padded_1,
        float* sum_out, cudaStream_t stream) {
  return launch(sum, {.grid = kElements / kThreads, .block = kThreads}, stream,
                sum_in, product, padded, padded_1, sum_out);
}

}  // namespace recurrence_kernels::sum
