// heat2d: 25 steps of 1024 elements; one element a thread, its state in registers; a block's
// threads take each step together.
//
//   in   start_in    f32[32,32]
//   out  start_out   f32[32,32]
//
//   loop t in [0, 25), carrying start:
//     u_2        = start[0:30,1:31] + start[2:32,1:31]
//     u_3        = u_2 + start[1:31,0:30]
//     u_4        = u_3 + start[1:31,2:32] - 4 * start[1:31,1:31]
//     u_1        = start, with [1:31,1:31] replaced by start[1:31,1:31] + 0.2 * u_4
//     next_start = u_1
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
  float start[kThreads];
};

__global__ void __launch_bounds__(kThreads)
heat2d(const float* __restrict__ start_in, float* __restrict__ start_out) {
  Shared& shared = block_shared<Shared>();
  const int element = threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float start = start_in[element];

#pragma unroll 5
  for (int t = 0; t < kSteps; ++t) {
    __syncthreads();
    shared.start[threadIdx.x] = start;
    __syncthreads();

    float u_1 = start;
    if (row >= 1 && row < kRows - 1 && column >= 1 && column < kColumns - 1) {
      const float start_value = shared.start[element - 32];
      const float u_2 = start_value + shared.start[element + 32];
      const float u_3 = u_2 + shared.start[element - 1];
      const float u_4 = fmaf(-4.0f, start, u_3 + shared.start[element + 1]);
      u_1 = fmaf(0.2f, u_4, start);
    }
    start = u_1;
  }

  start_out[element] = start;
}

}  // namespace

cudaError_t
enqueue(const float* start_in, float* start_out, cudaStream_t stream) {
  return launch(heat2d, {.grid = 1, .block = kThreads}, stream, start_in, start_out);
}

}  // namespace heat2d_kernels::heat2d
