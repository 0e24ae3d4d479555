// add: add over s32[].
//
//   in   state_step_in    s32[]
//   out  state_step_out   s32[]
//
//   state_step_out = state_step_in + 1
//
// One thread. Reads 4 B, writes 4 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace adamw_update_kernels {
namespace {

constexpr int kThreads = 1;

__global__ void __launch_bounds__(kThreads)
add(const int* state_step_in, int* state_step_out) {
  state_step_out[0] = state_step_in[0] + 1;
}

}  // namespace

cudaError_t
launch_add(const int* state_step_in, int* state_step_out, cudaStream_t stream) {
  return launch(add, {.grid = 1, .block = kThreads}, stream, state_step_in, state_step_out);
}

}  // namespace adamw_update_kernels
