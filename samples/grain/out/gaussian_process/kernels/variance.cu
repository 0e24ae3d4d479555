// variance: dot, exponential, multiply, subtract over f32[16].
//
//   in   k              f32[16,48]
//   in   full           f32[48,17]
//   out  centre_out     f32[16]
//   out  variance_out   f32[16]
//
//   k_2          = exponential(-0.5 * k)
//   centre_out   = dot(k_2, full[:,16])
//   variance_1   = dot(k_2, full[:,0:16]), einsum=ab,ba->a
//   variance_out = 1 - variance_1
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
variance(const float* __restrict__ k,
         const float* __restrict__ full,
         float* __restrict__ centre_out,
         float* __restrict__ variance_out) {
  const int element = threadIdx.x;
  if (element >= kElements) return;

  float centre = 0.0f;
  float variance_1 = 0.0f;
  for (int k_1 = 0; k_1 < 48; ++k_1) {
    const float k_value = k[element * 48 + k_1];
    centre = fmaf(expf(-0.5f * k_value), full[k_1 * 17 + 16], centre);
    variance_1 = fmaf(expf(-0.5f * k_value), full[k_1 * 17 + element], variance_1);
  }

  centre_out[element] = centre;
  variance_out[element] = 1.0f - variance_1;
}

}  // namespace

cudaError_t
enqueue(const float* k, const float* full, float* centre_out, float* variance_out,
        cudaStream_t stream) {
  return launch(variance, {.grid = 1, .block = kThreads}, stream,
                k, full, centre_out, variance_out);
}

}  // namespace cholesky_solve_kernels::variance
