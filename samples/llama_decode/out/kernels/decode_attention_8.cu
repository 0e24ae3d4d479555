// decode_attention_8: 4 computations, in one launch whose last block to finish goes on alone.
//
//   scores_max       2 blocks     reduce, exponential, multiply, subtract, compare, ... over
//   f32[2,2,2]
//   dot              last block   dot, exponential, multiply, subtract, divide, ... over
//   bf16[2,2,2,16]
//   llama_decode_6   last block   dot, gather, add over bf16[2,64]
//   rms_norm_3       last block   reduce, rsqrt, multiply, divide, add, ... over bf16[2,64]
//
// 2 blocks of 128 threads.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/half.cuh"
#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

namespace llama_decode_kernels::decode_attention_8 {
namespace {

// scores_max: reduce, exponential, multiply, subtract, compare, ... over f32[2,2,2].
//
//   in   position            s32[]
//   in   unscaled_scores_2   f32[2,2,2,32]
//   out  scores_max_2_out    f32[2,2,2]
//   out  weight_sum_2_out    f32[2,2,2]
//
//   scores           = select(iota() <= position, unscaled_scores_2 * 0.25, -inf)
//   scores_max_2_out = reduce(scores, -inf), dimensions={3}, to_apply=maximum
//   weight_sum_2_out = reduce(exponential(scores - broadcast(scores_max_2_out)), 0),
//                      dimensions={3}, to_apply=add
//
// A row a warp, 4 rows a block of 128 threads. Reads 1.0 kB, writes 64 B.
namespace scores_max {

constexpr int kRows = 8;
constexpr int kColumns = 32;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

// Not __restrict__: other parts of the launch read scores_max_2_out and weight_sum_2_out.
__device__ void run(int block, const DecodeAttention8Arrays::ScoresMaxArrays& arrays) {
  const int* __restrict__ position = arrays.position;
  const float* __restrict__ unscaled_scores_2 = arrays.unscaled_scores_2;
  float* scores_max_2_out = arrays.scores_max_2_out;
  float* weight_sum_2_out = arrays.weight_sum_2_out;
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int column = threadIdx.x % kWarp;

  const int position_value = position[0];

  // scores_max_2
  const float unscaled_scores_2_value = unscaled_scores_2[row * kColumns + column];
  float scores_max_2 = column <= position_value ? unscaled_scores_2_value * 0.25f : -INFINITY;
  scores_max_2 = warp_reduce(scores_max_2, Maximum());

  // weight_sum_2
  float weight_sum_2 = 0.0f;
  const float scores = column <= position_value ? unscaled_scores_2_value * 0.25f : -INFINITY;
  weight_sum_2 += expf(scores - scores_max_2);
  weight_sum_2 = warp_reduce(weight_sum_2, Add());

  if (column == 0) {
    scores_max_2_out[row] = scores_max_2;
    weight_sum_2_out[row] = weight_sum_2;
  }
}

}  // namespace scores_max

// dot: dot, exponential, multiply, subtract, divide, ... over bf16[2,2,2,16].
//
//   in   position            s32[]
//   in   unscaled_scores_2   f32[2,2,2,32]
//   in   scores_max_2        f32[2,2,2]
//   in   weight_sum_2        f32[2,2,2]
//   in   cache_1_v           bf16[2,32,2,16]
//   out  dot_7_out           bf16[2,2,2,16]
//
//   scores    = unscaled_scores_2 * 0.25
//   shifted   = select(iota() <= position, scores, -inf) - broadcast(scores_max_2)
//   weight    = exponential(shifted)
//   dot_7_out = dot(bf16(weight / broadcast(weight_sum_2)), cache_1_v), einsum=abcd,adbe->abce
//
// One block of 128 threads. Reads 5.2 kB, writes 256 B.
namespace dot {

constexpr int kI = 2;
constexpr int kJ = 2;
constexpr int kK = 2;
constexpr int kL = 16;
constexpr int kElements = kI * kJ * kK * kL;  // 128
constexpr int kTerms = 32;
constexpr int kThreads = 128;

static_assert(kElements == kThreads, "a thread of the one block has an element");

// No pointer is __restrict__: other parts of the launch write scores_max_2 and weight_sum_2; other
// parts of the launch read dot_7_out.
__device__ void run(const DecodeAttention8Arrays::DotArrays& arrays) {
  const auto& [position, unscaled_scores_2, scores_max_2, weight_sum_2, cache_1_v,
               dot_7_out] = arrays;
  const int element = threadIdx.x;
  const int i = element / (kJ * kK * kL);
  const int j = element / (kK * kL) % kJ;
  const int k = element / kL % kK;
  const int l = element % kL;

  const int index = (i * kJ + j) * kK + k;
  const float scores_max_2_value = scores_max_2[index];
  const float weight_sum_2_value = weight_sum_2[index];
  const int position_value = position[0];
  float sum = 0.0f;
  for (int k_1 = 0; k_1 < kTerms; ++k_1) {
    const float scores = unscaled_scores_2[((i * kJ + j) * kK + k) * kTerms + k_1] * 0.25f;
    const float weight = expf((k_1 <= position_value ? scores : -INFINITY) - scores_max_2_value);
    sum = fmaf(to_float(to_bfloat16(weight / weight_sum_2_value)),
               to_float(cache_1_v[((i * kTerms + k_1) * kJ + j) * kL + l]), sum);
  }
  const __nv_bfloat16 dot_7 = to_bfloat16(sum);

  dot_7_out[element] = dot_7;
}

}  // namespace dot

// llama_decode_6: dot, gather, add over bf16[2,64].
//
//   in   params_embedding      bf16[128,64]
//   in   params_layers_1_out   bf16[64,64]
//   in   tokens                s32[2]
//   in   mixed                 bf16[2,64]
//   in   dot_4                 bf16[2,64]
//   in   dot_7                 bf16[2,2,2,16]
//   out  x                     bf16[2,64]
//
//   wrapped_tokens = select(tokens < 0, tokens + 128, tokens)
//   start          = clamp(0, wrapped_tokens, 127)
//   x_1            = gather(params_embedding, start) + mixed
//   mixed_1        = dot(reshape(dot_7, [2,64]), params_layers_1_out)
//   x              = x_1 + dot_4 + mixed_1
//
// One block of 128 threads. Reads 9.2 kB, writes 256 B.
namespace llama_decode_6 {

constexpr int kRows = 2;
constexpr int kColumns = 64;
constexpr int kElements = kRows * kColumns;  // 128
constexpr int kTerms = 64;
constexpr int kThreads = 128;

static_assert(kElements == kThreads, "a thread of the one block has an element");

// No pointer is __restrict__: other parts of the launch write dot_7; other parts of the launch read
// x.
__device__ void run(const DecodeAttention8Arrays::LlamaDecode6Arrays& arrays) {
  const auto& [params_embedding, params_layers_1_out, tokens, mixed, dot_4, dot_7, x] = arrays;
  const int element = threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int tokens_value = tokens[row];
  const int wrapped_tokens = tokens_value < 0 ? tokens_value + 128 : tokens_value;
  const int start = minimum(maximum(wrapped_tokens, 0), 127);
  const __nv_bfloat16 x_1 = __hadd_rn(params_embedding[start * kColumns + column], mixed[element]);

  // decode_attention
  float sum = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    sum = fmaf(to_float(dot_7[row * kTerms + k]),
               to_float(params_layers_1_out[k * kColumns + column]), sum);
  }
  const __nv_bfloat16 mixed_1 = to_bfloat16(sum);

  x[element] = __hadd_rn(__hadd_rn(x_1, dot_4[element]), mixed_1);
}

}  // namespace llama_decode_6

// rms_norm_3: reduce, rsqrt, multiply, divide, add, ... over bf16[2,64].
//
//   in   params_layers_1_norm2   bf16[64]
//   in   x                       bf16[2,64]
//   out  y_2                     bf16[2,64]
//
//   wide         = f32(x)
//   x_square_sum = reduce(wide * wide, 0), dimensions={1}, to_apply=add
//   inverse      = rsqrt(x_square_sum / 64 + 1e-05)
//   as_bf16      = bf16(wide * broadcast(inverse))
//   y_2          = as_bf16 * params_layers_1_norm2
//
// A row a warp, 4 rows a block of 128 threads. Reads 384 B, writes 256 B.
namespace rms_norm_3 {

constexpr int kRows = 2;
constexpr int kColumns = 64;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kPerThread = (kColumns + kWarp - 1) / kWarp;  // 2
constexpr int kWidth = 2;                                   // neighbours, in one access

static_assert(kColumns % (kWarp * kWidth) == 0, "the threads cover a row exactly");

// No pointer is __restrict__: other parts of the launch write x.
__device__ void run(int block, const DecodeAttention8Arrays::RmsNorm3Arrays& arrays) {
  const auto& [params_layers_1_norm2, x, y_2] = arrays;
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;
  if (row >= kRows) return;

  // x_square_sum
  float x_square_sum = 0.0f;
  __nv_bfloat16 x_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; k += kWidth) {
    const int first_column = k * kWarp + lane * kWidth;
    const Vector<__nv_bfloat16, kWidth> x_vector =
        load_vector<kWidth>(x + (row * kColumns + first_column));
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      x_values[k + i] = x_vector[i];
      const float wide = to_float(x_values[k + i]);
      x_square_sum += wide * wide;
    }
  }
  x_square_sum = warp_reduce(x_square_sum, Add());
  const float inverse = rsqrtf(x_square_sum / 64.0f + 1e-5f);

  // y_2
#pragma unroll
  for (int k = 0; k < kPerThread; k += kWidth) {
    const int first_column = k * kWarp + lane * kWidth;
    const Vector<__nv_bfloat16, kWidth> params_layers_1_norm2_vector =
        load_vector<kWidth>(params_layers_1_norm2 + first_column);
    Vector<__nv_bfloat16, kWidth> y_2_vector;
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      const __nv_bfloat16 as_bf16 = to_bfloat16(to_float(x_values[k + i]) * inverse);
      y_2_vector[i] = __hmul_rn(as_bf16, params_layers_1_norm2_vector[i]);
    }
    store_vector(y_2 + (row * kColumns + first_column), y_2_vector);
  }
}

}  // namespace rms_norm_3

constexpr int kThreads = 128;
constexpr int kBlocks = scores_max::kBlocks;

__global__ void __launch_bounds__(kThreads)
decode_attention_8(const __grid_constant__ DecodeAttention8Arrays arrays) {
  const int block = blockIdx.x;
  scores_max::run(block, arrays.scores_max);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  dot::run(arrays.dot);
  __syncthreads();
  llama_decode_6::run(arrays.llama_decode_6);
  __syncthreads();
  rms_norm_3::run(0, arrays.rms_norm_3);
}

}  // namespace

cudaError_t
enqueue(const DecodeAttention8Arrays& arrays, cudaStream_t stream) {
  return launch(decode_attention_8, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace llama_decode_kernels::decode_attention_8
