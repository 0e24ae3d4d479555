// epoch_2: gather, add, compare, select over f32[4,32,6].
//
//   in   sort          s32[128]
//   in   reshape_in    f32[128,6]
//   out  reshape_out   f32[4,32,6]
//
//   select      = select(sort < 0, sort + 128, sort)
//   start       = clamp(0, select, 127)
//   reshape_out = reshape(gather(reshape_in, start), [4,32,6])
//
// 24 blocks of 32 threads. Reads 3.6 kB, writes 3.1 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace ppo_update_kernels::epoch_2 {
namespace {

constexpr int kElements = 768;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
epoch_2(const int* __restrict__ sort,
        const float* __restrict__ reshape_in,
        float* __restrict__ reshape_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 6;
  const int column = element % 6;

  const int sort_value = sort[row];
  const int select = sort_value < 0 ? sort_value + 128 : sort_value;
  const int start = minimum(maximum(select, 0), 127);

  reshape_out[element] = reshape_in[start * 6 + column];
}

}  // namespace

cudaError_t
enqueue(const int* sort, const float* reshape_in, float* reshape_out, cudaStream_t stream) {
  return launch(epoch_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                sort, reshape_in, reshape_out);
}

}  // namespace ppo_update_kernels::epoch_2
