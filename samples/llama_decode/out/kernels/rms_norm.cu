// rms_norm: 2 computations, in one launch that divides its blocks among them.
//
//   rms_norm_3   2 blocks   reduce, gather, multiply, convert over f32[2]
//   rotary       1 block    power, cosine, sine, negate, divide, ... over f32[8]
//
// 3 blocks of 32 threads.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

namespace llama_decode_kernels::rms_norm {
namespace {

// rms_norm_3: reduce, gather, multiply, convert over f32[2].
//
//   in   params_embedding   bf16[128,64]
//   in   tokens             s32[2]
//   out  x_square_sum_out   f32[2]
//
//   wrapped_tokens   = select(tokens < 0, tokens + 128, tokens)
//   start            = clamp(0, wrapped_tokens, 127)
//   wide             = f32(gather(params_embedding, start))
//   x_square_sum_out = reduce(wide * wide, 0), dimensions={1}, to_apply=add
//
// A row a warp, one row a block of 32 threads. Reads 264 B, writes 8 B.
namespace rms_norm_3 {

constexpr int kRows = 2;
constexpr int kColumns = 64;
constexpr int kThreads = 32;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kWidth = 2;  // neighbours, in one access
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kColumns % (kWarp * kWidth) == 0, "the threads cover a row exactly");
static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__device__ void run(int block, const RmsNormArrays::RmsNorm3Arrays& arrays) {
  const __nv_bfloat16* __restrict__ params_embedding = arrays.params_embedding;
  const int* __restrict__ tokens = arrays.tokens;
  float* __restrict__ x_square_sum_out = arrays.x_square_sum_out;
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  const int tokens_value = tokens[row];
  const int wrapped_tokens = tokens_value < 0 ? tokens_value + 128 : tokens_value;
  const int start = minimum(maximum(wrapped_tokens, 0), 127);

  // x_square_sum
  float x_square_sum = 0.0f;
  for (int first_column = lane * kWidth; first_column < kColumns; first_column += kWarp * kWidth) {
    const Vector<__nv_bfloat16, kWidth> params_embedding_vector =
        load_vector<kWidth>(params_embedding + (start * kColumns + first_column));
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      const float wide = to_float(params_embedding_vector[i]);
      x_square_sum += wide * wide;
    }
  }
  x_square_sum = warp_reduce(x_square_sum, Add());

  if (lane == 0) x_square_sum_out[row] = x_square_sum;
}

}  // namespace rms_norm_3

// rotary: power, cosine, sine, negate, divide, ... over f32[8].
//
//   in   position    s32[]
//   out  cos_angle   f32[8]
//   out  sin_angle   f32[8]
//
//   angle     = f32(position) * power(10000, -iota() / 8)
//   cos_angle = cosine(angle)
//   sin_angle = sine(angle)
//
// One block of 32 threads. Reads 4 B, writes 64 B.
namespace rotary {

constexpr int kElements = 8;
constexpr int kThreads = 32;
constexpr int kBlocks = 1;

static_assert(kElements <= kThreads, "the one block has all elements");

__device__ void run(const RmsNormArrays::RotaryArrays& arrays) {
  const int* __restrict__ position = arrays.position;
  float* __restrict__ cos_angle = arrays.cos_angle;
  float* __restrict__ sin_angle = arrays.sin_angle;
  const int element = threadIdx.x;
  if (element >= kElements) return;

  const float angle = float(position[0]) * powf(10000.0f, -float(element) / 8.0f);

  cos_angle[element] = cosf(angle);
  sin_angle[element] = sinf(angle);
}

}  // namespace rotary

constexpr int kThreads = 32;
constexpr int kBlocks = rms_norm_3::kBlocks + rotary::kBlocks;

__global__ void __launch_bounds__(kThreads)
rms_norm(const __grid_constant__ RmsNormArrays arrays) {
  const int block = blockIdx.x;
  if (block < rms_norm_3::kBlocks) {
    rms_norm_3::run(block, arrays.rms_norm_3);
    return;
  }
  rotary::run(arrays.rotary);
}

}  // namespace

cudaError_t
enqueue(const RmsNormArrays& arrays, cudaStream_t stream) {
  return launch(rms_norm, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace llama_decode_kernels::rms_norm
