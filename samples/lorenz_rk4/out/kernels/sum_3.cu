// sum_3: subtract, multiply, add, reduce over f32[64].
//
//   in   x     f32[64]
//   in   y     f32[64]
//   in   z     f32[64]
//   out  add   f32[64]
//   out  sum   f32[]
//
//   slope  subtract, multiply
//   along  multiply, add
//   step   multiply, add, reduce
//
// One block of 64 threads a row. Reads 768 B, writes 260 B.

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
sum_3(const float* __restrict__ x,
      const float* __restrict__ y,
      const float* z,
      float* add,
      float* __restrict__ sum) {
  // sum, add
  float sum_1 = 0.0f;
  for (int column = threadIdx.x; column < kColumns; column += 64) {
    const float z_value = z[column];
    const float x_value = x[column];
    const float y_value = y[column];
    const float sub_1 = fmaf(-z_value, 2.6666667f, x_value * y_value);
    const float add_1 = fmaf((y_value - x_value) * 10.0f, 0.005f, x_value);
    const float add_2 = fmaf(fmaf(x_value, 28.0f - z_value, -y_value), 0.005f, y_value);
    const float add_3 = fmaf(sub_1, 0.005f, z_value);
    const float add_4 = fmaf((add_2 - add_1) * 10.0f, 0.005f, x_value);
    const float add_5 = fmaf(fmaf(add_1, 28.0f - add_3, -add_2), 0.005f, y_value);
    const float sub_2 = fmaf(-add_3, 2.6666667f, add_1 * add_2);
    const float add_6 = fmaf(sub_2, 0.005f, z_value);
    const float add_7 = fmaf(fmaf(add_4, 28.0f - add_6, -add_5), 0.01f, y_value);
    const float sub_3 = fmaf(-add_6, 2.6666667f, add_4 * add_5);
    const float mul = fmaf((add_5 - add_4) * 10.0f, 0.01f, x_value) * add_7;
    const float sub_4 = fmaf(-fmaf(sub_3, 0.01f, z_value), 2.6666667f, mul);
    const float add_8 = fmaf(sub_3, 2.0f, fmaf(sub_2, 2.0f, sub_1)) + sub_4;
    const float add_9 = fmaf(add_8, 0.0016666667f, z_value);
    add[column] = add_9;
    sum_1 += add_9;
  }
  sum_1 = block_reduce<kThreads>(sum_1, Add());

  if (threadIdx.x == 0) sum[0] = sum_1;
}

}  // namespace

cudaError_t
launch_sum_3(const float* x,
             const float* y,
             const float* z,
             float* add,
             float* sum,
             cudaStream_t stream) {
  return launch(sum_3, {.grid = kRows, .block = kThreads}, stream, x, y, z, add, sum);
}

}  // namespace lorenz_rk4_kernels
