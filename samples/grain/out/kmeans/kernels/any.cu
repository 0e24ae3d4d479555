// any: reduce, add, compare, and over s32[].
//
//   in   sum_in     s32[]
//   in   result     s32[400]
//   in   result_1   s32[400]
//   out  sum_out    s32[]
//   out  more       pred[]
//
//   sum_out = sum_in + 1
//   any     = reduce(result_1 != result, false), dimensions={0}, to_apply=or
//   more    = sum_out < 50 and any
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

// Not __restrict__: sum_in and sum_out may be one array.
__global__ void __launch_bounds__(kThreads)
any(const int* sum_in,
    const int* __restrict__ result,
    const int* __restrict__ result_1,
    int* sum_out,
    bool* __restrict__ more) {
  const int sum_value = sum_in[0];

  // any
  bool any = false;
  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    any |= result_1[column] != result[column];
  }
  any = block_reduce<kThreads>(any, Or());
  const int sum_next = wrapping_add(sum_value, 1);

  if (threadIdx.x == 0) {
    sum_out[0] = sum_next;
    more[0] = sum_next < 50 && any;
  }
}

}  // namespace

cudaError_t
enqueue(const int* sum_in, const int* result, const int* result_1, int* sum_out, bool* more,
        cudaStream_t stream) {
  return launch(any, {.grid = kRows, .block = kThreads}, stream,
                sum_in, result, result_1, sum_out, more);
}

}  // namespace kmeans_kernels::any
