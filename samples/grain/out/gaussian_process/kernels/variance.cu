// variance: dot, exponential, multiply, subtract over f32[16].
//
//   in   k_2            f32[16,48]
//   in   full           f32[48,17]
//   out  centre_out     f32[16]
//   out  variance_out   f32[16]
//
//   k_1          = exponential(-0.5 * k_2)
//   centre_out   = dot(k_1, full[:,16])
//   variance     = dot(k_1, full[:,0:16]), einsum=ab,ba->a
//   variance_out = 1 - variance
//
// One block of 32 threads. Reads 6.3 kB, writes 128 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace cholesky_solve_kernels::variance {
namespace {

constexpr int kElements = 16;
constexpr int kThreads = 32;

static_assert(kElements <= kThreads, "the one block has all elements");

__global__ void __launch_bounds__(kThreads)
variance(const float* __restrict__ k_2,
         const float* __restrict__ full,
         float* __restrict__ centre_out,
         float* __restrict__ variance_out) {
  const int element = threadIdx.x;
  if (element >= kElements) return;

  float centre = 0.0f;
  float variance = 0.0f;
  for (int k = 0; k < 48; ++k) {
    const float factor = expf(-0.5f * k_2[element * 48 + k]);
    centre = fmaf(factor, full[k * 17 + 16], centre);
    variance = fmaf(factor, full[k * 17 + element], variance);
  }

  centre_out[element] = centre;
  variance_out[element] = 1.0f - variance;
}

}  // namespace

cudaError_t
enqueue(const float* k_2, const float* full, float* centre_out, float* variance_out,
        cudaStream_t stream) {
  return launch(variance, {.grid = 1, .block = kThreads}, stream,
                k_2, full, centre_out, variance_out);
}

}  // namespace cholesky_solve_kernels::variance
