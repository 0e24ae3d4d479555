// predict: 3 computations, in one launch whose last block to finish goes on alone.
//
//   predict_2   4 blocks     dot over f32[32,2,2]
//   place       last block   dot, dynamic-update-slice, add, divide, subtract, ... over f32[50,32]
//   correct     last block   add, divide, multiply, subtract, compare, ... over f32[32,2,2]
//
// 4 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"

namespace kalman_kernels::predict {
namespace {

// predict_2: dot over f32[32,2,2].
//
//   in   last_p   f32[32,2,2]
//   in   f        f32[2,2]
//   out  p_out    f32[32,2,2]
//
//   fp    = dot(f, last_p), einsum=ab,cbd->acd
//   p_out = dot(transpose(fp, {1,0,2}), f), einsum=abc,dc->abd
//
// 4 blocks of 32 threads. Reads 528 B, writes 512 B.
namespace predict_2 {

constexpr int kI = 32;
constexpr int kJ = 2;
constexpr int kK = 2;
constexpr int kElements = kI * kJ * kK;  // 128
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// No pointer is __restrict__: other parts of the launch write last_p; other parts of the launch
// read p_out.
__device__ void run(int block, const PredictArrays::Predict2Arrays& arrays) {
  const auto& [last_p, f, p_out] = arrays;
  const int element = block * kThreads + threadIdx.x;
  const int i = element / (kJ * kK);
  const int j = element / kK % kJ;
  const int k = element % kK;

  float p = 0.0f;
  for (int k_1 = 0; k_1 < 2; ++k_1) {
    float fp = 0.0f;
    for (int k_2 = 0; k_2 < 2; ++k_2) {
      fp = fmaf(f[j * 2 + k_2], last_p[(i * 2 + k_2) * 2 + k_1], fp);
    }
    p = fmaf(fp, f[k * 2 + k_1], p);
  }

  p_out[element] = p;
}

}  // namespace predict_2

// place: dot, dynamic-update-slice, add, divide, subtract, ... over f32[50,32].
//
//   in   last_x_in    f32[32,2]
//   in   measured     f32[50,32]
//   in   f            f32[2,2]
//   in   p            f32[32,2,2]
//   out  last_x_out   f32[32,2]
//   out  place_out    f32[50,32]
//
//   x_1        = dot(f, last_x_in), einsum=ab,cb->ac
//   p_1        = select(broadcast(iota(), {0}) == broadcast(iota(), {1}), 0.01, 0)
//   predict    = p + p_1
//   gain       = predict[:,0,:][:,0] + 0.04
//   x_2        = measured[t,:] - transpose(x_1)[:,0]
//   last_x_out = transpose(x_1) + predict[:,:,0] / broadcast(gain) * broadcast(x_2)
//   place_out  = place_out, with [t,:] replaced by last_x_out[:,0]
//
// One block of 32 threads, 2 times. Reads 784 B, writes 384 B.
namespace place {

constexpr int kRows = 32;
constexpr int kColumns = 2;
constexpr int kElements = kRows * kColumns;  // 64
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// No pointer is __restrict__: last_x_in and last_x_out may be one array; other parts of the launch
// write p.
__device__ void run(int block, const PredictArrays::PlaceArrays& arrays) {
  const auto& [last_x_in, measured, f, p, last_x_out, place_out, t] = arrays;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int index = t * kRows + row;

  // predict
  float x_1_1 = 0.0f;
  float x_1_2 = 0.0f;
  for (int k = 0; k < 2; ++k) {
    const float last_x_value = last_x_in[row * 2 + k];
    x_1_1 = fmaf(f[column * 2 + k], last_x_value, x_1_1);
    x_1_2 = fmaf(f[k], last_x_value, x_1_2);
  }
  const float predict = p[row * 4] + 0.01f;

  // correct
  const float gain = predict + 0.04f;
  const float x_2 = measured[index] - x_1_2;

  last_x_out[element] = fmaf((p[element * 2] + (column == 0 ? 0.01f : 0.0f)) / gain, x_2, x_1_1);
  if (column == 0) place_out[index] = fmaf(predict / gain, x_2, x_1_2);
}

}  // namespace place

// correct: add, divide, multiply, subtract, compare, ... over f32[32,2,2].
//
//   in   p        f32[32,2,2]
//   out  last_p   f32[32,2,2]
//
//   p_2    = select(broadcast(iota(), {0}) == broadcast(iota(), {1}), 0.01, 0)
//   p_1    = p + p_2
//   p_3    = broadcast(p_1[:,:,0] / broadcast(p_1[:,0,:][:,0] + 0.04), {0,1})
//   last_p = p_1 - p_3 * broadcast(p_1[:,0,:], {0,2})
//
// One block of 32 threads, 4 times. Reads 512 B, writes 512 B.
namespace correct {

constexpr int kI = 32;
constexpr int kJ = 2;
constexpr int kK = 2;
constexpr int kElements = kI * kJ * kK;  // 128
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// No pointer is __restrict__: other parts of the launch write p; other parts of the launch read
// last_p.
__device__ void run(int block, const PredictArrays::CorrectArrays& arrays) {
  const auto& [p, last_p] = arrays;
  const int element = block * kThreads + threadIdx.x;
  const int i = element / (kJ * kK);
  const int j = element / kK % kJ;
  const int k = element % kK;

  const float p_1_1 = p[element] + (j == k ? 0.01f : 0.0f);
  const float p_1_2 = p[i * 4 + j * 2] + (j == 0 ? 0.01f : 0.0f);
  const float p_1_3 = p[i * 4 + k] + (0 == k ? 0.01f : 0.0f);

  last_p[element] = fmaf(-(p_1_2 / (p[i * 4] + 0.01f + 0.04f)), p_1_3, p_1_1);
}

}  // namespace correct

constexpr int kThreads = 32;
constexpr int kBlocks = predict_2::kBlocks;

__global__ void __launch_bounds__(kThreads)
predict(const __grid_constant__ PredictArrays arrays) {
  const int block = blockIdx.x;
  predict_2::run(block, arrays.predict_2);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  for (int i = 0; i < place::kBlocks; ++i) place::run(i, arrays.place);
  __syncthreads();
  for (int i = 0; i < correct::kBlocks; ++i) correct::run(i, arrays.correct);
}

}  // namespace

cudaError_t
enqueue(const PredictArrays& arrays, cudaStream_t stream) {
  return launch(predict, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace kalman_kernels::predict
