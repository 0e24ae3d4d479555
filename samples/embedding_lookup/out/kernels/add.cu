// add: gather, add, multiply, compare, select, ... over f32[4,24,32].
//
//   in   table       f32[200,32]
//   in   positions   f32[48,32]
//   in   segments    f32[2,32]
//   in   tokens      s32[4,24]
//   in   segment     s32[4,24]
//   out  add_out     f32[4,24,32]
//
//   select_1         = select(tokens < 0, tokens + 200, tokens)
//   start_1          = clamp(0, select_1, 199)
//   add_1            = gather(table, start_1) * 5.656854 + positions[0:24,:]
//   select_2         = select(segment < 0, segment + 2, segment)
//   broadcast_in_dim = broadcast(select_2 >= 0 and select_2 <= 1)
//   start_2          = clamp(0, select_2, 1)
//   select_3         = select(broadcast_in_dim, gather(segments, start_2), nan)
//   add_out          = add_1 + select_3
//
// 96 blocks of 32 threads. Reads 16.4 kB, writes 12.3 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace embedding_lookup_kernels {
namespace {

constexpr int kElements = 3072;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
add(const float* __restrict__ table,
    const float* __restrict__ positions,
    const float* __restrict__ segments,
    const int* __restrict__ tokens,
    const int* __restrict__ segment,
    float* __restrict__ add_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / 768;
  const int j = element / 32 % 24;
  const int k = element % 32;

  const int index = i * 24 + j;
  const int tokens_value = tokens[index];
  const int select_1 = tokens_value < 0 ? tokens_value + 200 : tokens_value;
  const int start_1 = minimum(maximum(select_1, 0), 199);
  const float add_1 = fmaf(table[start_1 * 32 + k], 5.656854f, positions[j * 32 + k]);
  const int segment_value = segment[index];
  const int select_2 = segment_value < 0 ? segment_value + 2 : segment_value;
  const int start_2 = minimum(maximum(select_2, 0), 1);
  const float select_3 = select_2 >= 0 && select_2 <= 1 ? segments[start_2 * 32 + k] : NAN;

  add_out[element] = add_1 + select_3;
}

}  // namespace

cudaError_t
launch_add(const float* table,
           const float* positions,
           const float* segments,
           const int* tokens,
           const int* segment,
           float* add_out,
           cudaStream_t stream) {
  return launch(add, {.grid = kElements / kThreads, .block = kThreads}, stream,
                table, positions, segments, tokens, segment, add_out);
}

}  // namespace embedding_lookup_kernels
