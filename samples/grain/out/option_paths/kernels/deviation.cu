// deviation: reduce, sqrt, divide, multiply, subtract over f32[].
//
//   in   payoff          f32[256]
//   out  price           f32[]
//   out  deviation_out   f32[]
//
//   centre_1      = reduce(payoff, 0), dimensions={0}, to_apply=add
//   centre_2      = centre_1 / 256
//   price         = centre_2 * 0.9704455
//   deviation_2   = payoff - centre_2
//   deviation_1   = reduce(deviation_2 * deviation_2, 0), dimensions={0}, to_apply=add
//   deviation_out = sqrt(deviation_1 / 256)
//
// One block of 256 threads; the row stays in registers. Reads 1.0 kB, writes 8 B.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace option_paths_kernels::deviation {
namespace {

constexpr int kRows = 1;
constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
deviation(const float* __restrict__ payoff,
          float* __restrict__ price,
          float* __restrict__ deviation_out) {
  const int column = threadIdx.x;

  // centre_1
  float centre_1 = 0.0f;
  const float payoff_value = payoff[column];
  centre_1 += payoff_value;
  centre_1 = block_reduce<kThreads>(centre_1, Add());
  const float centre_2 = centre_1 / 256.0f;

  // deviation_1
  float deviation_1 = 0.0f;
  const float deviation_2 = payoff_value - centre_2;
  deviation_1 += deviation_2 * deviation_2;
  deviation_1 = block_reduce<kThreads>(deviation_1, Add());

  if (column == 0) {
    price[0] = centre_2 * 0.9704455f;
    deviation_out[0] = sqrtf(deviation_1 / 256.0f);
  }
}

}  // namespace

cudaError_t
enqueue(const float* payoff, float* price, float* deviation_out, cudaStream_t stream) {
  return launch(deviation, {.grid = kRows, .block = kThreads}, stream,
                payoff, price, deviation_out);
}

}  // namespace option_paths_kernels::deviation
