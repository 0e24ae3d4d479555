// goes_on: reduce, compare, and over pred[].
//
//   in   steps         s32[]
//   in   filled        s32[400]
//   in   assignment    s32[400]
//   out  goes_on_out   pred[]
//
//   any         = reduce(filled != assignment, false), dimensions={0}, to_apply=or
//   goes_on_out = steps < 50 and any
//
// One block of 256 threads. Reads 3.2 kB, writes 1 B.

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
goes_on(const int* __restrict__ steps,
        const int* __restrict__ filled,
        const int* __restrict__ assignment,
        bool* __restrict__ goes_on_out) {
  // any
  bool any = false;
  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    any = any || filled[column] != assignment[column];
  }
  any = block_reduce<kThreads>(any, Or());

  if (threadIdx.x == 0) goes_on_out[0] = steps[0] < 50 && any;
}

}  // namespace

cudaError_t
enqueue(const int* steps, const int* filled, const int* assignment, bool* goes_on_out,
        cudaStream_t stream) {
  return launch(goes_on, {.grid = kRows, .block = kThreads}, stream,
                steps, filled, assignment, goes_on_out);
}

}  // namespace kmeans_kernels::goes_on
