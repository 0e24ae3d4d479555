// dot_3: dot, gather over f32[500].
//
//   in   senders     s32[500]
//   in   receivers   s32[500]
//   in   scores      f32[2,2,16]
//   in   dot_2       f32[60,16]
//   out  dot_6_out   f32[500]
//   out  dot_7_out   f32[500]
//
//   wrapped_senders   = select(senders < 0, senders + 60, senders)
//   wrapped_receivers = select(receivers < 0, receivers + 60, receivers)
//   start_1           = clamp(0, wrapped_senders, 59)
//   dot_6_out         = dot(gather(dot_2, start_1), scores[1,0,:])
//   start_2           = clamp(0, wrapped_receivers, 59)
//   dot_7_out         = dot(gather(dot_2, start_2), scores[1,1,:])
//
// 16 blocks of 32 threads. Reads 8.0 kB, writes 4.0 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace graph_attention_kernels::dot_3 {
namespace {

constexpr int kElements = 500;
constexpr int kTerms = 16;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
dot_3(const int* __restrict__ senders,
      const int* __restrict__ receivers,
      const float* __restrict__ scores,
      const float* __restrict__ dot_2,
      float* __restrict__ dot_6_out,
      float* __restrict__ dot_7_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const int senders_value = senders[element];
  const int wrapped_senders = senders_value < 0 ? senders_value + 60 : senders_value;
  const int start_1 = minimum(maximum(wrapped_senders, 0), 59);
  float dot_6 = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    dot_6 = fmaf(dot_2[start_1 * kTerms + k], scores[k + 2 * kTerms], dot_6);
  }
  const int receivers_value = receivers[element];
  const int wrapped_receivers = receivers_value < 0 ? receivers_value + 60 : receivers_value;
  const int start_2 = minimum(maximum(wrapped_receivers, 0), 59);
  float dot_7 = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    dot_7 = fmaf(dot_2[start_2 * kTerms + k], scores[k + 3 * kTerms], dot_7);
  }

  dot_6_out[element] = dot_6;
  dot_7_out[element] = dot_7;
}

}  // namespace

cudaError_t
enqueue(const int* senders, const int* receivers, const float* scores, const float* dot_2,
        float* dot_6_out, float* dot_7_out, cudaStream_t stream) {
  return launch(dot_3, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                senders, receivers, scores, dot_2, dot_6_out, dot_7_out);
}

}  // namespace graph_attention_kernels::dot_3
