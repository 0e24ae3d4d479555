// dot: dot, gather over f32[500].
//
//   in   senders            s32[500]
//   in   receivers          s32[500]
//   in   scores             f32[2,2,16]
//   in   features_weights   f32[60,16]
//   out  dot_4_out          f32[500]
//   out  dot_5_out          f32[500]
//
//   wrapped_senders   = select(senders < 0, senders + 60, senders)
//   start_1           = clamp(0, wrapped_senders, 59)
//   dot_4_out         = dot(gather(features_weights, start_1), scores[0,0,:])
//   wrapped_receivers = select(receivers < 0, receivers + 60, receivers)
//   start_2           = clamp(0, wrapped_receivers, 59)
//   dot_5_out         = dot(gather(features_weights, start_2), scores[0,1,:])
//
// 16 blocks of 32 threads. Reads 8.0 kB, writes 4.0 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace graph_attention_kernels::dot {
namespace {

constexpr int kElements = 500;
constexpr int kTerms = 16;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
dot(const int* __restrict__ senders,
    const int* __restrict__ receivers,
    const float* __restrict__ scores,
    const float* __restrict__ features_weights,
    float* __restrict__ dot_4_out,
    float* __restrict__ dot_5_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const int senders_value = senders[element];
  const int wrapped_senders = senders_value < 0 ? senders_value + 60 : senders_value;
  const int start_1 = minimum(maximum(wrapped_senders, 0), 59);
  float dot_4 = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    dot_4 = fmaf(features_weights[start_1 * kTerms + k], scores[k], dot_4);
  }
  const int receivers_value = receivers[element];
  const int wrapped_receivers = receivers_value < 0 ? receivers_value + 60 : receivers_value;
  const int start_2 = minimum(maximum(wrapped_receivers, 0), 59);
  float dot_5 = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    dot_5 = fmaf(features_weights[start_2 * kTerms + k], scores[k + kTerms], dot_5);
  }

  dot_4_out[element] = dot_4;
  dot_5_out[element] = dot_5;
}

}  // namespace

cudaError_t
enqueue(const int* senders, const int* receivers, const float* scores,
        const float* features_weights, float* dot_4_out, float* dot_5_out, cudaStream_t stream) {
  return launch(dot, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                senders, receivers, scores, features_weights, dot_4_out, dot_5_out);
}

}  // namespace graph_attention_kernels::dot
