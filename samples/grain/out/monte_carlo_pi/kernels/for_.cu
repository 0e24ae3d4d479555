// for_: reduce, multiply, divide, convert over f32[].
//
//   in   hits       s32[1000]
//   out  estimate   f32[]
//
//   for_     = reduce(hits, 0), dimensions={0}, to_apply=add
//   estimate = 4 * f32(for_) / 5000
//
// One block of 256 threads. Reads 4.0 kB, writes 4 B.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/divisor.cuh"
#include "device/launch.cuh"
#include "device/vector_access.cuh"

namespace monte_carlo_pi_kernels::for_ {
namespace {

constexpr int kRows = 1;
constexpr int kColumns = 1000;
constexpr int kThreads = 256;
constexpr int kWidth = 4;  // neighbours, in one access

static_assert(kColumns % kWidth == 0, "a row is made of whole groups of neighbours");

__global__ void __launch_bounds__(kThreads)
for_(const int* __restrict__ hits, float* __restrict__ estimate) {
  // for_
  int for_ = 0;
  for (int first_column = threadIdx.x * kWidth;
       first_column < kColumns;
       first_column += kThreads * kWidth) {
    const Vector<int, kWidth> hits_vector = load_vector<kWidth>(hits + first_column);
#pragma unroll
    for (int i = 0; i < kWidth; ++i) for_ += hits_vector[i];
  }
  for_ = block_reduce<kThreads>(for_, Add());

  if (threadIdx.x == 0) estimate[0] = 4.0f * float(for_) / UncheckedDivisor(5000.0f);
}

}  // namespace

cudaError_t
enqueue(const int* hits, float* estimate, cudaStream_t stream) {
  return launch(for_, {.grid = kRows, .block = kThreads}, stream, hits, estimate);
}

}  // namespace monte_carlo_pi_kernels::for_
