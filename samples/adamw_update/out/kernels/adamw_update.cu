// adamw_update: 6 computations on 32 sets of arrays, in one launch that divides its blocks among
// them; the last block to finish goes on alone.
//
//   update       5 x 32 blocks   power, sqrt, subtract, multiply, add, ... over f32[16,64]
//   update_6     9 x 8 blocks    power, sqrt, subtract, multiply, add, ... over f32[16,16]
//   update_15    2 x 2 blocks    power, sqrt, subtract, multiply, add, ... over f32[3,16]
//   update_17    2 x 2 blocks    power, sqrt, subtract, multiply, add, ... over f32[64]
//   update_19    13 x 1 blocks   power, sqrt, add, subtract, multiply, ... over f32[16]
//   step_value   last block      add over s32[]
//
// 253 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"

namespace adamw_update_kernels::adamw_update {
namespace {

// update: power, sqrt, subtract, multiply, add, ... over f32[16,64].
//
//   in   params_in     f32[16,64]
//   in   grads         f32[16,64]
//   in   state_m_in    f32[16,64]
//   in   state_step    s32[]
//   in   state_v_in    f32[16,64]
//   out  params_out    f32[16,64]
//   out  state_m_out   f32[16,64]
//   out  state_v_out   f32[16,64]
//
//   step_value_float = f32(state_step + 1)
//   state_m_out      = state_m_in * 0.9 + grads * 0.1
//   v_term           = state_v_in * 0.999
//   state_v_out      = v_term + grads * 0.001 * grads
//   denominator      = sqrt(state_v_out / (1 - power(0.999, step_value_float))) + 1e-08
//   ratio            = state_m_out / (1 - power(0.9, step_value_float)) / denominator
//   params_out       = params_in - (ratio + params_in * 0.1) * 3e-04
//
// 32 blocks of 32 threads. Reads 16.4 kB, writes 12.3 kB.
// So for 5 sets of arrays, of one launch or of several; the names here stand for those of each, the
// shapes are the first's.
namespace update {

constexpr int kElements = 1024;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// No pointer is __restrict__: an _in and its _out, as params_in and params_out, may be one array;
// other parts of the launch write state_step.
__device__ void run(int block, const AdamwUpdateArrays::UpdateArrays& arrays) {
  const auto& [params_in, grads, state_m_in, state_step, state_v_in, params_out, state_m_out,
               state_v_out] = arrays;
  const int element = block * kThreads + threadIdx.x;

  const float params_value = params_in[element];

  // adam
  const float grads_value = grads[element];
  const float state_m_next = fmaf(grads_value, 0.1f, state_m_in[element] * 0.9f);
  const float v_term = state_v_in[element] * 0.999f;
  const float state_v_next = fmaf(grads_value * 0.001f, grads_value, v_term);
  const float step_value_float = float(state_step[0] + 1);

  const float denominator = sqrtf(state_v_next / (1.0f - powf(0.999f, step_value_float))) + 1e-8f;
  const float ratio = state_m_next / (1.0f - powf(0.9f, step_value_float)) / denominator;

  params_out[element] = fmaf(-fmaf(params_value, 0.1f, ratio), 0.0003f, params_value);
  state_m_out[element] = state_m_next;
  state_v_out[element] = state_v_next;
}

}  // namespace update

// update_6: power, sqrt, subtract, multiply, add, ... over f32[16,16].
//
//   in   params_in     f32[16,16]
//   in   grads         f32[16,16]
//   in   state_m_in    f32[16,16]
//   in   state_step    s32[]
//   in   state_v_in    f32[16,16]
//   out  params_out    f32[16,16]
//   out  state_m_out   f32[16,16]
//   out  state_v_out   f32[16,16]
//
//   step_value_float = f32(state_step + 1)
//   state_m_out      = state_m_in * 0.9 + grads * 0.1
//   v_term           = state_v_in * 0.999
//   state_v_out      = v_term + grads * 0.001 * grads
//   denominator      = sqrt(state_v_out / (1 - power(0.999, step_value_float))) + 1e-08
//   ratio            = state_m_out / (1 - power(0.9, step_value_float)) / denominator
//   params_out       = params_in - (ratio + params_in * 0.1) * 3e-04
//
// 8 blocks of 32 threads. Reads 4.1 kB, writes 3.1 kB.
// So for 9 sets of arrays, of one launch or of several; the names here stand for those of each.
namespace update_6 {

constexpr int kElements = 256;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// No pointer is __restrict__: an _in and its _out, as params_in and params_out, may be one array;
// other parts of the launch write state_step.
__device__ void run(int block, const AdamwUpdateArrays::Update6Arrays& arrays) {
  const auto& [params_in, grads, state_m_in, state_step, state_v_in, params_out, state_m_out,
               state_v_out] = arrays;
  const int element = block * kThreads + threadIdx.x;

  const float params_value = params_in[element];

  // adam
  const float grads_value = grads[element];
  const float state_m_next = fmaf(grads_value, 0.1f, state_m_in[element] * 0.9f);
  const float v_term = state_v_in[element] * 0.999f;
  const float state_v_next = fmaf(grads_value * 0.001f, grads_value, v_term);
  const float step_value_float = float(state_step[0] + 1);

  const float denominator = sqrtf(state_v_next / (1.0f - powf(0.999f, step_value_float))) + 1e-8f;
  const float ratio = state_m_next / (1.0f - powf(0.9f, step_value_float)) / denominator;

  params_out[element] = fmaf(-fmaf(params_value, 0.1f, ratio), 0.0003f, params_value);
  state_m_out[element] = state_m_next;
  state_v_out[element] = state_v_next;
}

}  // namespace update_6

// update_15: power, sqrt, subtract, multiply, add, ... over f32[3,16].
//
//   in   params_qkv_bias_in     f32[3,16]
//   in   grads_qkv_bias         f32[3,16]
//   in   state_m_qkv_bias_in    f32[3,16]
//   in   state_step             s32[]
//   in   state_v_qkv_bias_in    f32[3,16]
//   out  params_qkv_bias_out    f32[3,16]
//   out  state_m_qkv_bias_out   f32[3,16]
//   out  state_v_qkv_bias_out   f32[3,16]
//
//   step_value_float     = f32(state_step + 1)
//   state_m_qkv_bias_out = state_m_qkv_bias_in * 0.9 + grads_qkv_bias * 0.1
//   v_term               = state_v_qkv_bias_in * 0.999
//   state_v_qkv_bias_out = v_term + grads_qkv_bias * 0.001 * grads_qkv_bias
//   root                 = sqrt(state_v_qkv_bias_out / (1 - power(0.999, step_value_float)))
//   denominator          = root + 1e-08
//   ratio                = state_m_qkv_bias_out / (1 - power(0.9, step_value_float)) / denominator
//   sum                  = ratio + params_qkv_bias_in * 0.1
//   params_qkv_bias_out  = params_qkv_bias_in - sum * 3e-04
//
// 2 blocks of 32 threads. Reads 772 B, writes 576 B.
// So for 2 sets of arrays, of one launch or of several; the names here stand for those of each.
namespace update_15 {

constexpr int kElements = 48;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

// No pointer is __restrict__: an _in and its _out, as params_qkv_bias_in and params_qkv_bias_out,
// may be one array; other parts of the launch write state_step.
__device__ void run(int block, const AdamwUpdateArrays::Update15Arrays& arrays) {
  const auto& [params_qkv_bias_in, grads_qkv_bias, state_m_qkv_bias_in, state_step,
               state_v_qkv_bias_in, params_qkv_bias_out, state_m_qkv_bias_out,
               state_v_qkv_bias_out] = arrays;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  // adam
  const float grads_qkv_bias_value = grads_qkv_bias[element];
  const float state_m_qkv_bias_next =
      fmaf(grads_qkv_bias_value, 0.1f, state_m_qkv_bias_in[element] * 0.9f);
  const float v_term = state_v_qkv_bias_in[element] * 0.999f;
  const float state_v_qkv_bias_next =
      fmaf(grads_qkv_bias_value * 0.001f, grads_qkv_bias_value, v_term);
  const float step_value_float = float(state_step[0] + 1);

  const float params_qkv_bias_value = params_qkv_bias_in[element];
  const float denominator =
      sqrtf(state_v_qkv_bias_next / (1.0f - powf(0.999f, step_value_float))) + 1e-8f;
  const float ratio = state_m_qkv_bias_next / (1.0f - powf(0.9f, step_value_float)) / denominator;
  const float sum = fmaf(params_qkv_bias_value, 0.1f, ratio);

  params_qkv_bias_out[element] = fmaf(-sum, 0.0003f, params_qkv_bias_value);
  state_m_qkv_bias_out[element] = state_m_qkv_bias_next;
  state_v_qkv_bias_out[element] = state_v_qkv_bias_next;
}

}  // namespace update_15

// update_17: power, sqrt, subtract, multiply, add, ... over f32[64].
//
//   in   params_up_bias_in     f32[64]
//   in   grads_up_bias         f32[64]
//   in   state_m_up_bias_in    f32[64]
//   in   state_step            s32[]
//   in   state_v_up_bias_in    f32[64]
//   out  params_up_bias_out    f32[64]
//   out  state_m_up_bias_out   f32[64]
//   out  state_v_up_bias_out   f32[64]
//
//   step_value_float    = f32(state_step + 1)
//   state_m_up_bias_out = state_m_up_bias_in * 0.9 + grads_up_bias * 0.1
//   v_term              = state_v_up_bias_in * 0.999
//   state_v_up_bias_out = v_term + grads_up_bias * 0.001 * grads_up_bias
//   root                = sqrt(state_v_up_bias_out / (1 - power(0.999, step_value_float)))
//   denominator         = root + 1e-08
//   ratio               = state_m_up_bias_out / (1 - power(0.9, step_value_float)) / denominator
//   sum                 = ratio + params_up_bias_in * 0.1
//   params_up_bias_out  = params_up_bias_in - sum * 3e-04
//
// 2 blocks of 32 threads. Reads 1.0 kB, writes 768 B.
// So for 2 sets of arrays, of one launch or of several; the names here stand for those of each.
namespace update_17 {

constexpr int kElements = 64;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// No pointer is __restrict__: an _in and its _out, as params_up_bias_in and params_up_bias_out, may
// be one array; other parts of the launch write state_step.
__device__ void run(int block, const AdamwUpdateArrays::Update17Arrays& arrays) {
  const auto& [params_up_bias_in, grads_up_bias, state_m_up_bias_in, state_step, state_v_up_bias_in,
               params_up_bias_out, state_m_up_bias_out, state_v_up_bias_out] = arrays;
  const int element = block * kThreads + threadIdx.x;

  // adam
  const float grads_up_bias_value = grads_up_bias[element];
  const float state_m_up_bias_next =
      fmaf(grads_up_bias_value, 0.1f, state_m_up_bias_in[element] * 0.9f);
  const float v_term = state_v_up_bias_in[element] * 0.999f;
  const float state_v_up_bias_next =
      fmaf(grads_up_bias_value * 0.001f, grads_up_bias_value, v_term);
  const float step_value_float = float(state_step[0] + 1);

  const float params_up_bias_value = params_up_bias_in[element];
  const float denominator =
      sqrtf(state_v_up_bias_next / (1.0f - powf(0.999f, step_value_float))) + 1e-8f;
  const float ratio = state_m_up_bias_next / (1.0f - powf(0.9f, step_value_float)) / denominator;
  const float sum = fmaf(params_up_bias_value, 0.1f, ratio);

  params_up_bias_out[element] = fmaf(-sum, 0.0003f, params_up_bias_value);
  state_m_up_bias_out[element] = state_m_up_bias_next;
  state_v_up_bias_out[element] = state_v_up_bias_next;
}

}  // namespace update_17

// update_19: power, sqrt, add, subtract, multiply, ... over f32[16].
//
//   in   params_in     f32[16]
//   in   grads         f32[16]
//   in   state_m_in    f32[16]
//   in   state_step    s32[]
//   in   state_v_in    f32[16]
//   out  params_out    f32[16]
//   out  state_m_out   f32[16]
//   out  state_v_out   f32[16]
//
//   step_value_float = f32(state_step + 1)
//   state_m_out      = state_m_in * 0.9 + grads * 0.1
//   v_term           = state_v_in * 0.999
//   state_v_out      = v_term + grads * 0.001 * grads
//   denominator      = sqrt(state_v_out / (1 - power(0.999, step_value_float))) + 1e-08
//   ratio            = state_m_out / (1 - power(0.9, step_value_float)) / denominator
//   params_out       = params_in - (ratio + params_in * 0.1) * 3e-04
//
// One block of 32 threads. Reads 260 B, writes 192 B.
// So for 13 sets of arrays, of one launch or of several; the names here stand for those of each.
namespace update_19 {

constexpr int kElements = 16;
constexpr int kThreads = 32;
constexpr int kBlocks = 1;

static_assert(kElements <= kThreads, "the one block has all elements");

// No pointer is __restrict__: an _in and its _out, as params_in and params_out, may be one array;
// other parts of the launch write state_step.
__device__ void run(const AdamwUpdateArrays::Update19Arrays& arrays) {
  const auto& [params_in, grads, state_m_in, state_step, state_v_in, params_out, state_m_out,
               state_v_out] = arrays;
  const int element = threadIdx.x;
  if (element >= kElements) return;

  const float params_value = params_in[element];

  // adam
  const float grads_value = grads[element];
  const float state_m_next = fmaf(grads_value, 0.1f, state_m_in[element] * 0.9f);
  const float v_term = state_v_in[element] * 0.999f;
  const float state_v_next = fmaf(grads_value * 0.001f, grads_value, v_term);
  const float step_value_float = float(state_step[0] + 1);

  const float denominator = sqrtf(state_v_next / (1.0f - powf(0.999f, step_value_float))) + 1e-8f;
  const float ratio = state_m_next / (1.0f - powf(0.9f, step_value_float)) / denominator;

  params_out[element] = fmaf(-fmaf(params_value, 0.1f, ratio), 0.0003f, params_value);
  state_m_out[element] = state_m_next;
  state_v_out[element] = state_v_next;
}

}  // namespace update_19

// step_value: add over s32[].
//
//   in   state_step_in    s32[]
//   out  state_step_out   s32[]
//
//   state_step_out = state_step_in + 1
//
// One block of 32 threads. Reads 4 B, writes 4 B.
namespace step_value {

// Not __restrict__: state_step_in and state_step_out may be one array.
__device__ void run(const AdamwUpdateArrays::StepValueArrays& arrays) {
  const auto& [state_step_in, state_step_out] = arrays;
  if (threadIdx.x > 0) return;

  state_step_out[0] = state_step_in[0] + 1;
}

}  // namespace step_value

constexpr int kThreads = 32;
constexpr int kBlocks =
    5 * update::kBlocks + 9 * update_6::kBlocks + 2 * update_15::kBlocks + 2 * update_17::kBlocks +
    13 * update_19::kBlocks;

// What the blocks do before the last goes on.
__device__ void run_parts(const AdamwUpdateArrays& arrays) {
  int block = blockIdx.x;
  if (block < 5 * update::kBlocks) {
    update::run(block % update::kBlocks, arrays.update[block / update::kBlocks]);
    return;
  }
  block -= 5 * update::kBlocks;
  if (block < 9 * update_6::kBlocks) {
    update_6::run(block % update_6::kBlocks, arrays.update_6[block / update_6::kBlocks]);
    return;
  }
  block -= 9 * update_6::kBlocks;
  if (block < 2 * update_15::kBlocks) {
    update_15::run(block % update_15::kBlocks, arrays.update_15[block / update_15::kBlocks]);
    return;
  }
  block -= 2 * update_15::kBlocks;
  if (block < 2 * update_17::kBlocks) {
    update_17::run(block % update_17::kBlocks, arrays.update_17[block / update_17::kBlocks]);
    return;
  }
  block -= 2 * update_17::kBlocks;
  update_19::run(arrays.update_19[block / update_19::kBlocks]);
}

__global__ void __launch_bounds__(kThreads)
adamw_update(const __grid_constant__ AdamwUpdateArrays arrays) {
  run_parts(arrays);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  step_value::run(arrays.step_value);
}

}  // namespace

cudaError_t
enqueue(const AdamwUpdateArrays& arrays, cudaStream_t stream) {
  return launch(adamw_update, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace adamw_update_kernels::adamw_update
