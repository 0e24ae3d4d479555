// bag_2: dot, maximum, divide, compare, convert over f32[4,32].
//
//   in   tokens    s32[4,24]
//   in   x         f32[4,24,32]
//   in   bag_in    f32[4]
//   out  bag_out   f32[4,32]
//
//   bag     = dot(x, f32(tokens != 0)), einsum=abc,ab->ac
//   bag_out = bag / broadcast(maximum(bag_in, 1))
//
// 4 blocks of 32 threads. Reads 12.7 kB, writes 512 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace embedding_lookup_embedding_lookup_kernels::bag_2 {
namespace {

constexpr int kElements = 128;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
bag_2(const int* __restrict__ tokens,
      const float* __restrict__ x,
      const float* __restrict__ bag_in,
      float* __restrict__ bag_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 32;
  const int column = element % 32;

  float bag = 0.0f;
  for (int k = 0; k < 24; ++k) {
    bag = fmaf(x[row * 768 + k * 32 + column], tokens[row * 24 + k] != 0 ? 1.0f : 0.0f, bag);
  }

  bag_out[element] = bag / maximum(bag_in[row], 1.0f);
}

}  // namespace

cudaError_t
enqueue(const int* tokens, const float* x, const float* bag_in, float* bag_out,
        cudaStream_t stream) {
  return launch(bag_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                tokens, x, bag_in, bag_out);
}

}  // namespace embedding_lookup_embedding_lookup_kernels::bag_2
