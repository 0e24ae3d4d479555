// strength: reduce, logistic over f32[300].
//
//   in   logits         f32[300,5]
//   out  strength_out   f32[300]
//
//   strength_out = reduce(logistic(logits), -inf), dimensions={1}, to_apply=maximum
//
// 10 blocks of 32 threads. Reads 6.0 kB, writes 1.2 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/logistic.cuh"
#include "device/maximum.cuh"

namespace detections_kernels::strength {
namespace {

constexpr int kElements = 300;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
strength(const float* __restrict__ logits, float* __restrict__ strength_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  float strength = -INFINITY;
  for (int k = 0; k < 5; ++k) strength = maximum(strength, logistic(logits[element * 5 + k]));

  strength_out[element] = strength;
}

}  // namespace

cudaError_t
enqueue(const float* logits, float* strength_out, cudaStream_t stream) {
  return launch(strength,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, logits, strength_out);
}

}  // namespace detections_kernels::strength
