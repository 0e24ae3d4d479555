// goes_on: reduce, compare over pred[].
//
//   in   first_1   s32[400]
//   out  any_out   pred[]
//
//   any_out = reduce(-1 != first_1, false), dimensions={0}, to_apply=or
//
// One block of 256 threads. Reads 1.6 kB, writes 1 B.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace kmeans_kernels::goes_on {
namespace {

constexpr int kRows = 1;
constexpr int kColumns = 400;
constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
goes_on(const int* __restrict__ first_1, bool* __restrict__ any_out) {
  // any
  bool any = false;
  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    any = any || -1 != first_1[column];
  }
  any = block_reduce<kThreads>(any, Or());

  if (threadIdx.x == 0) any_out[0] = any;
}

}  // namespace

cudaError_t
enqueue(const int* first_1, bool* any_out, cudaStream_t stream) {
  return launch(goes_on, {.grid = kRows, .block = kThreads}, stream, first_1, any_out);
}

}  // namespace kmeans_kernels::goes_on
