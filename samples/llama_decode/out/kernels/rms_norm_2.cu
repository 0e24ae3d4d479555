// rms_norm_2: reduce, gather, add, multiply, convert over f32[2].
//
//   in   params_embedding     bf16[128,64]
//   in   tokens               s32[2]
//   in   mixed                bf16[2,64]
//   in   dot_4                bf16[2,64]
//   out  x_square_sum_2_out   f32[2]
//
//   wrapped_tokens     = select(tokens < 0, tokens + 128, tokens)
//   start              = clamp(0, wrapped_tokens, 127)
//   x                  = gather(params_embedding, start) + mixed
//   wide               = f32(x + dot_4)
//   x_square_sum_2_out = reduce(wide * wide, 0), dimensions={1}, to_apply=add
//
// A row a warp, 2 rows a block of 64 threads. Reads 776 B, writes 8 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

namespace llama_decode_kernels::rms_norm_2 {
namespace {

constexpr int kRows = 2;
constexpr int kColumns = 64;
constexpr int kThreads = 64;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kWidth = 2;  // neighbours, in one access

static_assert(kColumns % (kWarp * kWidth) == 0, "the threads cover a row exactly");
static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
rms_norm_2(const __nv_bfloat16* __restrict__ params_embedding,
           const int* __restrict__ tokens,
           const __nv_bfloat16* __restrict__ mixed,
           const __nv_bfloat16* __restrict__ dot_4,
           float* __restrict__ x_square_sum_2_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  const int tokens_value = tokens[row];
  const int wrapped_tokens = tokens_value < 0 ? tokens_value + 128 : tokens_value;
  const int start = minimum(maximum(wrapped_tokens, 0), 127);

  // x_square_sum_2
  float x_square_sum_2 = 0.0f;
  for (int first_column = lane * kWidth; first_column < kColumns; first_column += kWarp * kWidth) {
    const Vector<__nv_bfloat16, kWidth> params_embedding_vector =
        load_vector<kWidth>(params_embedding + (start * kColumns + first_column));
    const Vector<__nv_bfloat16, kWidth> mixed_vector =
        load_vector<kWidth>(mixed + (row * kColumns + first_column));
    const Vector<__nv_bfloat16, kWidth> dot_4_vector =
        load_vector<kWidth>(dot_4 + (row * kColumns + first_column));
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      const __nv_bfloat16 params_embedding_value = params_embedding_vector[i];
      const __nv_bfloat16 x = __hadd_rn(params_embedding_value, mixed_vector[i]);
      const float wide = to_float(__hadd_rn(x, dot_4_vector[i]));
      x_square_sum_2 += wide * wide;
    }
  }
  x_square_sum_2 = warp_reduce(x_square_sum_2, Add());

  if (lane == 0) x_square_sum_2_out[row] = x_square_sum_2;
}

}  // namespace

cudaError_t
enqueue(const __nv_bfloat16* params_embedding, const int* tokens, const __nv_bfloat16* mixed,
        const __nv_bfloat16* dot_4, float* x_square_sum_2_out, cudaStream_t stream) {
  return launch(rms_norm_2, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                params_embedding, tokens, mixed, dot_4, x_square_sum_2_out);
}

}  // namespace llama_decode_kernels::rms_norm_2
