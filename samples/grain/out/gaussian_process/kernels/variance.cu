// variance: dot, exponential, multiply, subtract over f32[16].
//
//   in   k_2            f32[16,48]
//   in   full           f32[48,17]
//   out  centre_out     f32[16]
//   out  variance_out   f32[16]
//
//   k            = exponential(-0.5 * k_2)
//   centre_out   = dot(k, full[:,16])
//   variance     = dot(k, full[:,0:16]), einsum=ab,ba->a
//   variance_out = 1 - variance
//
// One block of 32 threads. Reads 6.3 kB, writes 128 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/vector_access.cuh"

namespace cholesky_solve_kernels::variance {
namespace {

constexpr int kElements = 16;
constexpr int kTerms = 48;
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
  for (int first_k = 0; first_k < kTerms; first_k += 4) {
    const Vector<float, 4> k_2_values_1 = load_vector<4>(k_2 + (element * kTerms + first_k));
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int k_1 = first_k + i;
      centre = fmaf(expf(-0.5f * k_2_values_1[i]), full[k_1 * 17 + 16], centre);
    }
  }
  float variance = 0.0f;
  for (int first_k = 0; first_k < kTerms; first_k += 4) {
    const Vector<float, 4> k_2_values_2 = load_vector<4>(k_2 + (element * kTerms + first_k));
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int k_3 = first_k + i;
      variance = fmaf(expf(-0.5f * k_2_values_2[i]), full[k_3 * 17 + element], variance);
    }
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
