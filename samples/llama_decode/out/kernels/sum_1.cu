// sum_1: compare, add, select, convert, multiply, ... over f32[2].
//
//   in   params_embedding   bf16[128,64]
//   in   tokens             s32[2]
//   out  sum                f32[2]
//
//   lt                   = compare(tokens, 0)
//   add                  = add(tokens, 128)
//   select               = select(lt, add, tokens)
//   convert_element_type = convert(gather(params_embedding))
//   mul                  = multiply(convert_element_type, convert_element_type)
//   sum                  = reduce(mul, 0), dimensions={1}, to_apply=add
//
// A row a warp, 2 rows a block of 64 threads. Reads 264 B, writes 8 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace llama_decode_kernels {
namespace {

constexpr int kRows = 2;
constexpr int kColumns = 64;
constexpr int kThreads = 64;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
sum_1(const __nv_bfloat16* __restrict__ params_embedding,
      const int* __restrict__ tokens,
      float* __restrict__ sum) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  const int tokens_value = tokens[row];
  const int select = tokens_value < 0 ? tokens_value + 128 : tokens_value;
  const int start = minimum(maximum(select, 0), 127);

  // sum
  float sum_2 = 0.0f;
  for (int column = lane; column < kColumns; column += kWarp) {
    const float convert_element_type = to_float(params_embedding[start * kColumns + column]);
    sum_2 += convert_element_type * convert_element_type;
  }
  sum_2 = warp_reduce(sum_2, Add());

  if (lane == 0) sum[row] = sum_2;
}

}  // namespace

cudaError_t
launch_sum_1(const __nv_bfloat16* params_embedding,
             const int* tokens,
             float* sum,
             cudaStream_t stream) {
  return launch(sum_1, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                params_embedding, tokens, sum);
}

}  // namespace llama_decode_kernels
