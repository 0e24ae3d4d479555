// goes_on_kernel: reduce, add, compare, and over s32[].
//
//   in   steps_in       s32[]
//   in   assignment     s32[400]
//   in   assignment_1   s32[400]
//   out  steps_out      s32[]
//   out  more           pred[]
//
//   steps_out = steps_in + 1
//   any       = reduce(assignment_1 != assignment, false), dimensions={0}, to_apply=or
//   more      = steps_out < 50 and any
//
// One block of 256 threads. Reads 3.2 kB, writes 5 B.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/wrapping.cuh"

namespace kmeans_kernels::goes_on_kernel {
namespace {

constexpr int kRows = 1;
constexpr int kColumns = 400;
constexpr int kThreads = 256;

// Not __restrict__: steps_in and steps_out may be one array.
__global__ void __launch_bounds__(kThreads)
goes_on_kernel(const int* steps_in,
               const int* __restrict__ assignment,
               const int* __restrict__ assignment_1,
               int* steps_out,
               bool* __restrict__ more) {
  const int steps_value = steps_in[0];
  const int steps_next = wrapping_add(steps_value, 1);

  // any
  bool any = false;
  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    any |= assignment_1[column] != assignment[column];
  }
  any = block_reduce<kThreads>(any, Or());

  if (threadIdx.x == 0) {
    steps_out[0] = steps_next;
    more[0] = steps_next < 50 && any;
  }
}

}  // namespace

cudaError_t
enqueue(const int* steps_in, const int* assignment, const int* assignment_1, int* steps_out,
        bool* more, cudaStream_t stream) {
  return launch(goes_on_kernel, {.grid = kRows, .block = kThreads}, stream,
                steps_in, assignment, assignment_1, steps_out, more);
}

}  // namespace kmeans_kernels::goes_on_kernel
