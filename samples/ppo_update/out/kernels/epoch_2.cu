// epoch_2: gather over f32[4,32,6].
//
//   in   sorted           s32[128]
//   in   observations_2   f32[128,6]
//   out  rows             f32[4,32,6]
//
//   rows = reshape(gather(observations_2, sorted), [4,32,6])
//
// 24 blocks of 32 threads. Reads 3.6 kB, writes 3.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::epoch_2 {
namespace {

constexpr int kRows = 128;
constexpr int kColumns = 6;
constexpr int kElements = kRows * kColumns;  // 768
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
epoch_2(const int* __restrict__ sorted,
        const float* __restrict__ observations_2,
        float* __restrict__ rows) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int sorted_value = sorted[row];

  rows[element] = observations_2[sorted_value * kColumns + column];
}

}  // namespace

cudaError_t
enqueue(const int* sorted, const float* observations_2, float* rows, cudaStream_t stream) {
  return launch(epoch_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                sorted, observations_2, rows);
}

}  // namespace ppo_update_kernels::epoch_2
