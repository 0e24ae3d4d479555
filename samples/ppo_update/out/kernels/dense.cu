// dense: 5 computations, in one launch that divides its blocks among them.
//
//   dense_4          68 blocks   dot over f32[17,8,16]
//   log_probs        4 blocks    reshape over f32[128]
//   observations     24 blocks   reshape over f32[128,6]
//   taken            4 blocks    reshape over s32[128]
//   threefry_split   1 block     threefry2x32, convert over u32[2,2]
//
// 101 blocks of 32 threads.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/threefry2x32.cuh"

namespace ppo_update_kernels::dense {
namespace {

// dense_4: dot over f32[17,8,16].
//
//   in   params_value_0_w     f32[6,16]
//   in   observations         f32[17,8,6]
//   out  observations_w_out   f32[17,8,16]
//
//   observations_w_out = dot(observations, params_value_0_w)
//
// 68 blocks of 32 threads. Reads 3.6 kB, writes 8.7 kB.
namespace dense_4 {

constexpr int kRows = 136;
constexpr int kColumns = 16;
constexpr int kElements = kRows * kColumns;  // 2176
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const DenseArrays::Dense4Arrays& arrays) {
  const float* __restrict__ params_value_0_w = arrays.params_value_0_w;
  const float* __restrict__ observations = arrays.observations;
  float* __restrict__ observations_w_out = arrays.observations_w_out;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float observations_w = 0.0f;
  for (int k = 0; k < 6; ++k) {
    observations_w =
        fmaf(observations[row * 6 + k], params_value_0_w[k * kColumns + column], observations_w);
  }

  observations_w_out[element] = observations_w;
}

}  // namespace dense_4

// log_probs: reshape over f32[128].
//
//   in   log_probs_in   f32[16,8]
//   out  log_probs_2    f32[128]
//
//   log_probs_2 = reshape(log_probs_in, [128])
//
// 4 blocks of 32 threads. Reads 512 B, writes 512 B.
namespace log_probs {

constexpr int kElements = 128;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const DenseArrays::LogProbsArrays& arrays) {
  const float* __restrict__ log_probs_in = arrays.log_probs_in;
  float* __restrict__ log_probs_2 = arrays.log_probs_2;
  const int element = block * kThreads + threadIdx.x;

  log_probs_2[element] = log_probs_in[element];
}

}  // namespace log_probs

// observations: reshape over f32[128,6].
//
//   in   observations_in   f32[17,8,6]
//   out  observations_2    f32[128,6]
//
//   observations_2 = reshape(observations_in[0:16,:,:], [128,6])
//
// 24 blocks of 32 threads. Reads 3.1 kB, writes 3.1 kB.
namespace observations {

constexpr int kElements = 768;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const DenseArrays::ObservationsArrays& arrays) {
  const float* __restrict__ observations_in = arrays.observations_in;
  float* __restrict__ observations_2 = arrays.observations_2;
  const int element = block * kThreads + threadIdx.x;

  observations_2[element] = observations_in[element];
}

}  // namespace observations

// taken: reshape over s32[128].
//
//   in   taken_in   s32[16,8]
//   out  taken_2    s32[128]
//
//   taken_2 = reshape(taken_in, [128])
//
// 4 blocks of 32 threads. Reads 512 B, writes 512 B.
namespace taken {

constexpr int kElements = 128;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const DenseArrays::TakenArrays& arrays) {
  const int* __restrict__ taken_in = arrays.taken_in;
  int* __restrict__ taken_2 = arrays.taken_2;
  const int element = block * kThreads + threadIdx.x;

  taken_2[element] = taken_in[element];
}

}  // namespace taken

// threefry_split: threefry2x32, convert over u32[2,2].
//
//   in   key                  u32[2]
//   out  threefry_split_out   u32[2,2]
//
//   threefry_split     = threefry2x32(key[0], key[1], 0, u32(iota()))
//   threefry_split_out = concatenate(threefry_split.first, threefry_split.second), dimensions={1}
//
// One block of 32 threads. Reads 8 B, writes 16 B.
namespace threefry_split {

constexpr int kElements = 2;
constexpr int kThreads = 32;
constexpr int kBlocks = 1;

static_assert(kElements <= kThreads, "the one block has all elements");

__device__ void run(const DenseArrays::ThreefrySplitArrays& arrays) {
  const uint32_t* __restrict__ key = arrays.key;
  uint32_t* __restrict__ threefry_split_out = arrays.threefry_split_out;
  const int element = threadIdx.x;
  if (element >= kElements) return;

  const Threefry2x32 threefry_split = threefry2x32(key[0], key[1], 0u, uint32_t(element));

  threefry_split_out[element * 2] = threefry_split.first;
  threefry_split_out[element * 2 + 1] = threefry_split.second;
}

}  // namespace threefry_split

constexpr int kThreads = 32;
constexpr int kBlocks =
    dense_4::kBlocks + log_probs::kBlocks + observations::kBlocks + taken::kBlocks +
    threefry_split::kBlocks;

__global__ void __launch_bounds__(kThreads)
dense(const __grid_constant__ DenseArrays arrays) {
  int block = blockIdx.x;
  if (block < dense_4::kBlocks) {
    dense_4::run(block, arrays.dense_4);
    return;
  }
  block -= dense_4::kBlocks;
  if (block < log_probs::kBlocks) {
    log_probs::run(block, arrays.log_probs);
    return;
  }
  block -= log_probs::kBlocks;
  if (block < observations::kBlocks) {
    observations::run(block, arrays.observations);
    return;
  }
  block -= observations::kBlocks;
  if (block < taken::kBlocks) {
    taken::run(block, arrays.taken);
    return;
  }
  threefry_split::run(arrays.threefry_split);
}

}  // namespace

cudaError_t
enqueue(const DenseArrays& arrays, cudaStream_t stream) {
  return launch(dense, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace ppo_update_kernels::dense
