// epoch_3: gather over s32[4,32].
//
//   in   sorted                 s32[128]
//   in   taken_2                s32[128]
//   in   log_probs_2            f32[128]
//   in   sum                    f32[128]
//   in   sum_2                  f32[128]
//   out  picked                 s32[4,32]
//   out  picked_2 .. picked_4   f32[4,32]
//
//   picked   = reshape(gather(taken_2, sorted), [4,32])
//   picked_2 = reshape(gather(log_probs_2, sorted), [4,32])
//   picked_3 = reshape(gather(sum, sorted), [4,32])
//   picked_4 = reshape(gather(sum_2, sorted), [4,32])
//
// 4 blocks of 32 threads. Reads 2.6 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::epoch_3 {
namespace {

constexpr int kElements = 128;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
epoch_3(const int* __restrict__ sorted,
        const int* __restrict__ taken_2,
        const float* __restrict__ log_probs_2,
        const float* __restrict__ sum,
        const float* __restrict__ sum_2,
        int* __restrict__ picked,
        float* __restrict__ picked_2,
        float* __restrict__ picked_3,
        float* __restrict__ picked_4) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  const int sorted_value = sorted[element];

  picked[element] = taken_2[sorted_value];
  picked_2[element] = log_probs_2[sorted_value];
  picked_3[element] = sum[sorted_value];
  picked_4[element] = sum_2[sorted_value];
}

}  // namespace

cudaError_t
enqueue(const int* sorted, const int* taken_2, const float* log_probs_2, const float* sum,
        const float* sum_2, int* picked, float* picked_2, float* picked_3, float* picked_4,
        cudaStream_t stream) {
  return launch(epoch_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                sorted, taken_2, log_probs_2, sum, sum_2, picked, picked_2, picked_3, picked_4);
}

}  // namespace ppo_update_kernels::epoch_3
