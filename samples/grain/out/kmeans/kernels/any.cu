// any: reduce, add, compare, and over s32[].
//
//   in   steps_in    s32[]
//   in   cluster     s32[400]
//   in   cluster_1   s32[400]
//   out  steps_out   s32[]
//   out  more        pred[]
//
//   steps_out = steps_in + 1
//   any       = reduce(cluster_1 != cluster, false), dimensions={0}, to_apply=or
//   more      = steps_out < 50 and any
//
// One block of 256 threads. Reads 3.2 kB, writes 5 B.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/wrapping.cuh"

namespace kmeans_kernels::any {
namespace {

constexpr int kRows = 1;
constexpr int kColumns = 400;
constexpr int kThreads = 256;

// Not __restrict__: steps_in and steps_out may be one array.
__global__ void __launch_bounds__(kThreads)
any(const int* steps_in,
    const int* __restrict__ cluster,
    const int* __restrict__ cluster_1,
    int* steps_out,
    bool* __restrict__ more) {
  const int steps_value = steps_in[0];

  // any
  bool any = false;
  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    any |= cluster_1[column] != cluster[column];
  }
  any = block_reduce<kThreads>(any, Or());
  const int steps_next = wrapping_add(steps_value, 1);

  if (threadIdx.x == 0) {
    steps_out[0] = steps_next;
    more[0] = steps_next < 50 && any;
  }
}

}  // namespace

cudaError_t
enqueue(const int* steps_in, const int* cluster, const int* cluster_1, int* steps_out, bool* more,
        cudaStream_t stream) {
  return launch(any, {.grid = kRows, .block = kThreads}, stream,
                steps_in, cluster, cluster_1, steps_out, more);
}

}  // namespace kmeans_kernels::any
