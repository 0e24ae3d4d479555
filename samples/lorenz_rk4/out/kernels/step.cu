// step: 40 steps of 64 elements; one element a thread, its state in registers; a block's threads
// take each step together.
//
//   in   x_in         f32[64]
//   in   y_in         f32[64]
//   in   z_in         f32[64]
//   out  x_out        f32[64]
//   out  y_out        f32[64]
//   out  z_out        f32[64]
//   out  joined_out   f32[40,3]
//
//   loop t in [0, 40), carrying x, y, z:
//     state_1         = x + state_part_1 * 0.0016666667
//     state_2         = y + state_part_2 * 0.0016666667
//     state_3         = z + state_part_4 * 0.0016666667
//     state_sum_1     = reduce(state_1, 0), dimensions={0}, to_apply=add
//     state_sum_2     = reduce(state_2, 0), dimensions={0}, to_apply=add
//     state_sum_3     = reduce(state_3, 0), dimensions={0}, to_apply=add
//     joined          = concatenate(state_sum_1 / 64, state_sum_2 / 64, state_sum_3 / 64)
//     joined_out[t,:] = joined
//     next_x          = state_1
//     next_y          = state_2
//     next_z          = state_3
//     Not shown: state_part_1, state_part_2, state_part_4.
//
// One block of 64 threads. Reads 768 B, writes 1.2 kB.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace lorenz_rk4_kernels::step {
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
     float* __restrict__ joined_out) {
  const int element = threadIdx.x;

  float x = x_in[element];
  float y = y_in[element];
  float z = z_in[element];

  for (int t = 0; t < kSteps; ++t) {
    // slope
    const float k1_0 = (y - x) * 10.0f;
    const float k1_1 = fmaf(x, 28.0f - z, -y);
    const float k1_2 = fmaf(-z, 2.6666667f, x * y);

    // along
    const float sum_1 = fmaf(k1_1, 0.005f, y);
    const float sum_2 = fmaf(k1_0, 0.005f, x);
    const float sum_3 = fmaf(k1_2, 0.005f, z);

    // slope
    const float k2_0 = (sum_1 - sum_2) * 10.0f;
    const float k2_1 = fmaf(sum_2, 28.0f - sum_3, -sum_1);
    const float k2_2 = fmaf(-sum_3, 2.6666667f, sum_2 * sum_1);

    // along
    const float sum_4 = fmaf(k2_1, 0.005f, y);
    const float sum_5 = fmaf(k2_0, 0.005f, x);
    const float sum_6 = fmaf(k2_2, 0.005f, z);

    // slope
    const float k3_0 = (sum_4 - sum_5) * 10.0f;
    const float k3_1 = fmaf(sum_5, 28.0f - sum_6, -sum_4);
    const float k3_2 = fmaf(-sum_6, 2.6666667f, sum_5 * sum_4);

    // along
    const float sum_7 = fmaf(k3_1, 0.01f, y);
    const float sum_8 = fmaf(k3_0, 0.01f, x);
    const float sum_9 = fmaf(k3_2, 0.01f, z);

    const float state_part_1 = fmaf(sum_7 - sum_8, 10.0f, fmaf(k3_0, 2.0f, fmaf(k2_0, 2.0f, k1_0)));
    const float state_1 = fmaf(state_part_1, 0.0016666667f, x);
    const float state_part_2 =
        fmaf(k3_1, 2.0f, fmaf(k2_1, 2.0f, k1_1)) + fmaf(sum_8, 28.0f - sum_9, -sum_7);
    const float state_2 = fmaf(state_part_2, 0.0016666667f, y);
    const float state_part_3 = fmaf(k3_2, 2.0f, fmaf(k2_2, 2.0f, k1_2));
    const float state_part_4 = state_part_3 + fmaf(-sum_9, 2.6666667f, sum_8 * sum_7);
    const float state_3 = fmaf(state_part_4, 0.0016666667f, z);
    const float state_sum_1 = block_reduce<kThreads>(state_1, Add());
    const float state_sum_2 = block_reduce<kThreads>(state_2, Add());
    const float state_sum_3 = block_reduce<kThreads>(state_3, Add());
    x = state_1;
    y = state_2;
    z = state_3;

    if (element == 0) {
      joined_out[t * 3] = state_sum_1 / 64.0f;
      joined_out[t * 3 + 1] = state_sum_2 / 64.0f;
      joined_out[t * 3 + 2] = state_sum_3 / 64.0f;
    }
  }

  x_out[element] = x;
  y_out[element] = y;
  z_out[element] = z;
}

}  // namespace

cudaError_t
enqueue(const float* x_in, const float* y_in, const float* z_in, float* x_out, float* y_out,
        float* z_out, float* joined_out, cudaStream_t stream) {
  return launch(step, {.grid = 1, .block = kThreads}, stream,
                x_in, y_in, z_in, x_out, y_out, z_out, joined_out);
}

}  // namespace lorenz_rk4_kernels::step
