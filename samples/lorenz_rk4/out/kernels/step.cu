// step: 40 steps of 64 elements; one element a thread, its state in registers, a block together.
//
//   in   x_in        f32[64]
//   in   y_in        f32[64]
//   in   z_in        f32[64]
//   out  x_out       f32[64]
//   out  y_out       f32[64]
//   out  z_out       f32[64]
//   out  stack_out   f32[40,3]
//
//   loop t in [0, 40), carrying x, y, z:
//     slope       mul_1, sub_1, sub_2, mul_2, sub_3, sub_4, mul_3, sub_5, ...
//     along       add_1 .. add_9
//     step        stack_out, x, y, z
//
// One block of 64 threads. Reads 768 B, writes 1.2 kB.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace lorenz_rk4_kernels {
namespace {

constexpr int kElements = 64;
constexpr int kSteps = 40;
constexpr int kThreads = 64;

static_assert(kElements == kThreads, "a thread of the one block has an element");

__global__ void __launch_bounds__(kThreads)
step(const float* __restrict__ x_in,
     const float* __restrict__ y_in,
     const float* __restrict__ z_in,
     float* __restrict__ x_out,
     float* __restrict__ y_out,
     float* __restrict__ z_out,
     float* __restrict__ stack_out) {
  const int element = threadIdx.x;

  float x = x_in[element];
  float y = y_in[element];
  float z = z_in[element];

  for (int t = 0; t < kSteps; ++t) {
    // slope
    const float mul_1 = (y - x) * 10.0f;
    const float sub_1 = fmaf(x, 28.0f - z, -y);
    const float sub_2 = fmaf(-z, 2.6666667f, x * y);

    // along
    const float add_1 = fmaf(sub_1, 0.005f, y);
    const float add_2 = fmaf(mul_1, 0.005f, x);
    const float add_3 = fmaf(sub_2, 0.005f, z);

    // slope
    const float mul_2 = (add_1 - add_2) * 10.0f;
    const float sub_3 = fmaf(add_2, 28.0f - add_3, -add_1);
    const float sub_4 = fmaf(-add_3, 2.6666667f, add_2 * add_1);

    // along
    const float add_4 = fmaf(sub_3, 0.005f, y);
    const float add_5 = fmaf(mul_2, 0.005f, x);
    const float add_6 = fmaf(sub_4, 0.005f, z);

    // slope
    const float mul_3 = (add_4 - add_5) * 10.0f;
    const float sub_5 = fmaf(add_5, 28.0f - add_6, -add_4);
    const float sub_6 = fmaf(-add_6, 2.6666667f, add_5 * add_4);

    // along
    const float add_7 = fmaf(sub_5, 0.01f, y);
    const float add_8 = fmaf(mul_3, 0.01f, x);
    const float add_9 = fmaf(sub_6, 0.01f, z);

    // step
    const float add_10 = fmaf(add_7 - add_8, 10.0f, fmaf(mul_3, 2.0f, fmaf(mul_2, 2.0f, mul_1)));
    const float next_x = fmaf(add_10, 0.0016666667f, x);
    const float add_11 =
        fmaf(sub_5, 2.0f, fmaf(sub_3, 2.0f, sub_1)) + fmaf(add_8, 28.0f - add_9, -add_7);
    const float next_y = fmaf(add_11, 0.0016666667f, y);
    const float add_12 = fmaf(sub_6, 2.0f, fmaf(sub_4, 2.0f, sub_2));
    const float next_z = fmaf(add_12 + fmaf(-add_9, 2.6666667f, add_8 * add_7), 0.0016666667f, z);
    const float sum_1 = block_reduce<kThreads>(next_x, Add());
    const float sum_2 = block_reduce<kThreads>(next_y, Add());
    const float sum_3 = block_reduce<kThreads>(next_z, Add());
    x = next_x;
    y = next_y;
    z = next_z;

    // lorenz_rk4
    if (element == 0) {
      stack_out[t * 3] = sum_1 / 64.0f;
      stack_out[t * 3 + 1] = sum_2 / 64.0f;
      stack_out[t * 3 + 2] = sum_3 / 64.0f;
    }
  }

  x_out[element] = x;
  y_out[element] = y;
  z_out[element] = z;
}

}  // namespace

cudaError_t
launch_step(const float* x_in,
            const float* y_in,
            const float* z_in,
            float* x_out,
            float* y_out,
            float* z_out,
            float* stack_out,
            cudaStream_t stream) {
  return launch(step, {.grid = 1, .block = kThreads}, stream,
                x_in, y_in, z_in, x_out, y_out, z_out, stack_out);
}

}  // namespace lorenz_rk4_kernels
