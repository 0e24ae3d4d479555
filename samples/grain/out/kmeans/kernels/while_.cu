// while_: reduce, compare over pred[].
//
//   in   j           s32[400]
//   out  while_out   pred[]
//
//   while_out = reduce(-1 != j, false), dimensions={0}, to_apply=or
//
// One block of 256 threads. Reads 1.6 kB, writes 1 B.

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
while_(const int* __restrict__ j, bool* __restrict__ while_out) {
  // while_
  bool while_ = false;
  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    while_ = while_ || -1 != j[column];
  }
  while_ = block_reduce<kThreads>(while_, Or());

  if (threadIdx.x == 0) while_out[0] = while_;
}

}  // namespace

cudaError_t
enqueue(const int* j, bool* while_out, cudaStream_t stream) {
  return launch(while_, {.grid = kRows, .block = kThreads}, stream, j, while_out);
}

}  // namespace kmeans_kernels::while_
