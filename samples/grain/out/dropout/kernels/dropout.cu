// dropout: threefry2x32, multiply, add, xor, shift-right-logical, ... over f32[64,96].
//
//   in   x      f32[64,96]
//   in   seed   u32[2]
//   out  y      f32[64,96]
//
//   random_words = threefry2x32(seed[0], seed[1], 0, u32(iota({0}) * 96 + iota({1})))
//   keep         = shift-right-logical(xor(random_words.first, random_words.second), 9)
//   keep_1       = or(keep, 1065353216)
//   keep_2       = maximum(0, bitcast-convert(keep_1) - 1 + 0) < 0.9
//   y            = select(keep_2, x / 0.9, 0)
//
// 48 blocks of 32 threads. Reads 24.6 kB, writes 24.6 kB.

#include "kernels.h"

#include "device/bit_cast.cuh"
#include "device/divisor.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/threefry2x32.cuh"
#include "device/vector_access.cuh"

namespace dropout_kernels::dropout {
namespace {

constexpr int kElements = 6144;
constexpr int kThreads = 32;
constexpr int kWidth = 4;  // elements a thread

static_assert(kElements % (kThreads * kWidth) == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
dropout(const float* __restrict__ x, const uint32_t* __restrict__ seed, float* __restrict__ y) {
  const int element = (blockIdx.x * kThreads + threadIdx.x) * kWidth;

  const uint32_t seed_value_1 = seed[0];
  const uint32_t seed_value_2 = seed[1];
  const Vector<float, kWidth> x_values = load_vector<kWidth>(x + element);
  Vector<float, kWidth> y_values;
#pragma unroll
  for (int k = 0; k < kWidth; ++k) {
    const Threefry2x32 random_words =
        threefry2x32(seed_value_1, seed_value_2, 0u, uint32_t(k + element));
    const uint32_t keep_1 = ((random_words.first ^ random_words.second) >> 9) | 0x3f800000u;
    const bool keep_2 = maximum(0.0f, bit_cast<float>(keep_1) - 1.0f + 0.0f) < 0.9f;
    y_values[k] = keep_2 ? x_values[k] / Divisor(0.9f) : 0.0f;
  }
  store_vector(y + element, y_values);
}

}  // namespace

cudaError_t
enqueue(const float* x, const uint32_t* seed, float* y, cudaStream_t stream) {
  return launch(dropout, {.grid = kElements / (kThreads * kWidth), .block = kThreads}, stream,
                x, seed, y);
}

}  // namespace dropout_kernels::dropout
