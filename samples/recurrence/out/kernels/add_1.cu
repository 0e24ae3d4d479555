// add_1: multiply, add over f32[8,16,4].
//
//   in   add_in    f32[8,16,4]
//   in   mul       f32[8,16,4]
//   in   pad       f32[8,4,4]
//   in   pad_1     f32[8,4,4]
//   out  add_out   f32[8,16,4]
//
//   add_3         = mul[:,1:16:2,:] * add_in[:,0:15:2,:] + add_in[:,1:16:2,:]
//   add_2         = pad + pad_1
//   mul_1         = (mul[:,0:15:2,:] * mul[:,1:16:2,:])[:,2:8:2,:] * add_2[:,0:3,:]
//   concatenate_2 = concatenate(add_3[:,0,:], mul_1 + add_3[:,2:8:2,:]), dimensions={1}
//   pad_3         = pad(concatenate_2, 0, padding=0_0x0_1_1x0_0)
//   pad_4         = pad(add_2, 0, padding=0_0x1_0_1x0_0)
//   add           = mul[:,2:16:2,:] * (pad_3 + pad_4)[:,0:7,:] + add_in[:,2:16:2,:]
//   concatenate_1 = concatenate(add_in[:,0,:], add), dimensions={1}
//   pad_2         = pad(concatenate_1, 0, padding=0_0x0_1_1x0_0)
//   pad_5         = pad(pad_3 + pad_4, 0, padding=0_0x1_0_1x0_0)
//   add_out       = pad_2 + pad_5
//
// 16 blocks of 32 threads. Reads 5.1 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace recurrence_kernels::add_1 {
namespace {

constexpr int kElements = 512;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
add_1(const float* __restrict__ add_in,
      const float* __restrict__ mul,
      const float* __restrict__ pad,
      const float* __restrict__ pad_1,
      float* __restrict__ add_out) {
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
  float pad_2 = 0.0f;
  if (j < 15 && j % 2 == 0) {
    float concatenate_1;
    if (j / 2 == 0) {
      concatenate_1 = add_in[index_5];
    } else {
      float pad_3 = 0.0f;
      if (j / 2 >= 1 && (j / 2 + 1) % 2 == 0) {
        float concatenate_2;
        if ((j + 2) / 4 < 2) {
          concatenate_2 = fmaf(mul[index_5 + 4], add_in[index_5], add_in[index_5 + 4]);
        } else {
          // recurrence
          const float add_2 = pad[index_3 - 8] + pad_1[index_3 - 8];

          // after
          const float mul_value_1 = mul[index_7 - 12];
          const float add_3 = fmaf(mul_value_1, add_in[index_7 - 16], add_in[index_7 - 12]);
          concatenate_2 = fmaf(mul[index_7 - 16] * mul_value_1, add_2, add_3);
        }
        pad_3 = concatenate_2;
      }
      const float pad_4 =
          j / 2 >= 2 && j / 2 % 2 == 0 ? pad[index_1 - 4] + pad_1[index_1 - 4] : 0.0f;
      concatenate_1 = fmaf(mul[index_6], pad_3 + pad_4, add_in[index_6]);
    }
    pad_2 = concatenate_1;
  }
  float pad_5 = 0.0f;
  if (j >= 1 && (j + 1) % 2 == 0) {
    float pad_6 = 0.0f;
    if ((j + 1) / 2 >= 1 && (j + 1) / 2 < 8 && ((j + 1) / 2 + 1) % 2 == 0) {
      float concatenate_3;
      if ((j + 3) / 4 < 2) {
        concatenate_3 = fmaf(mul[index_5 + 4], add_in[index_5], add_in[index_5 + 4]);
      } else {
        // recurrence
        const float add_4 = pad[index_4 - 8] + pad_1[index_4 - 8];

        // after
        const float mul_value_2 = mul[index_8 - 12];
        const float add_5 = fmaf(mul_value_2, add_in[index_8 - 16], add_in[index_8 - 12]);
        concatenate_3 = fmaf(mul[index_8 - 16] * mul_value_2, add_4, add_5);
      }
      pad_6 = concatenate_3;
    }
    const float pad_7 =
        (j + 1) / 2 >= 2 && (j + 1) / 2 % 2 == 0 ? pad[index_2 - 4] + pad_1[index_2 - 4] : 0.0f;
    pad_5 = pad_6 + pad_7;
  }

  add_out[element] = pad_2 + pad_5;
}

}  // namespace

cudaError_t
enqueue(const float* add_in,
        const float* mul,
        const float* pad,
        const float* pad_1,
        float* add_out,
        cudaStream_t stream) {
  return launch(add_1, {.grid = kElements / kThreads, .block = kThreads}, stream,
                add_in, mul, pad, pad_1, add_out);
}

}  // namespace recurrence_kernels::add_1
