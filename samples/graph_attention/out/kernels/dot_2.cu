// dot_2: 2 computations, in one launch that divides its blocks among them.
//
//   dot      16 blocks   dot, gather, add, compare, select over f32[500]
//   gather   63 blocks   gather, add, compare, select over f32[500,16]
//
// 79 blocks of 32 threads.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/vector_access.cuh"

namespace graph_attention_kernels {
namespace {

// dot: dot, gather, add, compare, select over f32[500].
//
//   in   senders     s32[500]
//   in   receivers   s32[500]
//   in   scores      f32[2,2,16]
//   in   dot_in      f32[60,16]
//   out  dot_out     f32[500]
//   out  dot_1_out   f32[500]
//
//   select_1  = select(senders < 0, senders + 60, senders)
//   start_1   = clamp(0, select_1, 59)
//   dot_out   = dot(gather(dot_in, start_1), scores[0,0,:])
//   select_2  = select(receivers < 0, receivers + 60, receivers)
//   start_2   = clamp(0, select_2, 59)
//   dot_1_out = dot(gather(dot_in, start_2), scores[0,1,:])
//
// 16 blocks of 32 threads. Reads 8.0 kB, writes 4.0 kB.
namespace dot {

constexpr int kElements = 500;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const Dot2Arrays::DotArrays& arrays) {
  const auto& [senders, receivers, scores, dot_in, dot_out, dot_1_out] = arrays;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const int senders_value = senders[element];
  const int select_1 = senders_value < 0 ? senders_value + 60 : senders_value;
  const int start_1 = minimum(maximum(select_1, 0), 59);
  float dot_next = 0.0f;
  for (int k = 0; k < 16; ++k) dot_next = fmaf(dot_in[start_1 * 16 + k], scores[k], dot_next);
  const int receivers_value = receivers[element];
  const int select_2 = receivers_value < 0 ? receivers_value + 60 : receivers_value;
  const int start_2 = minimum(maximum(select_2, 0), 59);
  float dot_1 = 0.0f;
  for (int k = 0; k < 16; ++k) dot_1 = fmaf(dot_in[start_2 * 16 + k], scores[k + 16], dot_1);

  dot_out[element] = dot_next;
  dot_1_out[element] = dot_1;
}

}  // namespace dot

// gather: gather, add, compare, select over f32[500,16].
//
//   in   senders      s32[500]
//   in   dot          f32[60,16]
//   out  gather_out   f32[500,16]
//
//   select     = select(senders < 0, senders + 60, senders)
//   start      = clamp(0, select, 59)
//   gather_out = gather(dot, start)
//
// 63 blocks of 32 threads. Reads 5.8 kB, writes 32.0 kB.
namespace gather {

constexpr int kElements = 8000;
constexpr int kThreads = 32;
constexpr int kWidth = 4;  // elements a thread
constexpr int kBlocks = (kElements / kWidth + kThreads - 1) / kThreads;

__device__ void run(int block, const Dot2Arrays::GatherArrays& arrays) {
  const auto& [senders, dot, gather_out] = arrays;
  const int element = (block * kThreads + threadIdx.x) * kWidth;
  if (element >= kElements) return;
  const int row = element / 16;
  const int column = element % 16;

  const int senders_value = senders[row];
  const int select = senders_value < 0 ? senders_value + 60 : senders_value;
  const int start = minimum(maximum(select, 0), 59);
  const Vector<float, 4> dot_values = load_vector<kWidth>(dot + (start * 16 + column));
  Vector<float, 4> gather_out_values;
#pragma unroll
  for (int k = 0; k < kWidth; ++k) gather_out_values[k] = dot_values[k];
  store_vector(gather_out + element, gather_out_values);
}

}  // namespace gather

constexpr int kThreads = 32;
constexpr int kBlocks = dot::kBlocks + gather::kBlocks;

__global__ void __launch_bounds__(kThreads)
dot_2(const __grid_constant__ Dot2Arrays arrays) {
  int block = blockIdx.x;
  if (block < dot::kBlocks) {
    dot::run(block, arrays.dot);
    return;
  }
  block -= dot::kBlocks;
  gather::run(block, arrays.gather);
}

}  // namespace

cudaError_t
launch_dot_2(const Dot2Arrays& arrays, cudaStream_t stream) {
  return launch(dot_2, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace graph_attention_kernels
