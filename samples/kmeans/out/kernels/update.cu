// update: add over s32[].
//
//   in   steps_in    s32[]
//   out  steps_out   s32[]
//
//   steps_out = steps_in + 1
//
// One thread. Reads 4 B, writes 4 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace kmeans_kernels::update {
namespace {

constexpr int kThreads = 1;

__global__ void __launch_bounds__(kThreads)
update(const int* steps_in, int* steps_out) {
  steps_out[0] = steps_in[0] + 1;
}

}  // namespace

cudaError_t
enqueue(const int* steps_in, int* steps_out, cudaStream_t stream) {
  return launch(update, {.grid = 1, .block = kThreads}, stream, steps_in, steps_out);
}

}  // namespace kmeans_kernels::update
