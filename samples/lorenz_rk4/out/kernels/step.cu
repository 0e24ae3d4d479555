// step: reduce, subtract, multiply, add over f32[64].
//
//   in   x_in        f32[64]
//   in   y_in        f32[64]
//   in   z_in        f32[64]
//   out  x_out       f32[64]
//   out  y_out       f32[64]
//   out  z_out       f32[64]
//   out  sum_out     f32[]
//   out  sum_1_out   f32[]
//   out  sum_2_out   f32[]
//
//   sum, sum_1, sum_2, x_out, y_out, z_out
//
// One block of 64 threads. Reads 768 B, writes 780 B.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace lorenz_rk4_kernels {
namespace {

constexpr int kRows = 1;
constexpr int kThreads = 64;

__global__ void __launch_bounds__(kThreads)
step(const float* x_in,
     const float* y_in,
     const float* z_in,
     float* x_out,
     float* y_out,
     float* z_out,
     float* __restrict__ sum_out,
     float* __restrict__ sum_1_out,
     float* __restrict__ sum_2_out) {
  const int column = threadIdx.x;

  // sum, sum_1, sum_2, x_out, y_out, z_out
  float sum = 0.0f;
  float sum_1 = 0.0f;
  float sum_2 = 0.0f;
  const float x_value = x_in[column];
  const float y_value = y_in[column];
  const float mul_1 = (y_value - x_value) * 10.0f;
  const float z_value = z_in[column];
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
  const float x_next = fmaf(add_10, 0.0016666667f, x_value);
  const float add_11 =
      fmaf(sub_5, 2.0f, fmaf(sub_3, 2.0f, sub_1)) + fmaf(add_8, 28.0f - add_9, -add_7);
  const float y_next = fmaf(add_11, 0.0016666667f, y_value);
  const float add_12 = fmaf(sub_6, 2.0f, fmaf(sub_4, 2.0f, sub_2));
  const float add_13 = add_12 + fmaf(-add_9, 2.6666667f, add_8 * add_7);
  const float z_next = fmaf(add_13, 0.0016666667f, z_value);
  x_out[column] = x_next;
  y_out[column] = y_next;
  z_out[column] = z_next;
  sum += x_next;
  sum_1 += y_next;
  sum_2 += z_next;
  sum = block_reduce<kThreads>(sum, Add());
  sum_1 = block_reduce<kThreads>(sum_1, Add());
  sum_2 = block_reduce<kThreads>(sum_2, Add());

  if (column == 0) {
    sum_out[0] = sum;
    sum_1_out[0] = sum_1;
    sum_2_out[0] = sum_2;
  }
}

}  // namespace

cudaError_t
launch_step(const float* x_in,
            const float* y_in,
            const float* z_in,
            float* x_out,
            float* y_out,
            float* z_out,
            float* sum_out,
            float* sum_1_out,
            float* sum_2_out,
            cudaStream_t stream) {
  return launch(step, {.grid = kRows, .block = kThreads}, stream,
                x_in, y_in, z_in, x_out, y_out, z_out, sum_out, sum_1_out, sum_2_out);
}

}  // namespace lorenz_rk4_kernels
