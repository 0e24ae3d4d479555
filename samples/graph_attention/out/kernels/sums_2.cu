// sums_2: scatter, gather, exponential-minus-one, multiply, compare, ... over f32[60,16].
//
//   in   senders     s32[500]
//   in   receivers   s32[500]
//   in   ratio_2     f32[500]
//   in   dot_2       f32[60,16]
//   out  features    f32[60,16]
//
//   wrapped_senders = select(senders < 0, senders + 60, senders)
//   start           = clamp(0, wrapped_senders, 59)
//   sums            = scatter(0, receivers, broadcast(ratio_2) * gather(dot_2, start)),
//                     to_apply=add
//   features        = select(sums > 0, sums, exponential-minus-one(sums))
//
// 30 blocks of 32 threads. Reads 9.8 kB, writes 3.8 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace graph_attention_kernels::sums_2 {
namespace {

constexpr int kRows = 60;
constexpr int kColumns = 16;
constexpr int kElements = kRows * kColumns;  // 960
constexpr int kTerms = 500;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
sums_2(const int* __restrict__ senders,
       const int* __restrict__ receivers,
       const float* __restrict__ ratio_2,
       const float* __restrict__ dot_2,
       float* __restrict__ features) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float sums = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    const int receivers_value = receivers[k];
    if (receivers_value == row) {
      const int senders_value = senders[k];
      const int wrapped_senders = senders_value < 0 ? senders_value + 60 : senders_value;
      const int start = minimum(maximum(wrapped_senders, 0), 59);
      sums += ratio_2[k] * dot_2[start * kColumns + column];
    }
  }

  features[element] = sums > 0.0f ? sums : expm1f(sums);
}

}  // namespace

cudaError_t
enqueue(const int* senders, const int* receivers, const float* ratio_2, const float* dot_2,
        float* features, cudaStream_t stream) {
  return launch(sums_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                senders, receivers, ratio_2, dot_2, features);
}

}  // namespace graph_attention_kernels::sums_2
