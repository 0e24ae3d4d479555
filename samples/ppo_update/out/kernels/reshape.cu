// reshape: 6 computations, in one launch that divides its blocks among them.
//
//   dense            68 blocks   dot over f32[17,8,16]
//   fill             1 block     broadcast over f32[2,4]
//   reshape_1        24 blocks   reshape over f32[128,6]
//   reshape_2        4 blocks    reshape over f32[128]
//   reshape_3        4 blocks    reshape over s32[128]
//   threefry_split   1 block     threefry2x32, convert over u32[2,2]
//
// 102 blocks of 32 threads.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/threefry2x32.cuh"

namespace ppo_update_kernels::reshape {
namespace {

// dense: dot over f32[17,8,16].
//
//   in   params_value_0_w   f32[6,16]
//   in   observations       f32[17,8,6]
//   out  dot_out            f32[17,8,16]
//
//   dot_out = dot(observations, params_value_0_w)
//
// 68 blocks of 32 threads. Reads 3.6 kB, writes 8.7 kB.
namespace dense {

constexpr int kElements = 2176;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const ReshapeArrays::DenseArrays& arrays) {
  const float* __restrict__ params_value_0_w = arrays.params_value_0_w;
  const float* __restrict__ observations = arrays.observations;
  float* __restrict__ dot_out = arrays.dot_out;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / 16;
  const int column = element % 16;

  float dot = 0.0f;
  for (int k = 0; k < 6; ++k) {
    dot = fmaf(observations[row * 6 + k], params_value_0_w[k * 16 + column], dot);
  }

  dot_out[element] = dot;
}

}  // namespace dense

// fill: broadcast over f32[2,4].
//
//   out  broadcast   f32[2,4]
//
//   broadcast = 0
//
// One block of 32 threads. Reads 0 B, writes 32 B.
namespace fill {

constexpr int kElements = 8;
constexpr int kThreads = 32;
constexpr int kBlocks = 1;

static_assert(kElements <= kThreads, "the one block has all elements");

__device__ void run(const ReshapeArrays::FillArrays& arrays) {
  float* __restrict__ broadcast = arrays.broadcast;
  const int element = threadIdx.x;
  if (element >= kElements) return;

  broadcast[element] = 0.0f;
}

}  // namespace fill

// reshape_1: reshape over f32[128,6].
//
//   in   observations   f32[17,8,6]
//   out  reshape        f32[128,6]
//
//   reshape = reshape(observations[0:16,:,:], [128,6])
//
// 24 blocks of 32 threads. Reads 3.1 kB, writes 3.1 kB.
namespace reshape_1 {

constexpr int kElements = 768;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const ReshapeArrays::Reshape1Arrays& arrays) {
  const float* __restrict__ observations = arrays.observations;
  float* __restrict__ reshape = arrays.reshape;
  const int element = block * kThreads + threadIdx.x;

  reshape[element] = observations[element];
}

}  // namespace reshape_1

// reshape_2: reshape over f32[128].
//
//   in   log_probs   f32[16,8]
//   out  reshape     f32[128]
//
//   reshape = reshape(log_probs, [128])
//
// 4 blocks of 32 threads. Reads 512 B, writes 512 B.
namespace reshape_2 {

constexpr int kElements = 128;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const ReshapeArrays::Reshape2Arrays& arrays) {
  const float* __restrict__ log_probs = arrays.log_probs;
  float* __restrict__ reshape = arrays.reshape;
  const int element = block * kThreads + threadIdx.x;

  reshape[element] = log_probs[element];
}

}  // namespace reshape_2

// reshape_3: reshape over s32[128].
//
//   in   taken     s32[16,8]
//   out  reshape   s32[128]
//
//   reshape = reshape(taken, [128])
//
// 4 blocks of 32 threads. Reads 512 B, writes 512 B.
namespace reshape_3 {

constexpr int kElements = 128;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const ReshapeArrays::Reshape3Arrays& arrays) {
  const int* __restrict__ taken = arrays.taken;
  int* __restrict__ reshape = arrays.reshape;
  const int element = block * kThreads + threadIdx.x;

  reshape[element] = taken[element];
}

}  // namespace reshape_3

// threefry_split: threefry2x32, convert over u32[2,2].
//
//   in   key     u32[2]
//   out  stack   u32[2,2]
//
//   threefry_split_1 = threefry2x32(key[0], key[1], 0, u32(iota()))
//   stack            = concatenate(threefry_split_1.first, threefry_split_1.second), dimensions={1}
//
// One block of 32 threads. Reads 8 B, writes 16 B.
namespace threefry_split {

constexpr int kElements = 2;
constexpr int kThreads = 32;
constexpr int kBlocks = 1;

static_assert(kElements <= kThreads, "the one block has all elements");

__device__ void run(const ReshapeArrays::ThreefrySplitArrays& arrays) {
  const uint32_t* __restrict__ key = arrays.key;
  uint32_t* __restrict__ stack = arrays.stack;
  const int element = threadIdx.x;
  if (element >= kElements) return;

  const Threefry2x32 threefry_split_1 = threefry2x32(key[0], key[1], 0u, uint32_t(element));

  stack[element * 2] = threefry_split_1.first;
  stack[element * 2 + 1] = threefry_split_1.second;
}

}  // namespace threefry_split

constexpr int kThreads = 32;
constexpr int kBlocks =
    dense::kBlocks + fill::kBlocks + reshape_1::kBlocks + reshape_2::kBlocks + reshape_3::kBlocks +
    threefry_split::kBlocks;

__global__ void __launch_bounds__(kThreads)
reshape(const __grid_constant__ ReshapeArrays arrays) {
  int block = blockIdx.x;
  if (block < dense::kBlocks) {
    dense::run(block, arrays.dense);
    return;
  }
  block -= dense::kBlocks;
  if (block < fill::kBlocks) {
    fill::run(arrays.fill);
    return;
  }
  block -= fill::kBlocks;
  if (block < reshape_1::kBlocks) {
    reshape_1::run(block, arrays.reshape_1);
    return;
  }
  block -= reshape_1::kBlocks;
  if (block < reshape_2::kBlocks) {
    reshape_2::run(block, arrays.reshape_2);
    return;
  }
  block -= reshape_2::kBlocks;
  if (block < reshape_3::kBlocks) {
    reshape_3::run(block, arrays.reshape_3);
    return;
  }
  block -= reshape_3::kBlocks;
  threefry_split::run(arrays.threefry_split);
}

}  // namespace

cudaError_t
enqueue(const ReshapeArrays& arrays, cudaStream_t stream) {
  return launch(reshape, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace ppo_update_kernels::reshape
