// adamw_update: 6 computations on 32 sets of arrays, in one launch that divides its blocks among
// them; the last block to finish goes on alone.
//
//   updated      5 x 32 blocks   power, sqrt, add, multiply, subtract, ... over f32[16,64]
//   updated_6    9 x 8 blocks    power, sqrt, add, multiply, subtract, ... over f32[16,16]
//   updated_15   2 x 2 blocks    power, sqrt, add, multiply, subtract, ... over f32[3,16]
//   updated_17   2 x 2 blocks    power, sqrt, add, multiply, subtract, ... over f32[64]
//   updated_19   13 x 1 blocks   power, sqrt, add, multiply, subtract, ... over f32[16]
//   step         last block      add over s32[]
//
// 253 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"

namespace adamw_update_kernels::adamw_update {
namespace {

// updated: power, sqrt, add, multiply, subtract, ... over f32[16,64].
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
//   updated_2 = s_m_out / (1 - power(0.9, correct1)) / updated_1 + 0.1 * p_in
//   p_out     = p_in - 3e-04 * updated_2
//
// 32 blocks of 32 threads. Reads 16.4 kB, writes 12.3 kB.
// So for 5 sets of arrays, of one launch or of several; the names here stand for those of each, the
// shapes are the first's.
namespace updated {

constexpr int kElements = 1024;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// No pointer is __restrict__: an _in and its _out, as p_in and p_out, may be one array; other parts
// of the launch write s_step.
__device__ void run(int block, const AdamwUpdateArrays::UpdatedArrays& arrays) {
  const auto& [p_in, g, s_m_in, s_step, s_v_in, p_out, s_m_out, s_v_out] = arrays;
  const int element = block * kThreads + threadIdx.x;

  const float g_value = g[element];
  const float s_m_next = fmaf(0.1f, g_value, 0.9f * s_m_in[element]);
  const float s_v_next = fmaf(0.001f * g_value, g_value, 0.999f * s_v_in[element]);
  const float correct1 = float(s_step[0] + 1);

  const float p_value = p_in[element];
  const float updated_1 = sqrtf(s_v_next / (1.0f - powf(0.999f, correct1))) + 1e-8f;
  const float updated_2 = fmaf(0.1f, p_value, s_m_next / (1.0f - powf(0.9f, correct1)) / updated_1);

  p_out[element] = fmaf(-0.0003f, updated_2, p_value);
  s_m_out[element] = s_m_next;
  s_v_out[element] = s_v_next;
}

}  // namespace updated

// updated_6: power, sqrt, add, multiply, subtract, ... over f32[16,16].
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
//   updated_2 = s_m_out / (1 - power(0.9, correct1)) / updated_1 + 0.1 * p_in
//   p_out     = p_in - 3e-04 * updated_2
//
// 8 blocks of 32 threads. Reads 4.1 kB, writes 3.1 kB.
// So for 9 sets of arrays, of one launch or of several; the names here stand for those of each.
namespace updated_6 {

constexpr int kElements = 256;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// No pointer is __restrict__: an _in and its _out, as p_in and p_out, may be one array; other parts
// of the launch write s_step.
__device__ void run(int block, const AdamwUpdateArrays::Updated6Arrays& arrays) {
  const auto& [p_in, g, s_m_in, s_step, s_v_in, p_out, s_m_out, s_v_out] = arrays;
  const int element = block * kThreads + threadIdx.x;

  const float g_value = g[element];
  const float s_m_next = fmaf(0.1f, g_value, 0.9f * s_m_in[element]);
  const float s_v_next = fmaf(0.001f * g_value, g_value, 0.999f * s_v_in[element]);
  const float correct1 = float(s_step[0] + 1);

  const float p_value = p_in[element];
  const float updated_1 = sqrtf(s_v_next / (1.0f - powf(0.999f, correct1))) + 1e-8f;
  const float updated_2 = fmaf(0.1f, p_value, s_m_next / (1.0f - powf(0.9f, correct1)) / updated_1);

  p_out[element] = fmaf(-0.0003f, updated_2, p_value);
  s_m_out[element] = s_m_next;
  s_v_out[element] = s_v_next;
}

}  // namespace updated_6

// updated_15: power, sqrt, add, multiply, subtract, ... over f32[3,16].
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
//   updated_1        = sqrt(s_v_qkv_bias_out / (1 - power(0.999, correct1))) + 1e-08
//   updated_2        = s_m_qkv_bias_out / (1 - power(0.9, correct1)) / updated_1
//   p_qkv_bias_out   = p_qkv_bias_in - 3e-04 * (updated_2 + 0.1 * p_qkv_bias_in)
//
// 2 blocks of 32 threads. Reads 772 B, writes 576 B.
// So for 2 sets of arrays, of one launch or of several; the names here stand for those of each.
namespace updated_15 {

constexpr int kElements = 48;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

// No pointer is __restrict__: an _in and its _out, as p_qkv_bias_in and p_qkv_bias_out, may be one
// array; other parts of the launch write s_step.
__device__ void run(int block, const AdamwUpdateArrays::Updated15Arrays& arrays) {
  const auto& [p_qkv_bias_in, g_qkv_bias, s_m_qkv_bias_in, s_step, s_v_qkv_bias_in, p_qkv_bias_out,
               s_m_qkv_bias_out, s_v_qkv_bias_out] = arrays;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float p_qkv_bias_value = p_qkv_bias_in[element];

  const float g_qkv_bias_value = g_qkv_bias[element];
  const float s_m_qkv_bias_next = fmaf(0.1f, g_qkv_bias_value, 0.9f * s_m_qkv_bias_in[element]);
  const float v = 0.999f * s_v_qkv_bias_in[element];
  const float s_v_qkv_bias_next = fmaf(0.001f * g_qkv_bias_value, g_qkv_bias_value, v);
  const float correct1 = float(s_step[0] + 1);

  const float updated_1 = sqrtf(s_v_qkv_bias_next / (1.0f - powf(0.999f, correct1))) + 1e-8f;
  const float updated_2 = s_m_qkv_bias_next / (1.0f - powf(0.9f, correct1)) / updated_1;

  p_qkv_bias_out[element] =
      fmaf(-0.0003f, fmaf(0.1f, p_qkv_bias_value, updated_2), p_qkv_bias_value);
  s_m_qkv_bias_out[element] = s_m_qkv_bias_next;
  s_v_qkv_bias_out[element] = s_v_qkv_bias_next;
}

}  // namespace updated_15

// updated_17: power, sqrt, add, multiply, subtract, ... over f32[64].
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
//   updated_1       = sqrt(s_v_up_bias_out / (1 - power(0.999, correct1))) + 1e-08
//   updated_2       = s_m_up_bias_out / (1 - power(0.9, correct1)) / updated_1
//   p_up_bias_out   = p_up_bias_in - 3e-04 * (updated_2 + 0.1 * p_up_bias_in)
//
// 2 blocks of 32 threads. Reads 1.0 kB, writes 768 B.
// So for 2 sets of arrays, of one launch or of several; the names here stand for those of each.
namespace updated_17 {

constexpr int kElements = 64;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// No pointer is __restrict__: an _in and its _out, as p_up_bias_in and p_up_bias_out, may be one
// array; other parts of the launch write s_step.
__device__ void run(int block, const AdamwUpdateArrays::Updated17Arrays& arrays) {
  const auto& [p_up_bias_in, g_up_bias, s_m_up_bias_in, s_step, s_v_up_bias_in, p_up_bias_out,
               s_m_up_bias_out, s_v_up_bias_out] = arrays;
  const int element = block * kThreads + threadIdx.x;

  const float p_up_bias_value = p_up_bias_in[element];

  const float g_up_bias_value = g_up_bias[element];
  const float s_m_up_bias_next = fmaf(0.1f, g_up_bias_value, 0.9f * s_m_up_bias_in[element]);
  const float v = 0.999f * s_v_up_bias_in[element];
  const float s_v_up_bias_next = fmaf(0.001f * g_up_bias_value, g_up_bias_value, v);
  const float correct1 = float(s_step[0] + 1);

  const float updated_1 = sqrtf(s_v_up_bias_next / (1.0f - powf(0.999f, correct1))) + 1e-8f;
  const float updated_2 = s_m_up_bias_next / (1.0f - powf(0.9f, correct1)) / updated_1;

  p_up_bias_out[element] = fmaf(-0.0003f, fmaf(0.1f, p_up_bias_value, updated_2), p_up_bias_value);
  s_m_up_bias_out[element] = s_m_up_bias_next;
  s_v_up_bias_out[element] = s_v_up_bias_next;
}

}  // namespace updated_17

// updated_19: power, sqrt, add, multiply, subtract, ... over f32[16].
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
//   updated_1 = sqrt(s_v_out / (1 - power(0.999, correct1))) + 1e-08
//   updated_2 = s_m_out / (1 - power(0.9, correct1)) / updated_1 + 0.1 * p_in
//   p_out     = p_in - 3e-04 * updated_2
//
// One block of 32 threads. Reads 260 B, writes 192 B.
// So for 13 sets of arrays, of one launch or of several; the names here stand for those of each.
namespace updated_19 {

constexpr int kElements = 16;
constexpr int kThreads = 32;
constexpr int kBlocks = 1;

static_assert(kElements <= kThreads, "the one block has all elements");

// No pointer is __restrict__: an _in and its _out, as p_in and p_out, may be one array; other parts
// of the launch write s_step.
__device__ void run(const AdamwUpdateArrays::Updated19Arrays& arrays) {
  const auto& [p_in, g, s_m_in, s_step, s_v_in, p_out, s_m_out, s_v_out] = arrays;
  const int element = threadIdx.x;
  if (element >= kElements) return;

  const float g_value = g[element];
  const float s_m_next = fmaf(0.1f, g_value, 0.9f * s_m_in[element]);
  const float s_v_next = fmaf(0.001f * g_value, g_value, 0.999f * s_v_in[element]);
  const float correct1 = float(s_step[0] + 1);

  const float p_value = p_in[element];
  const float updated_1 = sqrtf(s_v_next / (1.0f - powf(0.999f, correct1))) + 1e-8f;
  const float updated_2 = fmaf(0.1f, p_value, s_m_next / (1.0f - powf(0.9f, correct1)) / updated_1);

  p_out[element] = fmaf(-0.0003f, updated_2, p_value);
  s_m_out[element] = s_m_next;
  s_v_out[element] = s_v_next;
}

}  // namespace updated_19

// step: add over s32[].
//
//   in   s_step_in    s32[]
//   out  s_step_out   s32[]
//
//   s_step_out = s_step_in + 1
//
// One block of 32 threads. Reads 4 B, writes 4 B.
namespace step {

// Not __restrict__: s_step_in and s_step_out may be one array.
__device__ void run(const AdamwUpdateArrays::StepArrays& arrays) {
  const auto& [s_step_in, s_step_out] = arrays;
  if (threadIdx.x > 0) return;

  s_step_out[0] = s_step_in[0] + 1;
}

}  // namespace step

constexpr int kThreads = 32;
constexpr int kBlocks =
    5 * updated::kBlocks + 9 * updated_6::kBlocks + 2 * updated_15::kBlocks +
    2 * updated_17::kBlocks + 13 * updated_19::kBlocks;

// What the blocks do before the last goes on.
__device__ void run_parts(const AdamwUpdateArrays& arrays) {
  int block = blockIdx.x;
  if (block < 5 * updated::kBlocks) {
    updated::run(block % updated::kBlocks, arrays.updated[block / updated::kBlocks]);
    return;
  }
  block -= 5 * updated::kBlocks;
  if (block < 9 * updated_6::kBlocks) {
    updated_6::run(block % updated_6::kBlocks, arrays.updated_6[block / updated_6::kBlocks]);
    return;
  }
  block -= 9 * updated_6::kBlocks;
  if (block < 2 * updated_15::kBlocks) {
    updated_15::run(block % updated_15::kBlocks, arrays.updated_15[block / updated_15::kBlocks]);
    return;
  }
  block -= 2 * updated_15::kBlocks;
  if (block < 2 * updated_17::kBlocks) {
    updated_17::run(block % updated_17::kBlocks, arrays.updated_17[block / updated_17::kBlocks]);
    return;
  }
  block -= 2 * updated_17::kBlocks;
  updated_19::run(arrays.updated_19[block / updated_19::kBlocks]);
}

__global__ void __launch_bounds__(kThreads)
adamw_update(const __grid_constant__ AdamwUpdateArrays arrays) {
  run_parts(arrays);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  step::run(arrays.step);
}

}  // namespace

cudaError_t
enqueue(const AdamwUpdateArrays& arrays, cudaStream_t stream) {
  return launch(adamw_update, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace adamw_update_kernels::adamw_update
