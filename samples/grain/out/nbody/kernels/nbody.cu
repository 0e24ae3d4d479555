// nbody: 20 steps of 144 elements; one element a thread, its state in registers; a block's threads
// take each step together.
//
//   in   position0_in   f32[48,3]
//   in   velocity0_in   f32[48,3]
//   in   mass           f32[48]
//   out  position_out   f32[48,3]
//   out  velocity_out   f32[48,3]
//
//   loop t in [0, 20), carrying position, velocity:
//     apart         = broadcast(position, {1,2}) - broadcast(position, {0,2})
//     near_1        = reduce(apart * apart, 0), dimensions={2}, to_apply=add
//     near          = near_1 + 0.01
//     a             = dot(apart, rsqrt(near) / near * mass), einsum=abc,ab->ac
//     next_velocity = velocity + 0.01 * a
//     next_position = position + 0.01 * next_velocity
//
// One block of 160 threads; 16 threads of a block repeat its last element. Reads 1.3 kB, writes 1.2
// kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace nbody_kernels::nbody {
namespace {

constexpr int kRows = 48;
constexpr int kColumns = 3;
constexpr int kElements = kRows * kColumns;  // 144
constexpr int kSteps = 20;
constexpr int kTerms = 48;
constexpr int kThreads = 160;

struct Shared {
  float position[kThreads];
};

__global__ void __launch_bounds__(kThreads)
nbody(const float* __restrict__ position0_in,
      const float* __restrict__ velocity0_in,
      const float* __restrict__ mass,
      float* __restrict__ position_out,
      float* __restrict__ velocity_out) {
  Shared& shared = block_shared<Shared>();
  const bool owns_element = threadIdx.x < kElements;
  const int element = owns_element ? int(threadIdx.x) : kElements - 1;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float position = position0_in[element];
  float velocity = velocity0_in[element];

  for (int t = 0; t < kSteps; ++t) {
    __syncthreads();
    shared.position[threadIdx.x] = position;
    __syncthreads();

    // acceleration
    const float position_value_1 = shared.position[row * 3];
    const float position_value_2 = shared.position[row * 3 + 1];
    const float position_value_3 = shared.position[row * 3 + 2];
    float a = 0.0f;
    for (int k = 0; k < kTerms; ++k) {
      const float apart_1 = shared.position[k * 3] - position_value_1;
      const float apart_2 = shared.position[k * 3 + 1] - position_value_2;
      const float apart_3 = shared.position[k * 3 + 2] - position_value_3;
      const float near = apart_1 * apart_1 + apart_2 * apart_2 + apart_3 * apart_3 + 0.01f;
      a = fmaf(shared.position[k * kColumns + column] - position, rsqrtf(near) / near * mass[k], a);
    }

    const float next_velocity = fmaf(0.01f, a, velocity);
    velocity = next_velocity;
    position = fmaf(0.01f, next_velocity, position);
  }

  if (owns_element) {
    position_out[element] = position;
    velocity_out[element] = velocity;
  }
}

}  // namespace

cudaError_t
enqueue(const float* position0_in, const float* velocity0_in, const float* mass,
        float* position_out, float* velocity_out, cudaStream_t stream) {
  return launch(nbody, {.grid = 1, .block = kThreads}, stream,
                position0_in, velocity0_in, mass, position_out, velocity_out);
}

}  // namespace nbody_kernels::nbody
