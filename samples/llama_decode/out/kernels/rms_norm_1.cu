// rms_norm_1: 2 computations, in one launch that divides its blocks among them.
//
//   rms_norm   2 blocks   reduce, gather, add, multiply, compare, ... over f32[2]
//   rotary     1 block    power, cosine, sine, negate, divide, ... over f32[8]
//
// 3 blocks of 32 threads.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace llama_decode_kernels::rms_norm_1 {
namespace {

// rms_norm: reduce, gather, add, multiply, compare, ... over f32[2].
//
//   in   params_embedding   bf16[128,64]
//   in   tokens             s32[2]
//   out  sum_out            f32[2]
//
//   select  = select(tokens < 0, tokens + 128, tokens)
//   start   = clamp(0, select, 127)
//   wide    = f32(gather(params_embedding, start))
//   sum_out = reduce(wide * wide, 0), dimensions={1}, to_apply=add
//
// A row a warp, one row a block of 32 threads. Reads 264 B, writes 8 B.
namespace rms_norm {

constexpr int kRows = 2;
constexpr int kColumns = 64;
constexpr int kThreads = 32;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__device__ void run(int block, const RmsNorm1Arrays::RmsNormArrays& arrays) {
  const __nv_bfloat16* __restrict__ params_embedding = arrays.params_embedding;
  const int* __restrict__ tokens = arrays.tokens;
  float* __restrict__ sum_out = arrays.sum_out;
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  const int tokens_value = tokens[row];
  const int select = tokens_value < 0 ? tokens_value + 128 : tokens_value;
  const int start = minimum(maximum(select, 0), 127);

  // sum
  float sum = 0.0f;
  for (int column = lane; column < kColumns; column += kWarp) {
    const float wide = to_float(params_embedding[start * 64 + column]);
    sum += wide * wide;
  }
  sum = warp_reduce(sum, Add());

  if (lane == 0) sum_out[row] = sum;
}

}  // namespace rms_norm

// rotary: power, cosine, sine, negate, divide, ... over f32[8].
//
//   in   position   s32[]
//   out  cosine     f32[8]
//   out  sine       f32[8]
//
//   angle  = f32(position) * power(10000, -iota() / 8)
//   cosine = cosine(angle)
//   sine   = sine(angle)
//
// One block of 32 threads. Reads 4 B, writes 64 B.
namespace rotary {

constexpr int kElements = 8;
constexpr int kThreads = 32;
constexpr int kBlocks = 1;

static_assert(kElements <= kThreads, "the one block has all elements");

__device__ void run(const RmsNorm1Arrays::RotaryArrays& arrays) {
  const int* __restrict__ position = arrays.position;
  float* __restrict__ cosine = arrays.cosine;
  float* __restrict__ sine = arrays.sine;
  const int element = threadIdx.x;
  if (element >= kElements) return;

  const float angle = float(position[0]) * powf(10000.0f, -float(element) / 8.0f);

  cosine[element] = cosf(angle);
  sine[element] = sinf(angle);
}

}  // namespace rotary

constexpr int kThreads = 32;
constexpr int kBlocks = rms_norm::kBlocks + rotary::kBlocks;

__global__ void __launch_bounds__(kThreads)
rms_norm_1(const __grid_constant__ RmsNorm1Arrays arrays) {
  int block = blockIdx.x;
  if (block < rms_norm::kBlocks) {
    rms_norm::run(block, arrays.rms_norm);
    return;
  }
  block -= rms_norm::kBlocks;
  rotary::run(arrays.rotary);
}

}  // namespace

cudaError_t
enqueue(const RmsNorm1Arrays& arrays, cudaStream_t stream) {
  return launch(rms_norm_1, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace llama_decode_kernels::rms_norm_1
