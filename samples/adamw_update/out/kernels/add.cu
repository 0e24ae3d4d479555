// add: add over s32[].
//
//   in   state_step   s32[]
//   out  add_32       s32[]
//
//   add_32 = add(state_step, 1)
//
// 1 block of 1 threads. Reads 4 B, writes 4 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace adamw_update_kernels {
namespace {

constexpr int kThreads = 1;

__global__ void __launch_bounds__(kThreads)
add(const int* state_step, int* add_32) {
  add_32[0] = state_step[0] + 1;
}

}  // namespace

cudaError_t
launch_add(const int* state_step, int* add_32, cudaStream_t stream) {
  return launch(add, {.grid = 1, .block = kThreads}, stream, state_step, add_32);
}

}  // namespace adamw_update_kernels
