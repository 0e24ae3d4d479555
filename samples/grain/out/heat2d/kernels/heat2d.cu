// heat2d: 25 steps of 1024 elements; one element a thread, its state in registers; a block's
// threads take each step together.
//
//   in   start_in   f32[32,32]
//   out  u_out      f32[32,32]
//
//   loop t in [0, 25), carrying u_1:
//     u_3      = u_1[0:30,1:31] + u_1[2:32,1:31]
//     u_4      = u_3 + u_1[1:31,0:30]
//     u_5      = u_4 + u_1[1:31,2:32] - 4 * u_1[1:31,1:31]
//     u_2      = u_1, with [1:31,1:31] replaced by u_1[1:31,1:31] + 0.2 * u_5
//     next_u_1 = u_2
//
// One block of 1024 threads. Reads 4.1 kB, writes 4.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace heat2d_kernels::heat2d {
namespace {

constexpr int kRows = 32;
constexpr int kColumns = 32;
constexpr int kElements = kRows * kColumns;  // 1024
constexpr int kSteps = 25;
constexpr int kThreads = 1024;

static_assert(kElements == kThreads, "a thread of the one block has an element");

struct Shared {
  float u_1[kThreads];
};

__global__ void __launch_bounds__(kThreads)
heat2d(const float* __restrict__ start_in, float* __restrict__ u_out) {
  Shared& shared = block_shared<Shared>();
  const int element = threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float u_1 = start_in[element];

#pragma unroll 5
  for (int t = 0; t < kSteps; ++t) {
    __syncthreads();
    shared.u_1[threadIdx.x] = u_1;
    __syncthreads();

    float u_2 = u_1;
    if (row >= 1 && row < kRows - 1 && column >= 1 && column < kColumns - 1) {
      const float u_value = shared.u_1[element - 32];
      const float u_3 = u_value + shared.u_1[element + 32];
      const float u_4 = u_3 + shared.u_1[element - 1];
      const float u_5 = fmaf(-4.0f, u_1, u_4 + shared.u_1[element + 1]);
      u_2 = fmaf(0.2f, u_5, u_1);
    }
    u_1 = u_2;
  }

  u_out[element] = u_1;
}

}  // namespace

cudaError_t
enqueue(const float* start_in, float* u_out, cudaStream_t stream) {
  return launch(heat2d, {.grid = 1, .block = kThreads}, stream, start_in, u_out);
}

}  // namespace heat2d_kernels::heat2d
