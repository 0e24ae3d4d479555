// after: multiply, add over f32[8,32,4].
//
//   in   decay     f32[8,512,4]
//   in   value     f32[8,512,4]
//   out  sum_3     f32[8,32,4]
//   out  product   f32[8,32,4]
//
//   sum_1     = decay[:,1:512:2,:] * value[:,0:511:2,:] + value[:,1:512:2,:]
//   product_1 = decay[:,0:511:2,:] * decay[:,1:512:2,:]
//   sum_2     = product_1[:,1:256:2,:] * sum_1[:,0:255:2,:] + sum_1[:,1:256:2,:]
//   product_2 = product_1[:,0:255:2,:] * product_1[:,1:256:2,:]
//   sum_4     = product_2[:,1:128:2,:] * sum_2[:,0:127:2,:] + sum_2[:,1:128:2,:]
//   product_3 = product_2[:,0:127:2,:] * product_2[:,1:128:2,:]
//   sum_3     = product_3[:,1:64:2,:] * sum_4[:,0:63:2,:] + sum_4[:,1:64:2,:]
//   product   = product_3[:,0:63:2,:] * product_3[:,1:64:2,:]
//
// 32 blocks of 32 threads. Reads 131 kB, writes 8.2 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace recurrence_kernels::after {
namespace {

constexpr int kRows = 256;
constexpr int kColumns = 4;
constexpr int kElements = kRows * kColumns;  // 1024
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
after(const float* __restrict__ decay,
      const float* __restrict__ value,
      float* __restrict__ sum_3,
      float* __restrict__ product) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int index = row * 64 + column;
  const float decay_value_1 = decay[index + 36];
  const float decay_value_2 = decay[index + 44];
  const float product_1_1 = decay[index + 40] * decay_value_2;
  const float decay_value_3 = decay[index + 52];
  const float decay_value_4 = decay[index + 60];
  const float product_1_2 = decay[index + 56] * decay_value_4;
  const float product_2_1 = decay[index + 48] * decay_value_3 * product_1_2;
  const float product_3 = decay[index + 32] * decay_value_1 * product_1_1 * product_2_1;
  const float decay_value_5 = decay[index + 20];
  const float decay_value_6 = decay[index + 28];
  const float product_1_3 = decay[index + 24] * decay_value_6;
  const float product_2_2 = decay[index + 16] * decay_value_5 * product_1_3;
  const float decay_value_7 = decay[index + 12];
  const float product_1_4 = decay[index + 8] * decay_value_7;
  const float decay_value_8 = decay[index + 4];
  const float sum_1_1 = fmaf(decay_value_7, value[index + 8], value[index + 12]);
  const float sum_2 =
      fmaf(product_1_4, fmaf(decay_value_8, value[index], value[index + 4]), sum_1_1);
  const float sum_1_2 = fmaf(decay_value_5, value[index + 16], value[index + 20]);
  const float sum_1_3 = fmaf(decay_value_6, value[index + 24], value[index + 28]);
  const float sum_1_4 = fmaf(decay_value_1, value[index + 32], value[index + 36]);
  const float sum_1_5 = fmaf(decay_value_2, value[index + 40], value[index + 44]);
  const float sum_1_6 = fmaf(decay_value_3, value[index + 48], value[index + 52]);
  const float sum_1_7 = fmaf(decay_value_4, value[index + 56], value[index + 60]);
  const float sum_4 =
      fmaf(product_2_1, fmaf(product_1_1, sum_1_4, sum_1_5), fmaf(product_1_2, sum_1_6, sum_1_7));

  sum_3[element] =
      fmaf(product_3, fmaf(product_2_2, sum_2, fmaf(product_1_3, sum_1_2, sum_1_3)), sum_4);
  product[element] = decay[index] * decay_value_8 * product_1_4 * product_2_2 * product_3;
}

}  // namespace

cudaError_t
enqueue(const float* decay, const float* value, float* sum_3, float* product, cudaStream_t stream) {
  return launch(after, {.grid = kElements / kThreads, .block = kThreads}, stream,
                decay, value, sum_3, product);
}

}  // namespace recurrence_kernels::after
