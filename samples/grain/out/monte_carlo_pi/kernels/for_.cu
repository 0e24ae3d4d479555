// for_: reduce, multiply, divide, convert over f32[].
//
//   in   sum        s32[1000]
//   out  estimate   f32[]
//
//   for_1    = reduce(sum, 0), dimensions={0}, to_apply=add
//   estimate = 4 * f32(for_1) / 5000
//
// One block of 256 threads. Reads 4.0 kB, writes 4 B.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/divisor.cuh"
#include "device/launch.cuh"

namespace monte_carlo_pi_kernels::for_ {
namespace {

constexpr int kRows = 1;
constexpr int kColumns = 1000;
constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
for_(const int* __restrict__ sum, float* __restrict__ estimate) {
  // for_1
  int for_1 = 0;
  for (int column = threadIdx.x; column < kColumns; column += kThreads) for_1 += sum[column];
  for_1 = block_reduce<kThreads>(for_1, Add());

  if (threadIdx.x == 0) estimate[0] = 4.0f * float(for_1) / UncheckedDivisor(5000.0f);
}

}  // namespace

cudaError_t
enqueue(const int* sum, float* estimate, cudaStream_t stream) {
  return launch(for_, {.grid = kRows, .block = kThreads}, stream, sum, estimate);
}

}  // namespace monte_carlo_pi_kernels::for_
