// dropout: threefry2x32, multiply, add, xor, shift-right-logical, ... over f32[64,96].
//
//   in   x        f32[64,96]
//   in   key      u32[2]
//   out  masked   f32[64,96]
//
//   uniform  = threefry2x32(key[0], key[1], 0, u32(broadcast(iota()) * 96 + iota()))
//   bits     = or(shift-right-logical(xor(uniform.first, uniform.second), 9), 1065353216)
//   as_float = bitcast-convert(bits)
//   keep     = maximum(0, as_float - 1 + 0) < 0.9
//   masked   = select(keep, x / 0.9, 0)
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
dropout(const float* __restrict__ x, const uint32_t* __restrict__ key, float* __restrict__ masked) {
  const int element = (blockIdx.x * kThreads + threadIdx.x) * kWidth;

  const uint32_t key_value_1 = key[0];
  const uint32_t key_value_2 = key[1];
  const Vector<float, kWidth> x_values = load_vector<kWidth>(x + element);
  Vector<float, kWidth> masked_values;
#pragma unroll
  for (int k = 0; k < kWidth; ++k) {
    const Threefry2x32 uniform = threefry2x32(key_value_1, key_value_2, 0u, uint32_t(k + element));
    const float as_float = bit_cast<float>(((uniform.first ^ uniform.second) >> 9) | 0x3f800000u);
    const bool keep = maximum(0.0f, as_float - 1.0f + 0.0f) < 0.9f;
    masked_values[k] = keep ? x_values[k] / Divisor(0.9f) : 0.0f;
  }
  store_vector(masked + element, masked_values);
}

}  // namespace

cudaError_t
enqueue(const float* x, const uint32_t* key, float* masked, cudaStream_t stream) {
  return launch(dropout, {.grid = kElements / (kThreads * kWidth), .block = kThreads}, stream,
                x, key, masked);
}

}  // namespace dropout_kernels::dropout
