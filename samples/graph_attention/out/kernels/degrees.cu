// degrees: 2 computations, in one launch that divides its blocks among them.
//
//   degrees_2   60 blocks   reduce, add, compare, select over s32[60]
//   dot_3       16 blocks   dot, gather, add, compare, select over f32[500]
//
// 76 blocks of 32 threads.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace graph_attention_kernels::degrees {
namespace {

// degrees_2: reduce, add, compare, select over s32[60].
//
//   in   receivers     s32[500]
//   out  degrees_out   s32[60]
//
//   is_equal    = iota({0}) == select(receivers < 0, receivers + 60, receivers)
//   degrees_out = reduce(select(is_equal, 1, 0), 0), dimensions={1}, to_apply=add
//
// A row a warp, one row a block of 32 threads. Reads 2.0 kB, writes 240 B.
namespace degrees_2 {

constexpr int kRows = 60;
constexpr int kColumns = 500;
constexpr int kThreads = 32;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__device__ void run(int block, const DegreesArrays::Degrees2Arrays& arrays) {
  const int* __restrict__ receivers = arrays.receivers;
  int* __restrict__ degrees_out = arrays.degrees_out;
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // degrees
  int degrees = 0;
  for (int column = lane; column < kColumns; column += kWarp) {
    const int receivers_value = receivers[column];
    const bool is_equal = row == (receivers_value < 0 ? receivers_value + 60 : receivers_value);
    degrees += is_equal ? 1 : 0;
  }
  degrees = warp_reduce(degrees, Add());

  if (lane == 0) degrees_out[row] = degrees;
}

}  // namespace degrees_2

// dot_3: dot, gather, add, compare, select over f32[500].
//
//   in   senders            s32[500]
//   in   receivers          s32[500]
//   in   scores             f32[2,2,16]
//   in   features_weights   f32[60,16]
//   out  dot_3_out          f32[500]
//   out  dot_4_out          f32[500]
//
//   wrapped_senders   = select(senders < 0, senders + 60, senders)
//   start_1           = clamp(0, wrapped_senders, 59)
//   dot_3_out         = dot(gather(features_weights, start_1), scores[0,0,:])
//   wrapped_receivers = select(receivers < 0, receivers + 60, receivers)
//   start_2           = clamp(0, wrapped_receivers, 59)
//   dot_4_out         = dot(gather(features_weights, start_2), scores[0,1,:])
//
// 16 blocks of 32 threads. Reads 8.0 kB, writes 4.0 kB.
namespace dot_3 {

constexpr int kElements = 500;
constexpr int kTerms = 16;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const DegreesArrays::Dot3Arrays& arrays) {
  const int* __restrict__ senders = arrays.senders;
  const int* __restrict__ receivers = arrays.receivers;
  const float* __restrict__ scores = arrays.scores;
  const float* __restrict__ features_weights = arrays.features_weights;
  float* __restrict__ dot_3_out = arrays.dot_3_out;
  float* __restrict__ dot_4_out = arrays.dot_4_out;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const int senders_value = senders[element];
  const int wrapped_senders = senders_value < 0 ? senders_value + 60 : senders_value;
  const int start_1 = minimum(maximum(wrapped_senders, 0), 59);
  float dot_3 = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    dot_3 = fmaf(features_weights[start_1 * kTerms + k], scores[k], dot_3);
  }
  const int receivers_value = receivers[element];
  const int wrapped_receivers = receivers_value < 0 ? receivers_value + 60 : receivers_value;
  const int start_2 = minimum(maximum(wrapped_receivers, 0), 59);
  float dot_4 = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    dot_4 = fmaf(features_weights[start_2 * kTerms + k], scores[k + 16], dot_4);
  }

  dot_3_out[element] = dot_3;
  dot_4_out[element] = dot_4;
}

}  // namespace dot_3

constexpr int kThreads = 32;
constexpr int kBlocks = degrees_2::kBlocks + dot_3::kBlocks;

__global__ void __launch_bounds__(kThreads)
degrees(const __grid_constant__ DegreesArrays arrays) {
  int block = blockIdx.x;
  if (block < degrees_2::kBlocks) {
    degrees_2::run(block, arrays.degrees_2);
    return;
  }
  block -= degrees_2::kBlocks;
  dot_3::run(block, arrays.dot_3);
}

}  // namespace

cudaError_t
enqueue(const DegreesArrays& arrays, cudaStream_t stream) {
  return launch(degrees, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace graph_attention_kernels::degrees
