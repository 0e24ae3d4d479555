// after: 15 steps of 1024 independent elements; one element a thread, its state in registers.
//
//   in   decay_in      f32[8,512,4]
//   in   value_in      f32[8,512,4]
//   out  sum_2_out     f32[8,32,4]
//   out  product_out   f32[8,32,4]
//
//   part    = reshape(value_in, [8,32,16,4])
//   decay_1 = reshape(decay_in, [8,32,16,4])
//   loop t in [0, 15), carrying value, decay:
//     part_1     = dynamic-slice(decay_1, 0, 0, t + 1, 0)
//     next_value = part_1 * value + dynamic-slice(part, 0, 0, t + 1, 0)
//     next_decay = decay * part_1
//
// 32 blocks of 32 threads. Reads 131 kB, writes 8.2 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace recurrence_kernels::after {
namespace {

constexpr int kRows = 256;
constexpr int kColumns = 4;
constexpr int kElements = kRows * kColumns;  // 1024
constexpr int kSteps = 15;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
after(const float* __restrict__ decay_in,
      const float* __restrict__ value_in,
      float* __restrict__ sum_2_out,
      float* __restrict__ product_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int index_1 = row * 64 + column;
  float value = value_in[index_1];
  float decay = decay_in[index_1];

#pragma unroll 5
  for (int t = 0; t < kSteps; ++t) {
    const int index_2 = row * 64 + t * kColumns + column;
    const float decay_value = decay_in[index_2 + 4];
    decay *= decay_value;
    value = fmaf(decay_value, value, value_in[index_2 + 4]);
  }

  sum_2_out[element] = value;
  product_out[element] = decay;
}

}  // namespace

cudaError_t
enqueue(const float* decay_in, const float* value_in, float* sum_2_out, float* product_out,
        cudaStream_t stream) {
  return launch(after, {.grid = kElements / kThreads, .block = kThreads}, stream,
                decay_in, value_in, sum_2_out, product_out);
}

}  // namespace recurrence_kernels::after
