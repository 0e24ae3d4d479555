// lorenz_rk4: 40 steps of 64 elements; one element a thread, its state in registers; a block's
// threads take each step together.
//
//   in   start_x_in   f32[64]
//   in   start_y_in   f32[64]
//   in   start_z_in   f32[64]
//   out  p_x_out      f32[64]
//   out  p_y_out      f32[64]
//   out  p_z_out      f32[64]
//   out  means_out    f32[40,3]
//
//   loop t in [0, 40), carrying p_x, p_y, p_z:
//     slope_3        = p_x * p_y - 2.6666667 * p_z
//     k2_2           = p_x + 0.005 * slope_1
//     k2_1           = p_y + 0.005 * slope_2
//     k2_3           = p_z + 0.005 * slope_3
//     slope_4        = 10 * (k2_1 - k2_2)
//     slope_5        = k2_2 * (28 - k2_3) - k2_1
//     slope_6        = k2_2 * k2_1 - 2.6666667 * k2_3
//     k3_2           = p_x + 0.005 * slope_4
//     k3_1           = p_y + 0.005 * slope_5
//     k3_3           = p_z + 0.005 * slope_6
//     slope_7        = 10 * (k3_1 - k3_2)
//     slope_8        = k3_2 * (28 - k3_3) - k3_1
//     slope_9        = k3_2 * k3_1 - 2.6666667 * k3_3
//     k4_2           = p_x + 0.01 * slope_7
//     k4_1           = p_y + 0.01 * slope_8
//     k4_3           = p_z + 0.01 * slope_9
//     after_3        = slope_3 + 2 * slope_6 + 2 * slope_9
//     after_1        = slope_1 + 2 * slope_4 + 2 * slope_7 + 10 * (k4_1 - k4_2)
//     after_2        = slope_2 + 2 * slope_5 + 2 * slope_8 + (k4_2 * (28 - k4_3) - k4_1)
//     after_4        = after_3 + (k4_2 * k4_1 - 2.6666667 * k4_3)
//     next_p_x       = p_x + 0.0016666667 * after_1
//     next_p_y       = p_y + 0.0016666667 * after_2
//     next_p_z       = p_z + 0.0016666667 * after_4
//     means_1        = reduce(next_p_x, 0), dimensions={0}, to_apply=add
//     means_2        = reduce(next_p_y, 0), dimensions={0}, to_apply=add
//     means_3        = reduce(next_p_z, 0), dimensions={0}, to_apply=add
//     means          = concatenate(means_1 / 64, means_2 / 64, means_3 / 64)
//     means_out[t,:] = means
//     Not shown: slope_1, slope_2.
//
// One block of 64 threads. Reads 768 B, writes 1.2 kB.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace lorenz_rk4_kernels::lorenz_rk4 {
namespace {

constexpr int kElements = 64;
constexpr int kSteps = 40;
constexpr int kThreads = 64;

static_assert(kElements == kThreads, "a thread of the one block has an element");

__global__ void __launch_bounds__(kThreads)
lorenz_rk4(const float* __restrict__ start_x_in,
           const float* __restrict__ start_y_in,
           const float* __restrict__ start_z_in,
           float* __restrict__ p_x_out,
           float* __restrict__ p_y_out,
           float* __restrict__ p_z_out,
           float* __restrict__ means_out) {
  const int element = threadIdx.x;

  float p_x = start_x_in[element];
  float p_y = start_y_in[element];
  float p_z = start_z_in[element];

  for (int t = 0; t < kSteps; ++t) {
    // slope
    const float slope_1 = 10.0f * (p_y - p_x);
    const float slope_2 = fmaf(p_x, 28.0f - p_z, -p_y);
    const float slope_3 = fmaf(-2.6666667f, p_z, p_x * p_y);

    // rk4
    const float k2_1 = fmaf(0.005f, slope_2, p_y);
    const float k2_2 = fmaf(0.005f, slope_1, p_x);
    const float k2_3 = fmaf(0.005f, slope_3, p_z);

    // slope
    const float slope_4 = 10.0f * (k2_1 - k2_2);
    const float slope_5 = fmaf(k2_2, 28.0f - k2_3, -k2_1);
    const float slope_6 = fmaf(-2.6666667f, k2_3, k2_2 * k2_1);

    // rk4
    const float k3_1 = fmaf(0.005f, slope_5, p_y);
    const float k3_2 = fmaf(0.005f, slope_4, p_x);
    const float k3_3 = fmaf(0.005f, slope_6, p_z);

    // slope
    const float slope_7 = 10.0f * (k3_1 - k3_2);
    const float slope_8 = fmaf(k3_2, 28.0f - k3_3, -k3_1);
    const float slope_9 = fmaf(-2.6666667f, k3_3, k3_2 * k3_1);

    // rk4
    const float k4_1 = fmaf(0.01f, slope_8, p_y);
    const float k4_2 = fmaf(0.01f, slope_7, p_x);
    const float k4_3 = fmaf(0.01f, slope_9, p_z);
    const float after_1 =
        fmaf(10.0f, k4_1 - k4_2, fmaf(2.0f, slope_7, fmaf(2.0f, slope_4, slope_1)));
    const float next_p_x = fmaf(0.0016666667f, after_1, p_x);
    const float after_2 =
        fmaf(2.0f, slope_8, fmaf(2.0f, slope_5, slope_2)) + fmaf(k4_2, 28.0f - k4_3, -k4_1);
    const float next_p_y = fmaf(0.0016666667f, after_2, p_y);
    const float after_3 = fmaf(2.0f, slope_9, fmaf(2.0f, slope_6, slope_3));
    const float after_4 = after_3 + fmaf(-2.6666667f, k4_3, k4_2 * k4_1);
    const float next_p_z = fmaf(0.0016666667f, after_4, p_z);

    const float means_1 = block_reduce<kThreads>(next_p_x, Add());
    const float means_2 = block_reduce<kThreads>(next_p_y, Add());
    const float means_3 = block_reduce<kThreads>(next_p_z, Add());
    if (element == 0) {
      means_out[t * 3] = means_1 / 64.0f;
      means_out[t * 3 + 1] = means_2 / 64.0f;
      means_out[t * 3 + 2] = means_3 / 64.0f;
    }

    // rk4
    p_x = next_p_x;
    p_y = next_p_y;
    p_z = next_p_z;
  }

  p_x_out[element] = p_x;
  p_y_out[element] = p_y;
  p_z_out[element] = p_z;
}

}  // namespace

cudaError_t
enqueue(const float* start_x_in, const float* start_y_in, const float* start_z_in, float* p_x_out,
        float* p_y_out, float* p_z_out, float* means_out, cudaStream_t stream) {
  return launch(lorenz_rk4, {.grid = 1, .block = kThreads}, stream,
                start_x_in, start_y_in, start_z_in, p_x_out, p_y_out, p_z_out, means_out);
}

}  // namespace lorenz_rk4_kernels::lorenz_rk4
