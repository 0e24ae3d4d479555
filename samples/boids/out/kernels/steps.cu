// steps: the steps of while.6, in one launch.
//
//   boids   32 blocks   reduce, sqrt, subtract, multiply, add, ... over f32[256,2]
//
// At most 32 blocks of 256 threads, all of them on the device at the same time: each does a part's
// blocks in turn, and waits for the others where a step needs what they have stored. What comes out
// does not depend on how many there are.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/grid_barrier.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/neighbour_access.cuh"
#include "device/warp_reduce.cuh"

namespace boids_kernels::steps {
namespace {

// boids: reduce, sqrt, subtract, multiply, add, ... over f32[256,2].
//
//   in   position_in    f32[256,2]
//   in   velocity_in    f32[256,2]
//   out  velocity_out   f32[256,2]
//   out  position_out   f32[256,2]
//
//   near               = select(distance < 1, 1, 0)
//   near_apart_sum_1   = reduce(near * apart_1, 0), dimensions={1}, to_apply=add
//   near_apart_sum_2   = reduce(near * apart_2, 0), dimensions={1}, to_apply=add
//   count              = reduce(near, 0), dimensions={1}, to_apply=add
//   product_sum_1_1    = reduce(near * velocity_in[:,0], 0), dimensions={1}, to_apply=add
//   product_sum_1_2    = reduce(near * velocity_in[:,1], 0), dimensions={1}, to_apply=add
//   course             = concatenate(product_sum_1_1, product_sum_1_2) / broadcast(count)
//   velocity_term_2    = velocity_term_1 + (course - velocity_in) * 0.05
//   near_over_distance = near / distance
//   product_sum_2_1    = reduce(near_over_distance * apart_1, 0), dimensions={1}, to_apply=add
//   product_sum_2_2    = reduce(near_over_distance * apart_2, 0), dimensions={1}, to_apply=add
//   velocity           = velocity_term_2 - concatenate(product_sum_2_1, product_sum_2_2) * 0.001
//   distance_squared   = reduce(velocity * velocity, 0), dimensions={1}, to_apply=add
//   denominator        = maximum(sqrt(distance_squared), 1)
//   velocity_out       = velocity / broadcast(denominator)
//   position_out       = position_in + velocity_out * 0.1
//   Not shown: apart_1, apart_2, distance, velocity_term_1 (velocity_term_1_1, velocity_term_1_2).
//
// A row a warp, 8 rows a block of 256 threads. Reads 4.1 kB, writes 4.1 kB.
namespace boids {

constexpr int kRows = 256;
constexpr int kColumns = 256;
constexpr int kThreads = 256;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kWidth = 2;  // neighbours, in one access
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kColumns % (kWarp * kWidth) == 0, "the threads cover a row exactly");
static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__device__ void run(int block, const float* position_in, const float* velocity_in,
                    float* velocity_out, float* position_out) {
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  const float position_value_1 = position_in[row * 2];
  const float position_value_2 = position_in[row * 2 + 1];

  // near_apart_sum_1, count, product_sum_1_1, product_sum_2_1, near_apart_sum_2, product_sum_1_2,
  // product_sum_2_2
  float near_apart_sum_1 = 0.0f;
  float count = 0.0f;
  float product_sum_1_1 = 0.0f;
  float product_sum_2_1 = 0.0f;
  float near_apart_sum_2 = 0.0f;
  float product_sum_1_2 = 0.0f;
  float product_sum_2_2 = 0.0f;
  for (int first_column = lane * kWidth; first_column < kColumns; first_column += kWarp * kWidth) {
    float position_in_records[kWidth * 2];
    load_neighbours(position_in_records, position_in + first_column * 2);
    float velocity_in_records[kWidth * 2];
    load_neighbours(velocity_in_records, velocity_in + first_column * 2);
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      const float apart_1 = position_in_records[i * 2] - position_value_1;
      const float apart_2 = position_in_records[i * 2 + 1] - position_value_2;
      const float distance = fmaf(apart_2, apart_2, apart_1 * apart_1) + 0.001f;
      const float near = distance < 1.0f ? 1.0f : 0.0f;
      const float near_over_distance = near / distance;
      near_apart_sum_1 += near * apart_1;
      count += near;
      product_sum_1_1 += near * velocity_in_records[i * 2];
      product_sum_2_1 += near_over_distance * apart_1;
      near_apart_sum_2 += near * apart_2;
      product_sum_1_2 += near * velocity_in_records[i * 2 + 1];
      product_sum_2_2 += near_over_distance * apart_2;
    }
  }
  near_apart_sum_1 = warp_reduce(near_apart_sum_1, Add());
  count = warp_reduce(count, Add());
  product_sum_1_1 = warp_reduce(product_sum_1_1, Add());
  product_sum_2_1 = warp_reduce(product_sum_2_1, Add());
  near_apart_sum_2 = warp_reduce(near_apart_sum_2, Add());
  product_sum_1_2 = warp_reduce(product_sum_1_2, Add());
  product_sum_2_2 = warp_reduce(product_sum_2_2, Add());
  const float velocity_value_1 = velocity_in[row * 2];
  const float velocity_term_1_1 = fmaf(near_apart_sum_1 / count, 0.01f, velocity_value_1);
  const float velocity_term_2_1 =
      fmaf(product_sum_1_1 / count - velocity_value_1, 0.05f, velocity_term_1_1);
  const float velocity_1 = fmaf(-product_sum_2_1, 0.001f, velocity_term_2_1);
  const float velocity_value_2 = velocity_in[row * 2 + 1];
  const float velocity_term_1_2 = fmaf(near_apart_sum_2 / count, 0.01f, velocity_value_2);
  const float velocity_term_2_2 =
      fmaf(product_sum_1_2 / count - velocity_value_2, 0.05f, velocity_term_1_2);
  const float velocity_2 = fmaf(-product_sum_2_2, 0.001f, velocity_term_2_2);
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

}  // namespace boids

constexpr int kThreads = 256;
constexpr int kSteps = 20;  // while.6; its last step writes position and velocity

// What steps write, and what they may read in its place, has no __restrict__: other blocks write it
// while this one runs.
__global__ void __launch_bounds__(kThreads, 1)
steps(const float* position_in,
      const float* velocity_in,
      float* position_out,
      float* position_2,
      float* velocity_out,
      float* velocity_2,
      uint32_t* barrier_counts) {
  GridBarrier barrier(barrier_counts);
  const float* position_current = position_in;
  const float* velocity_current = velocity_in;
  float* position_next = position_2;
  float* position_spare = position_out;
  float* velocity_next = velocity_2;
  float* velocity_spare = velocity_out;

  // while.6; its last step writes position and velocity
  for (int t = 0; t < kSteps; ++t) {
    // Until position_current and velocity_current are stored, and no block reads velocity_next or
    // position_next any more.
    barrier.wait_for_all();
    for (int block = blockIdx.x; block < boids::kBlocks; block += gridDim.x) {
      boids::run(block, position_current, velocity_current, velocity_next, position_next);
    }
    position_current = position_next;
    velocity_current = velocity_next;
    swap_pointers(position_next, position_spare);
    swap_pointers(velocity_next, velocity_spare);
  }
}

}  // namespace

cudaError_t
enqueue(const float* position_in, const float* velocity_in, float* position_out, float* position_2,
        float* velocity_out, float* velocity_2, uint32_t* barrier_counts, cudaStream_t stream) {
  return launch_resident(steps, {.grid = boids::kBlocks, .block = kThreads}, stream,
                         position_in, velocity_in, position_out, position_2, velocity_out,
                         velocity_2, barrier_counts);
}

}  // namespace boids_kernels::steps
