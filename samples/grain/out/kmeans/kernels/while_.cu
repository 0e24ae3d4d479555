// while_: reduce, compare, and over pred[].
//
//   in   sum         s32[]
//   in   while_in    s32[400]
//   in   result      s32[400]
//   out  while_out   pred[]
//
//   while_1   = reduce(while_in != result, false), dimensions={0}, to_apply=or
//   while_out = sum < 50 and while_1
//
// One block of 256 threads. Reads 3.2 kB, writes 1 B.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace kmeans_kernels::while_ {
namespace {

constexpr int kRows = 1;
constexpr int kColumns = 400;
constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
while_(const int* __restrict__ sum,
       const int* __restrict__ while_in,
       const int* __restrict__ result,
       bool* __restrict__ while_out) {
  // while_1
  bool while_1 = false;
  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    while_1 = while_1 || while_in[column] != result[column];
  }
  while_1 = block_reduce<kThreads>(while_1, Or());

  if (threadIdx.x == 0) while_out[0] = sum[0] < 50 && while_1;
}

}  // namespace

cudaError_t
enqueue(const int* sum, const int* while_in, const int* result, bool* while_out,
        cudaStream_t stream) {
  return launch(while_, {.grid = kRows, .block = kThreads}, stream,
                sum, while_in, result, while_out);
}

}  // namespace kmeans_kernels::while_
