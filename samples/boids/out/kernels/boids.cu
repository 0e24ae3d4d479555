// boids: reduce, sqrt, subtract, multiply, add, ... over f32[256,2].
//
//   in   position_in    f32[256,2]
//   in   velocity_in    f32[256,2]
//   out  velocity_out   f32[256,2]
//   out  position_out   f32[256,2]
//
//   sum_1              = reduce(near * apart_1, 0), dimensions={1}, to_apply=add
//   sum_4              = reduce(near * apart_2, 0), dimensions={1}, to_apply=add
//   count              = reduce(near, 0), dimensions={1}, to_apply=add
//   velocity_term_1    = velocity_in + concatenate(sum_1, sum_4) / broadcast(count) * 0.01
//   sum_2              = reduce(near * velocity_in[:,0], 0), dimensions={1}, to_apply=add
//   sum_5              = reduce(near * velocity_in[:,1], 0), dimensions={1}, to_apply=add
//   velocity_term      = (concatenate(sum_2, sum_5) / broadcast(count) - velocity_in) * 0.05
//   velocity_term_2    = velocity_term_1 + velocity_term
//   near_over_distance = near / distance
//   sum_3              = reduce(near_over_distance * apart_1, 0), dimensions={1}, to_apply=add
//   sum_6              = reduce(near_over_distance * apart_2, 0), dimensions={1}, to_apply=add
//   velocity_1         = velocity_term_2 - concatenate(sum_3, sum_6) * 0.001
//   distance_squared   = reduce(velocity_1 * velocity_1, 0), dimensions={1}, to_apply=add
//   denominator        = maximum(sqrt(distance_squared), 1)
//   velocity_out       = velocity_1 / broadcast(denominator)
//   position_out       = position_in + velocity_out * 0.1
//   Not shown: apart_1, apart_2, distance, near.
//
// A row a warp, 4 rows a block of 128 threads. Reads 4.1 kB, writes 4.1 kB.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace boids_kernels::boids {
namespace {

constexpr int kRows = 256;
constexpr int kColumns = 256;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
boids(const float* __restrict__ position_in,
      const float* __restrict__ velocity_in,
      float* __restrict__ velocity_out,
      float* __restrict__ position_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  const float position_value_1 = position_in[row * 2];
  const float position_value_2 = position_in[row * 2 + 1];

  // sum_1, count, sum_2, sum_3, sum_4, sum_5, sum_6
  float sum_1 = 0.0f;
  float count = 0.0f;
  float sum_2 = 0.0f;
  float sum_3 = 0.0f;
  float sum_4 = 0.0f;
  float sum_5 = 0.0f;
  float sum_6 = 0.0f;
  for (int column = lane; column < kColumns; column += kWarp) {
    const float apart_1 = position_in[column * 2] - position_value_1;
    const float apart_2 = position_in[column * 2 + 1] - position_value_2;
    const float distance = fmaf(apart_2, apart_2, apart_1 * apart_1) + 0.001f;
    const float near = distance < 1.0f ? 1.0f : 0.0f;
    const float near_over_distance = near / distance;
    sum_1 += near * apart_1;
    count += near;
    sum_2 += near * velocity_in[column * 2];
    sum_3 += near_over_distance * apart_1;
    sum_4 += near * apart_2;
    sum_5 += near * velocity_in[column * 2 + 1];
    sum_6 += near_over_distance * apart_2;
  }
  sum_1 = warp_reduce(sum_1, Add());
  count = warp_reduce(count, Add());
  sum_2 = warp_reduce(sum_2, Add());
  sum_3 = warp_reduce(sum_3, Add());
  sum_4 = warp_reduce(sum_4, Add());
  sum_5 = warp_reduce(sum_5, Add());
  sum_6 = warp_reduce(sum_6, Add());
  const float velocity_value_1 = velocity_in[row * 2];
  const float velocity_term_1 = fmaf(sum_1 / count, 0.01f, velocity_value_1);
  const float velocity_term_2 = fmaf(sum_2 / count - velocity_value_1, 0.05f, velocity_term_1);
  const float velocity_1 = fmaf(-sum_3, 0.001f, velocity_term_2);
  const float velocity_value_2 = velocity_in[row * 2 + 1];
  const float velocity_term_3 = fmaf(sum_4 / count, 0.01f, velocity_value_2);
  const float velocity_term_4 = fmaf(sum_5 / count - velocity_value_2, 0.05f, velocity_term_3);
  const float velocity_2 = fmaf(-sum_6, 0.001f, velocity_term_4);
  const float denominator = maximum(sqrtf(velocity_1 * velocity_1 + velocity_2 * velocity_2), 1.0f);
  const float velocity_next_1 = velocity_1 / denominator;
  const float velocity_next_2 = velocity_2 / denominator;

  if (lane == 0) {
    velocity_out[row * 2] = velocity_next_1;
    velocity_out[row * 2 + 1] = velocity_next_2;
    position_out[row * 2] = fmaf(velocity_next_1, 0.1f, position_value_1);
    position_out[row * 2 + 1] = fmaf(velocity_next_2, 0.1f, position_value_2);
  }
}

}  // namespace

cudaError_t
enqueue(const float* position_in, const float* velocity_in, float* velocity_out,
        float* position_out, cudaStream_t stream) {
  return launch(boids, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                position_in, velocity_in, velocity_out, position_out);
}

}  // namespace boids_kernels::boids
