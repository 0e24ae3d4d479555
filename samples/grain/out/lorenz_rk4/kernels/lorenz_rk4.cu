// lorenz_rk4: 40 steps of 64 elements; one element a thread, its state in registers; a block's
// threads take each step together.
//
//   in   start_x_in    f32[64]
//   in   start_y_in    f32[64]
//   in   start_z_in    f32[64]
//   out  start_x_out   f32[64]
//   out  start_y_out   f32[64]
//   out  start_z_out   f32[64]
//   out  means_out     f32[40,3]
//
//   loop t in [0, 40), carrying start_x, start_y, start_z:
//     slope_3      = start_x * start_y - 2.6666667 * start_z
//     k2_2         = start_x + 0.005 * slope_1
//     k2_1         = start_y + 0.005 * slope_2
//     k2_3         = start_z + 0.005 * slope_3
//     slope_4      = 10 * (k2_1 - k2_2)
//     slope_5      = k2_2 * (28 - k2_3) - k2_1
//     slope_6      = k2_2 * k2_1 - 2.6666667 * k2_3
//     k3_2         = start_x + 0.005 * slope_4
//     k3_1         = start_y + 0.005 * slope_5
//     k3_3         = start_z + 0.005 * slope_6
//     slope_7      = 10 * (k3_1 - k3_2)
//     slope_8      = k3_2 * (28 - k3_3) - k3_1
//     slope_9      = k3_2 * k3_1 - 2.6666667 * k3_3
//     k4_2         = start_x + 0.01 * slope_7
//     k4_1         = start_y + 0.01 * slope_8
//     k4_3         = start_z + 0.01 * slope_9
//     after_3      = slope_3 + 2 * slope_6 + 2 * slope_9
//     after_1      = slope_1 + 2 * slope_4 + 2 * slope_7 + 10 * (k4_1 - k4_2)
//     after_2      = slope_2 + 2 * slope_5 + 2 * slope_8 + (k4_2 * (28 - k4_3) - k4_1)
//     after_4      = after_3 + (k4_2 * k4_1 - 2.6666667 * k4_3)
//     next_start_x = start_x + 0.0016666667 * after_1
//     next_start_y = start_y + 0.0016666667 * after_2
//     next_start_z = start_z + 0.0016666667 * after_4
//     means_1      = reduce(next_start_x, 0), dimensions={0}, to_apply=add
//     means_2      = reduce(next_start_y, 0), dimensions={0}, to_apply=add
//     means_3      = reduce(next_start_z, 0), dimensions={0}, to_apply=add
//     means        = concatenate(means_1 / 64, means_2 / 64, means_3 / 64)
//     means_out    = for_, with [t,:] replaced by means
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
           float* __restrict__ start_x_out,
           float* __restrict__ start_y_out,
           float* __restrict__ start_z_out,
           float* __restrict__ means_out) {
  const int element = threadIdx.x;

  float start_x = start_x_in[element];
  float start_y = start_y_in[element];
  float start_z = start_z_in[element];

  for (int t = 0; t < kSteps; ++t) {
    // slope
    const float slope_1 = 10.0f * (start_y - start_x);
    const float slope_2 = fmaf(start_x, 28.0f - start_z, -start_y);
    const float slope_3 = fmaf(-2.6666667f, start_z, start_x * start_y);

    // rk4
    const float k2_1 = fmaf(0.005f, slope_2, start_y);
    const float k2_2 = fmaf(0.005f, slope_1, start_x);
    const float k2_3 = fmaf(0.005f, slope_3, start_z);

    // slope
    const float slope_4 = 10.0f * (k2_1 - k2_2);
    const float slope_5 = fmaf(k2_2, 28.0f - k2_3, -k2_1);
    const float slope_6 = fmaf(-2.6666667f, k2_3, k2_2 * k2_1);

    // rk4
    const float k3_1 = fmaf(0.005f, slope_5, start_y);
    const float k3_2 = fmaf(0.005f, slope_4, start_x);
    const float k3_3 = fmaf(0.005f, slope_6, start_z);

    // slope
    const float slope_7 = 10.0f * (k3_1 - k3_2);
    const float slope_8 = fmaf(k3_2, 28.0f - k3_3, -k3_1);
    const float slope_9 = fmaf(-2.6666667f, k3_3, k3_2 * k3_1);

    // rk4
    const float k4_1 = fmaf(0.01f, slope_8, start_y);
    const float k4_2 = fmaf(0.01f, slope_7, start_x);
    const float k4_3 = fmaf(0.01f, slope_9, start_z);
    const float after_1 =
        fmaf(10.0f, k4_1 - k4_2, fmaf(2.0f, slope_7, fmaf(2.0f, slope_4, slope_1)));
    const float next_start_x = fmaf(0.0016666667f, after_1, start_x);
    const float after_2 =
        fmaf(2.0f, slope_8, fmaf(2.0f, slope_5, slope_2)) + fmaf(k4_2, 28.0f - k4_3, -k4_1);
    const float next_start_y = fmaf(0.0016666667f, after_2, start_y);
    const float after_3 = fmaf(2.0f, slope_9, fmaf(2.0f, slope_6, slope_3));
    const float after_4 = after_3 + fmaf(-2.6666667f, k4_3, k4_2 * k4_1);
    const float next_start_z = fmaf(0.0016666667f, after_4, start_z);

    const float means_1 = block_reduce<kThreads>(next_start_x, Add());
    const float means_2 = block_reduce<kThreads>(next_start_y, Add());
    const float means_3 = block_reduce<kThreads>(next_start_z, Add());
    if (element == 0) {
      means_out[t * 3] = means_1 / 64.0f;
      means_out[t * 3 + 1] = means_2 / 64.0f;
      means_out[t * 3 + 2] = means_3 / 64.0f;
    }

    // rk4
    start_x = next_start_x;
    start_y = next_start_y;
    start_z = next_start_z;
  }

  start_x_out[element] = start_x;
  start_y_out[element] = start_y;
  start_z_out[element] = start_z;
}

}  // namespace

cudaError_t
enqueue(const float* start_x_in, const float* start_y_in, const float* start_z_in,
        float* start_x_out, float* start_y_out, float* start_z_out, float* means_out,
        cudaStream_t stream) {
  return launch(lorenz_rk4, {.grid = 1, .block = kThreads}, stream,
                start_x_in, start_y_in, start_z_in, start_x_out, start_y_out, start_z_out,
                means_out);
}

}  // namespace lorenz_rk4_kernels::lorenz_rk4
