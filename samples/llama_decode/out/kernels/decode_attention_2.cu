// decode_attention_2: 2 computations, in one launch that divides its blocks among them.
//
//   values   64 blocks   dynamic-update-slice over bf16[2,32,2,16]
//   keys     64 blocks   dynamic-update-slice, multiply, subtract, add, convert over
//   bf16[2,32,2,16]
//
// 128 blocks of 32 threads.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace llama_decode_kernels::decode_attention_2 {
namespace {

// values: dynamic-update-slice over bf16[2,32,2,16].
//
//   in   cache_v_in    bf16[2,32,2,16]
//   in   position      s32[]
//   in   dot           bf16[2,32]
//   out  cache_v_out   bf16[2,32,2,16]
//
//   wrapped_position = select(position < 0, position + 32, position)
//   start            = clamp(0, wrapped_position, 31)
//   cache_v_out      = cache_v_in, with [:,start,:,:] replaced by reshape(dot, [2,1,2,16])
//
// 64 blocks of 32 threads. Reads 4.2 kB, writes 4.1 kB.
// So for 2 sets of arrays, of one launch or of several; the names here stand for those of each.
namespace values {

constexpr int kI = 2;
constexpr int kJ = 32;
constexpr int kK = 32;
constexpr int kElements = kI * kJ * kK;  // 2048
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// Not __restrict__: cache_v_in and cache_v_out may be one array.
__device__ void run(int block, const DecodeAttention2Arrays::ValuesArrays& arrays) {
  const __nv_bfloat16* cache_v_in = arrays.cache_v_in;
  const int* __restrict__ position = arrays.position;
  const __nv_bfloat16* __restrict__ dot = arrays.dot;
  __nv_bfloat16* cache_v_out = arrays.cache_v_out;
  const int element = block * kThreads + threadIdx.x;
  const int i = element / (kJ * kK);
  const int j = element / kK % kJ;
  const int k = element % kK;

  const int position_value = position[0];
  const int wrapped_position = position_value < 0 ? position_value + 32 : position_value;
  const int start = minimum(maximum(wrapped_position, 0), 31);

  cache_v_out[element] = start == j ? dot[i * kK + k] : cache_v_in[element];
}

}  // namespace values

// keys: dynamic-update-slice, multiply, subtract, add, convert over bf16[2,32,2,16].
//
//   in   cache_k_in    bf16[2,32,2,16]
//   in   position      s32[]
//   in   dot           bf16[2,32]
//   in   cos_angle     f32[8]
//   in   sin_angle     f32[8]
//   out  cache_k_out   bf16[2,32,2,16]
//
//   as_float         = f32(reshape(dot, [2,2,16]))
//   product_1        = as_float[:,:,0:8] * cos_angle
//   difference       = product_1 - as_float[:,:,8:16] * sin_angle
//   product_2        = as_float[:,:,8:16] * cos_angle
//   joined           = concatenate(difference, product_2 + as_float[:,:,0:8] * sin_angle),
//                      dimensions={2}
//   wrapped_position = select(position < 0, position + 32, position)
//   start            = clamp(0, wrapped_position, 31)
//   cache_k_out      = cache_k_in, with [:,start,:,:] replaced by bf16(joined)
//
// 64 blocks of 32 threads. Reads 4.3 kB, writes 4.1 kB.
// So for 2 sets of arrays, of one launch or of several; the names here stand for those of each.
namespace keys {

constexpr int kI = 2;
constexpr int kJ = 32;
constexpr int kK = 2;
constexpr int kL = 16;
constexpr int kElements = kI * kJ * kK * kL;  // 2048
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// Not __restrict__: cache_k_in and cache_k_out may be one array.
__device__ void run(int block, const DecodeAttention2Arrays::KeysArrays& arrays) {
  const __nv_bfloat16* cache_k_in = arrays.cache_k_in;
  const int* __restrict__ position = arrays.position;
  const __nv_bfloat16* __restrict__ dot = arrays.dot;
  const float* __restrict__ cos_angle = arrays.cos_angle;
  const float* __restrict__ sin_angle = arrays.sin_angle;
  __nv_bfloat16* cache_k_out = arrays.cache_k_out;
  const int element = block * kThreads + threadIdx.x;
  const int i = element / (kJ * kK * kL);
  const int j = element / (kK * kL) % kJ;
  const int k = element / kL % kK;
  const int l = element % kL;

  const int index = (i * kK + k) * kL + l;
  const int position_value = position[0];
  const int wrapped_position = position_value < 0 ? position_value + 32 : position_value;
  const int start = minimum(maximum(wrapped_position, 0), 31);
  __nv_bfloat16 cache_k_next;
  if (start == j) {
    float joined;
    if (l < 8) {
      const float product_1 = to_float(dot[index]) * cos_angle[l];
      joined = fmaf(-to_float(dot[index + 8]), sin_angle[l], product_1);
    } else {
      const float product_2 = to_float(dot[index]) * cos_angle[l - 8];
      joined = fmaf(to_float(dot[index - 8]), sin_angle[l - 8], product_2);
    }
    cache_k_next = to_bfloat16(joined);
  } else {
    cache_k_next = cache_k_in[element];
  }

  cache_k_out[element] = cache_k_next;
}

}  // namespace keys

constexpr int kThreads = 32;
constexpr int kBlocks = values::kBlocks + keys::kBlocks;

__global__ void __launch_bounds__(kThreads)
decode_attention_2(const __grid_constant__ DecodeAttention2Arrays arrays) {
  int block = blockIdx.x;
  if (block < values::kBlocks) {
    values::run(block, arrays.values);
    return;
  }
  block -= values::kBlocks;
  keys::run(block, arrays.keys);
}

}  // namespace

cudaError_t
enqueue(const DecodeAttention2Arrays& arrays, cudaStream_t stream) {
  return launch(decode_attention_2, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace llama_decode_kernels::decode_attention_2
