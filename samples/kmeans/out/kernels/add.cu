// add: add over s32[].
//
//   in   sum   s32[]
//   out  add   s32[]
//
//   add = add(sum, 1)
//
// 1 block of 1 threads. Reads 4 B, writes 4 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace kmeans_kernels {
namespace {

constexpr int kThreads = 1;

__global__ void __launch_bounds__(kThreads)
add(const int* sum, int* add_out) {
  add_out[0] = sum[0] + 1;
}

}  // namespace

cudaError_t
launch_add(const int* sum, int* add_out, cudaStream_t stream) {
  return launch(add, {.grid = 1, .block = kThreads}, stream, sum, add_out);
}

}  // namespace kmeans_kernels
