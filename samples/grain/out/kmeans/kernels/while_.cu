// while_: reduce, add, compare, and over s32[].
//
//   in   sum_in     s32[]
//   in   result     s32[400]
//   in   result_1   s32[400]
//   out  sum_out    s32[]
//   out  more       pred[]
//
//   sum_out = sum_in + 1
//   while_  = reduce(result_1 != result, false), dimensions={0}, to_apply=or
//   more    = sum_out < 50 and while_
//
// One block of 256 threads. Reads 3.2 kB, writes 5 B.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/wrapping.cuh"

namespace kmeans_kernels::while_ {
namespace {

constexpr int kRows = 1;
constexpr int kColumns = 400;
constexpr int kThreads = 256;

// Not __restrict__: sum_in and sum_out may be one array.
__global__ void __launch_bounds__(kThreads)
while_(const int* sum_in,
       const int* __restrict__ result,
       const int* __restrict__ result_1,
       int* sum_out,
       bool* __restrict__ more) {
  const int sum_value = sum_in[0];

  // while_
  bool while_ = false;
  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    while_ |= result_1[column] != result[column];
  }
  while_ = block_reduce<kThreads>(while_, Or());
  const int sum_next = wrapping_add(sum_value, 1);

  if (threadIdx.x == 0) {
    sum_out[0] = sum_next;
    more[0] = sum_next < 50 && while_;
  }
}

}  // namespace

cudaError_t
enqueue(const int* sum_in, const int* result, const int* result_1, int* sum_out, bool* more,
        cudaStream_t stream) {
  return launch(while_, {.grid = kRows, .block = kThreads}, stream,
                sum_in, result, result_1, sum_out, more);
}

}  // namespace kmeans_kernels::while_
