// step: 25 steps of 1024 elements; one element a thread, its state in registers; a block's threads
// take each step together.
//
//   in   u_in    f32[32,32]
//   out  u_out   f32[32,32]
//
//   loop t in [0, 25), carrying u:
//     around_term_1 = u[0:30,1:31] + u[2:32,1:31]
//     around_term_2 = around_term_1 + u[1:31,0:30]
//     difference    = around_term_2 + u[1:31,2:32] - u[1:31,1:31] * 4
//     updated       = u, with [1:31,1:31] replaced by u[1:31,1:31] + difference * 0.2
//     next_u        = updated
//
// One block of 1024 threads. Reads 4.1 kB, writes 4.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace heat2d_kernels::step {
namespace {

constexpr int kRows = 32;
constexpr int kColumns = 32;
constexpr int kElements = kRows * kColumns;  // 1024
constexpr int kSteps = 25;
constexpr int kThreads = 1024;

static_assert(kElements == kThreads, "a thread of the one block has an element");

struct Shared {
  float u[kThreads];
};

__global__ void __launch_bounds__(kThreads)
step(const float* __restrict__ u_in, float* __restrict__ u_out) {
  Shared& shared = block_shared<Shared>();
  const int element = threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float u = u_in[element];

#pragma unroll 5
  for (int t = 0; t < kSteps; ++t) {
    __syncthreads();
    shared.u[threadIdx.x] = u;
    __syncthreads();

    float updated = u;
    if (row >= 1 && row < kRows - 1 && column >= 1 && column < kColumns - 1) {
      const float u_value = shared.u[element - 32];
      const float around_term_1 = u_value + shared.u[element + 32];
      const float around_term_2 = around_term_1 + shared.u[element - 1];
      const float difference = fmaf(-u, 4.0f, around_term_2 + shared.u[element + 1]);
      updated = fmaf(difference, 0.2f, u);
    }
    u = updated;
  }

  u_out[element] = u;
}

}  // namespace

cudaError_t
enqueue(const float* u_in, float* u_out, cudaStream_t stream) {
  return launch(step, {.grid = 1, .block = kThreads}, stream, u_in, u_out);
}

}  // namespace heat2d_kernels::step
