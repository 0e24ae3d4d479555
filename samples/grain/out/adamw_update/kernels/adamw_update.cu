// adamw_update: 7 computations on 32 sets of arrays, in one launch that divides its blocks among
// them; the last block to finish goes on alone.
//
//   p_new_layer0_up          5 x 32 blocks   power, sqrt, multiply, add, subtract, ... over
//   f32[16,64]
//   p_new_layer0_k           9 x 8 blocks    power, sqrt, multiply, add, subtract, ... over
//   f32[16,16]
//   p_new_layer0_qkv_bias    2 x 2 blocks    power, sqrt, multiply, add, subtract, ... over
//   f32[3,16]
//   p_new_layer0_up_bias     2 x 2 blocks    power, sqrt, multiply, add, subtract, ... over f32[64]
//   p_new_final_norm         1 block         power, sqrt, add, multiply, subtract, ... over f32[16]
//   p_new_layer0_down_bias   12 x 1 blocks   power, sqrt, add, multiply, subtract, ... over f32[16]
//   s_new_step               last block      add over s32[]
//
// 253 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"

namespace adamw_update_kernels::adamw_update {
namespace {

// p_new_layer0_up: power, sqrt, multiply, add, subtract, ... over f32[16,64].
//
//   in   p_in      f32[16,64]
//   in   g         f32[16,64]
//   in   s_m_in    f32[16,64]
//   in   s_step    s32[]
//   in   s_v_in    f32[16,64]
//   out  p_out     f32[16,64]
//   out  s_m_out   f32[16,64]
//   out  s_v_out   f32[16,64]
//
//   s_m_out   = 0.9 * s_m_in + 0.1 * g
//   s_v_out   = 0.999 * s_v_in + 0.001 * g * g
//   correct1  = f32(s_step + 1)
//   updated_1 = sqrt(s_v_out / (1 - power(0.999, correct1))) + 1e-08
//   updated_2 = s_m_out / (1 - power(0.9, correct1)) / updated_1
//   p_out     = p_in - 3e-04 * (updated_2 + 0.1 * p_in)
//
// 32 blocks of 32 threads. Reads 16.4 kB, writes 12.3 kB.
// So for 5 sets of arrays, of one launch or of several; the names here stand for those of each, the
// shapes are the first's.
namespace p_new_layer0_up {

constexpr int kElements = 1024;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// No pointer is __restrict__: an _in and its _out, as p_in and p_out, may be one array; other parts
// of the launch write s_step.
__device__ void run(int block, const AdamwUpdateArrays::PNewLayer0UpArrays& arrays) {
  const auto& [p_in, g, s_m_in, s_step, s_v_in, p_out, s_m_out, s_v_out] = arrays;
  const int element = block * kThreads + threadIdx.x;

  const float p_value = p_in[element];

  const float g_value = g[element];
  const float s_m_next = fmaf(0.1f, g_value, 0.9f * s_m_in[element]);
  const float s_v_next = fmaf(0.001f * g_value, g_value, 0.999f * s_v_in[element]);
  const float correct1 = float(s_step[0] + 1);

  // updated
  const float updated_1 = sqrtf(s_v_next / (1.0f - powf(0.999f, correct1))) + 1e-8f;
  const float updated_2 = s_m_next / (1.0f - powf(0.9f, correct1)) / updated_1;

  p_out[element] = fmaf(-0.0003f, fmaf(0.1f, p_value, updated_2), p_value);
  s_m_out[element] = s_m_next;
  s_v_out[element] = s_v_next;
}

}  // namespace p_new_layer0_up

// p_new_layer0_k: power, sqrt, multiply, add, subtract, ... over f32[16,16].
//
//   in   p_in      f32[16,16]
//   in   g         f32[16,16]
//   in   s_m_in    f32[16,16]
//   in   s_step    s32[]
//   in   s_v_in    f32[16,16]
//   out  p_out     f32[16,16]
//   out  s_m_out   f32[16,16]
//   out  s_v_out   f32[16,16]
//
//   s_m_out   = 0.9 * s_m_in + 0.1 * g
//   s_v_out   = 0.999 * s_v_in + 0.001 * g * g
//   correct1  = f32(s_step + 1)
//   updated_1 = sqrt(s_v_out / (1 - power(0.999, correct1))) + 1e-08
//   updated_2 = s_m_out / (1 - power(0.9, correct1)) / updated_1
//   p_out     = p_in - 3e-04 * (updated_2 + 0.1 * p_in)
//
// 8 blocks of 32 threads. Reads 4.1 kB, writes 3.1 kB.
// So for 9 sets of arrays, of one launch or of several; the names here stand for those of each.
namespace p_new_layer0_k {

constexpr int kElements = 256;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// No pointer is __restrict__: an _in and its _out, as p_in and p_out, may be one array; other parts
// of the launch write s_step.
__device__ void run(int block, const AdamwUpdateArrays::PNewLayer0KArrays& arrays) {
  const auto& [p_in, g, s_m_in, s_step, s_v_in, p_out, s_m_out, s_v_out] = arrays;
  const int element = block * kThreads + threadIdx.x;

  const float p_value = p_in[element];

  const float g_value = g[element];
  const float s_m_next = fmaf(0.1f, g_value, 0.9f * s_m_in[element]);
  const float s_v_next = fmaf(0.001f * g_value, g_value, 0.999f * s_v_in[element]);
  const float correct1 = float(s_step[0] + 1);

  // updated
  const float updated_1 = sqrtf(s_v_next / (1.0f - powf(0.999f, correct1))) + 1e-8f;
  const float updated_2 = s_m_next / (1.0f - powf(0.9f, correct1)) / updated_1;

  p_out[element] = fmaf(-0.0003f, fmaf(0.1f, p_value, updated_2), p_value);
  s_m_out[element] = s_m_next;
  s_v_out[element] = s_v_next;
}

}  // namespace p_new_layer0_k

// p_new_layer0_qkv_bias: power, sqrt, multiply, add, subtract, ... over f32[3,16].
//
//   in   p_qkv_bias_in      f32[3,16]
//   in   g_qkv_bias         f32[3,16]
//   in   s_m_qkv_bias_in    f32[3,16]
//   in   s_step             s32[]
//   in   s_v_qkv_bias_in    f32[3,16]
//   out  p_qkv_bias_out     f32[3,16]
//   out  s_m_qkv_bias_out   f32[3,16]
//   out  s_v_qkv_bias_out   f32[3,16]
//
//   s_m_qkv_bias_out = 0.9 * s_m_qkv_bias_in + 0.1 * g_qkv_bias
//   v                = 0.999 * s_v_qkv_bias_in
//   s_v_qkv_bias_out = v + 0.001 * g_qkv_bias * g_qkv_bias
//   correct1         = f32(s_step + 1)
//   updated_1        = s_m_qkv_bias_out / (1 - power(0.9, correct1))
//   updated_2        = sqrt(s_v_qkv_bias_out / (1 - power(0.999, correct1)))
//   updated_3        = updated_1 / (updated_2 + 1e-08) + 0.1 * p_qkv_bias_in
//   p_qkv_bias_out   = p_qkv_bias_in - 3e-04 * updated_3
//
// 2 blocks of 32 threads. Reads 772 B, writes 576 B.
// So for 2 sets of arrays, of one launch or of several; the names here stand for those of each.
namespace p_new_layer0_qkv_bias {

constexpr int kElements = 48;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

// No pointer is __restrict__: an _in and its _out, as p_qkv_bias_in and p_qkv_bias_out, may be one
// array; other parts of the launch write s_step.
__device__ void run(int block, const AdamwUpdateArrays::PNewLayer0QkvBiasArrays& arrays) {
  const auto& [p_qkv_bias_in, g_qkv_bias, s_m_qkv_bias_in, s_step, s_v_qkv_bias_in, p_qkv_bias_out,
               s_m_qkv_bias_out, s_v_qkv_bias_out] = arrays;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float g_qkv_bias_value = g_qkv_bias[element];
  const float s_m_qkv_bias_next = fmaf(0.1f, g_qkv_bias_value, 0.9f * s_m_qkv_bias_in[element]);
  const float v = 0.999f * s_v_qkv_bias_in[element];
  const float s_v_qkv_bias_next = fmaf(0.001f * g_qkv_bias_value, g_qkv_bias_value, v);
  const float correct1 = float(s_step[0] + 1);

  // updated
  const float p_qkv_bias_value = p_qkv_bias_in[element];
  const float updated_1 = s_m_qkv_bias_next / (1.0f - powf(0.9f, correct1));
  const float updated_2 = sqrtf(s_v_qkv_bias_next / (1.0f - powf(0.999f, correct1)));
  const float updated_3 = fmaf(0.1f, p_qkv_bias_value, updated_1 / (updated_2 + 1e-8f));

  p_qkv_bias_out[element] = fmaf(-0.0003f, updated_3, p_qkv_bias_value);
  s_m_qkv_bias_out[element] = s_m_qkv_bias_next;
  s_v_qkv_bias_out[element] = s_v_qkv_bias_next;
}

}  // namespace p_new_layer0_qkv_bias

// p_new_layer0_up_bias: power, sqrt, multiply, add, subtract, ... over f32[64].
//
//   in   p_up_bias_in      f32[64]
//   in   g_up_bias         f32[64]
//   in   s_m_up_bias_in    f32[64]
//   in   s_step            s32[]
//   in   s_v_up_bias_in    f32[64]
//   out  p_up_bias_out     f32[64]
//   out  s_m_up_bias_out   f32[64]
//   out  s_v_up_bias_out   f32[64]
//
//   s_m_up_bias_out = 0.9 * s_m_up_bias_in + 0.1 * g_up_bias
//   v               = 0.999 * s_v_up_bias_in
//   s_v_up_bias_out = v + 0.001 * g_up_bias * g_up_bias
//   correct1        = f32(s_step + 1)
//   updated_1       = s_m_up_bias_out / (1 - power(0.9, correct1))
//   updated_2       = sqrt(s_v_up_bias_out / (1 - power(0.999, correct1)))
//   updated_3       = updated_1 / (updated_2 + 1e-08) + 0.1 * p_up_bias_in
//   p_up_bias_out   = p_up_bias_in - 3e-04 * updated_3
//
// 2 blocks of 32 threads. Reads 1.0 kB, writes 768 B.
// So for 2 sets of arrays, of one launch or of several; the names here stand for those of each.
namespace p_new_layer0_up_bias {

constexpr int kElements = 64;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// No pointer is __restrict__: an _in and its _out, as p_up_bias_in and p_up_bias_out, may be one
// array; other parts of the launch write s_step.
__device__ void run(int block, const AdamwUpdateArrays::PNewLayer0UpBiasArrays& arrays) {
  const auto& [p_up_bias_in, g_up_bias, s_m_up_bias_in, s_step, s_v_up_bias_in, p_up_bias_out,
               s_m_up_bias_out, s_v_up_bias_out] = arrays;
  const int element = block * kThreads + threadIdx.x;

  const float g_up_bias_value = g_up_bias[element];
  const float s_m_up_bias_next = fmaf(0.1f, g_up_bias_value, 0.9f * s_m_up_bias_in[element]);
  const float v = 0.999f * s_v_up_bias_in[element];
  const float s_v_up_bias_next = fmaf(0.001f * g_up_bias_value, g_up_bias_value, v);
  const float correct1 = float(s_step[0] + 1);

  // updated
  const float p_up_bias_value = p_up_bias_in[element];
  const float updated_1 = s_m_up_bias_next / (1.0f - powf(0.9f, correct1));
  const float updated_2 = sqrtf(s_v_up_bias_next / (1.0f - powf(0.999f, correct1)));
  const float updated_3 = fmaf(0.1f, p_up_bias_value, updated_1 / (updated_2 + 1e-8f));

  p_up_bias_out[element] = fmaf(-0.0003f, updated_3, p_up_bias_value);
  s_m_up_bias_out[element] = s_m_up_bias_next;
  s_v_up_bias_out[element] = s_v_up_bias_next;
}

}  // namespace p_new_layer0_up_bias

// p_new_final_norm: power, sqrt, add, multiply, subtract, ... over f32[16].
//
//   in   p_final_norm_in      f32[16]
//   in   g_final_norm         f32[16]
//   in   s_m_final_norm_in    f32[16]
//   in   s_step               s32[]
//   in   s_v_final_norm_in    f32[16]
//   out  p_final_norm_out     f32[16]
//   out  s_m_final_norm_out   f32[16]
//   out  s_v_final_norm_out   f32[16]
//
//   s_m_final_norm_out = 0.9 * s_m_final_norm_in + 0.1 * g_final_norm
//   v                  = 0.999 * s_v_final_norm_in
//   s_v_final_norm_out = v + 0.001 * g_final_norm * g_final_norm
//   correct1           = f32(s_step + 1)
//   updated_1          = sqrt(s_v_final_norm_out / (1 - power(0.999, correct1))) + 1e-08
//   updated_2          = s_m_final_norm_out / (1 - power(0.9, correct1)) / updated_1
//   updated_3          = updated_2 + 0.1 * p_final_norm_in
//   p_final_norm_out   = p_final_norm_in - 3e-04 * updated_3
//
// One block of 32 threads. Reads 260 B, writes 192 B.
namespace p_new_final_norm {

constexpr int kElements = 16;
constexpr int kThreads = 32;
constexpr int kBlocks = 1;

static_assert(kElements <= kThreads, "the one block has all elements");

// No pointer is __restrict__: an _in and its _out, as p_final_norm_in and p_final_norm_out, may be
// one array; other parts of the launch write s_step.
__device__ void run(const AdamwUpdateArrays::PNewFinalNormArrays& arrays) {
  const auto& [p_final_norm_in, g_final_norm, s_m_final_norm_in, s_step, s_v_final_norm_in,
               p_final_norm_out, s_m_final_norm_out, s_v_final_norm_out] = arrays;
  const int element = threadIdx.x;
  if (element >= kElements) return;

  const float g_final_norm_value = g_final_norm[element];
  const float s_m_final_norm_next =
      fmaf(0.1f, g_final_norm_value, 0.9f * s_m_final_norm_in[element]);
  const float v = 0.999f * s_v_final_norm_in[element];
  const float s_v_final_norm_next = fmaf(0.001f * g_final_norm_value, g_final_norm_value, v);
  const float correct1 = float(s_step[0] + 1);

  // updated
  const float p_final_norm_value = p_final_norm_in[element];
  const float updated_1 = sqrtf(s_v_final_norm_next / (1.0f - powf(0.999f, correct1))) + 1e-8f;
  const float updated_2 = s_m_final_norm_next / (1.0f - powf(0.9f, correct1)) / updated_1;
  const float updated_3 = fmaf(0.1f, p_final_norm_value, updated_2);

  p_final_norm_out[element] = fmaf(-0.0003f, updated_3, p_final_norm_value);
  s_m_final_norm_out[element] = s_m_final_norm_next;
  s_v_final_norm_out[element] = s_v_final_norm_next;
}

}  // namespace p_new_final_norm

// p_new_layer0_down_bias: power, sqrt, add, multiply, subtract, ... over f32[16].
//
//   in   p_in      f32[16]
//   in   g         f32[16]
//   in   s_m_in    f32[16]
//   in   s_step    s32[]
//   in   s_v_in    f32[16]
//   out  p_out     f32[16]
//   out  s_m_out   f32[16]
//   out  s_v_out   f32[16]
//
//   s_m_out   = 0.9 * s_m_in + 0.1 * g
//   s_v_out   = 0.999 * s_v_in + 0.001 * g * g
//   correct1  = f32(s_step + 1)
//   updated_1 = s_m_out / (1 - power(0.9, correct1))
//   updated_2 = sqrt(s_v_out / (1 - power(0.999, correct1)))
//   updated_3 = updated_1 / (updated_2 + 1e-08) + 0.1 * p_in
//   p_out     = p_in - 3e-04 * updated_3
//
// One block of 32 threads. Reads 260 B, writes 192 B.
// So for 12 sets of arrays, of one launch or of several; the names here stand for those of each.
namespace p_new_layer0_down_bias {

constexpr int kElements = 16;
constexpr int kThreads = 32;
constexpr int kBlocks = 1;

static_assert(kElements <= kThreads, "the one block has all elements");

// No pointer is __restrict__: an _in and its _out, as p_in and p_out, may be one array; other parts
// of the launch write s_step.
__device__ void run(const AdamwUpdateArrays::PNewLayer0DownBiasArrays& arrays) {
  const auto& [p_in, g, s_m_in, s_step, s_v_in, p_out, s_m_out, s_v_out] = arrays;
  const int element = threadIdx.x;
  if (element >= kElements) return;

  const float g_value = g[element];
  const float s_m_next = fmaf(0.1f, g_value, 0.9f * s_m_in[element]);
  const float s_v_next = fmaf(0.001f * g_value, g_value, 0.999f * s_v_in[element]);
  const float correct1 = float(s_step[0] + 1);

  // updated
  const float p_value = p_in[element];
  const float updated_1 = s_m_next / (1.0f - powf(0.9f, correct1));
  const float updated_2 = sqrtf(s_v_next / (1.0f - powf(0.999f, correct1)));
  const float updated_3 = fmaf(0.1f, p_value, updated_1 / (updated_2 + 1e-8f));

  p_out[element] = fmaf(-0.0003f, updated_3, p_value);
  s_m_out[element] = s_m_next;
  s_v_out[element] = s_v_next;
}

}  // namespace p_new_layer0_down_bias

// s_new_step: add over s32[].
//
//   in   s_step_in    s32[]
//   out  s_step_out   s32[]
//
//   s_step_out = s_step_in + 1
//
// One block of 32 threads. Reads 4 B, writes 4 B.
namespace s_new_step {

// Not __restrict__: s_step_in and s_step_out may be one array.
__device__ void run(const AdamwUpdateArrays::SNewStepArrays& arrays) {
  const auto& [s_step_in, s_step_out] = arrays;
  if (threadIdx.x > 0) return;

  s_step_out[0] = s_step_in[0] + 1;
}

}  // namespace s_new_step

constexpr int kThreads = 32;
constexpr int kBlocks =
    5 * p_new_layer0_up::kBlocks + 9 * p_new_layer0_k::kBlocks +
    2 * p_new_layer0_qkv_bias::kBlocks + 2 * p_new_layer0_up_bias::kBlocks +
    p_new_final_norm::kBlocks + 12 * p_new_layer0_down_bias::kBlocks;

// What the blocks do before the last goes on.
__device__ void run_parts(const AdamwUpdateArrays& arrays) {
  int block = blockIdx.x;
  if (block < 5 * p_new_layer0_up::kBlocks) {
    p_new_layer0_up::run(block % p_new_layer0_up::kBlocks, arrays.p_new_layer0_up[block / p_new_layer0_up::kBlocks]);
    return;
  }
  block -= 5 * p_new_layer0_up::kBlocks;
  if (block < 9 * p_new_layer0_k::kBlocks) {
    p_new_layer0_k::run(block % p_new_layer0_k::kBlocks, arrays.p_new_layer0_k[block / p_new_layer0_k::kBlocks]);
    return;
  }
  block -= 9 * p_new_layer0_k::kBlocks;
  if (block < 2 * p_new_layer0_qkv_bias::kBlocks) {
    p_new_layer0_qkv_bias::run(block % p_new_layer0_qkv_bias::kBlocks, arrays.p_new_layer0_qkv_bias[block / p_new_layer0_qkv_bias::kBlocks]);
    return;
  }
  block -= 2 * p_new_layer0_qkv_bias::kBlocks;
  if (block < 2 * p_new_layer0_up_bias::kBlocks) {
    p_new_layer0_up_bias::run(block % p_new_layer0_up_bias::kBlocks, arrays.p_new_layer0_up_bias[block / p_new_layer0_up_bias::kBlocks]);
    return;
  }
  block -= 2 * p_new_layer0_up_bias::kBlocks;
  if (block < p_new_final_norm::kBlocks) {
    p_new_final_norm::run(arrays.p_new_final_norm);
    return;
  }
  block -= p_new_final_norm::kBlocks;
  p_new_layer0_down_bias::run(arrays.p_new_layer0_down_bias[block / p_new_layer0_down_bias::kBlocks]);
}

__global__ void __launch_bounds__(kThreads)
adamw_update(const __grid_constant__ AdamwUpdateArrays arrays) {
  run_parts(arrays);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  s_new_step::run(arrays.s_new_step);
}

}  // namespace

cudaError_t
enqueue(const AdamwUpdateArrays& arrays, cudaStream_t stream) {
  return launch(adamw_update, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace adamw_update_kernels::adamw_update
