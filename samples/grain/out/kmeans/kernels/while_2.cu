// while_2: reduce, add, compare, and over s32[].
//
//   in   sum_in     s32[]
//   in   result     s32[400]
//   in   result_1   s32[400]
//   out  sum_out    s32[]
//   out  while_     pred[]
//
//   sum_out = sum_in + 1
//   while_1 = reduce(result_1 != result, false), dimensions={0}, to_apply=or
//   while_  = sum_out < 50 and while_1
//
// One block of 256 threads. Reads 3.2 kB, writes 5 B.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/wrapping.cuh"

namespace kmeans_kernels::while_2 {
namespace {

constexpr int kRows = 1;
constexpr int kColumns = 400;
constexpr int kThreads = 256;

// Not __restrict__: sum_in and sum_out may be one array.
__global__ void __launch_bounds__(kThreads)
while_2(const int* sum_in,
        const int* __restrict__ result,
        const int* __restrict__ result_1,
        int* sum_out,
        bool* __restrict__ while_) {
  const int sum_value = sum_in[0];

  // while_1
  bool while_1 = false;
  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    while_1 = while_1 || result_1[column] != result[column];
  }
  while_1 = block_reduce<kThreads>(while_1, Or());
  const int sum_next = wrapping_add(sum_value, 1);

  if (threadIdx.x == 0) {
    sum_out[0] = sum_next;
    while_[0] = sum_next < 50 && while_1;
  }
}

}  // namespace

cudaError_t
enqueue(const int* sum_in, const int* result, const int* result_1, int* sum_out, bool* while_,
        cudaStream_t stream) {
  return launch(while_2, {.grid = kRows, .block = kThreads}, stream,
                sum_in, result, result_1, sum_out, while_);
}

}  // namespace kmeans_kernels::while_2
