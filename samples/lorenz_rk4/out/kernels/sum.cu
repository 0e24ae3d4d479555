// sum: subtract, multiply, add, reduce over f32[64].
//
//   in   x     f32[64]
//   in   y     f32[64]
//   in   z     f32[64]
//   out  add   f32[64]
//   out  add   f32[64]
//   out  add   f32[64]
//   out  sum   f32[]
//   out  sum   f32[]
//   out  sum   f32[]
//
//   slope  subtract, multiply
//   along  multiply, add
//   step   multiply, add, reduce
//
// One block of 64 threads a row. Reads 768 B, writes 780 B.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace lorenz_rk4_kernels {
namespace {

constexpr int kRows = 1;
constexpr int kColumns = 64;
constexpr int kThreads = 64;

__global__ void __launch_bounds__(kThreads)
sum(const float* x,
    const float* y,
    const float* z,
    float* add_out,
    float* add_out_1,
    float* add_out_2,
    float* __restrict__ sum_out,
    float* __restrict__ sum_out_1,
    float* __restrict__ sum_out_2) {
  // sum, add_out, add_out_1, add_out_2
  float sum_1 = 0.0f;
  float sum_2 = 0.0f;
  float sum_3 = 0.0f;
  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    const float x_value = x[column];
    const float y_value = y[column];
    const float mul_1 = (y_value - x_value) * 10.0f;
    const float z_value = z[column];
    const float sub_1 = fmaf(x_value, 28.0f - z_value, -y_value);
    const float sub_2 = fmaf(-z_value, 2.6666667f, x_value * y_value);
    const float add_1 = fmaf(sub_1, 0.005f, y_value);
    const float add_2 = fmaf(mul_1, 0.005f, x_value);
    const float add_3 = fmaf(sub_2, 0.005f, z_value);
    const float mul_2 = (add_1 - add_2) * 10.0f;
    const float sub_3 = fmaf(add_2, 28.0f - add_3, -add_1);
    const float sub_4 = fmaf(-add_3, 2.6666667f, add_2 * add_1);
    const float add_4 = fmaf(sub_3, 0.005f, y_value);
    const float add_5 = fmaf(mul_2, 0.005f, x_value);
    const float add_6 = fmaf(sub_4, 0.005f, z_value);
    const float mul_3 = (add_4 - add_5) * 10.0f;
    const float sub_5 = fmaf(add_5, 28.0f - add_6, -add_4);
    const float sub_6 = fmaf(-add_6, 2.6666667f, add_5 * add_4);
    const float add_7 = fmaf(sub_5, 0.01f, y_value);
    const float add_8 = fmaf(mul_3, 0.01f, x_value);
    const float add_9 = fmaf(sub_6, 0.01f, z_value);
    const float add_10 = fmaf(add_7 - add_8, 10.0f, fmaf(mul_3, 2.0f, fmaf(mul_2, 2.0f, mul_1)));
    const float add_11 = fmaf(add_10, 0.0016666667f, x_value);
    const float add_12 =
        fmaf(sub_5, 2.0f, fmaf(sub_3, 2.0f, sub_1)) + fmaf(add_8, 28.0f - add_9, -add_7);
    const float add_13 = fmaf(add_12, 0.0016666667f, y_value);
    const float add_14 = fmaf(sub_6, 2.0f, fmaf(sub_4, 2.0f, sub_2));
    const float add_15 = add_14 + fmaf(-add_9, 2.6666667f, add_8 * add_7);
    const float add_16 = fmaf(add_15, 0.0016666667f, z_value);
    add_out[column] = add_11;
    add_out_1[column] = add_13;
    add_out_2[column] = add_16;
    sum_1 += add_11;
    sum_2 += add_13;
    sum_3 += add_16;
  }
  sum_1 = block_reduce<kThreads>(sum_1, Add());
  sum_2 = block_reduce<kThreads>(sum_2, Add());
  sum_3 = block_reduce<kThreads>(sum_3, Add());

  if (threadIdx.x == 0) {
    sum_out[0] = sum_1;
    sum_out_1[0] = sum_2;
    sum_out_2[0] = sum_3;
  }
}

}  // namespace

cudaError_t
launch_sum(const float* x,
           const float* y,
           const float* z,
           float* add_out,
           float* add_out_1,
           float* add_out_2,
           float* sum_out,
           float* sum_out_1,
           float* sum_out_2,
           cudaStream_t stream) {
  return launch(sum, {.grid = kRows, .block = kThreads}, stream,
                x, y, z, add_out, add_out_1, add_out_2, sum_out, sum_out_1, sum_out_2);
}

}  // namespace lorenz_rk4_kernels
