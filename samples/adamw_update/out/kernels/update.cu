// update: 5 computations on 31 sets of arrays, in one launch that divides its blocks among them.
//
//   update_1    5 x 32 blocks   sqrt, subtract, multiply, add, divide over f32[16,64]
//   update_6    9 x 8 blocks    sqrt, subtract, multiply, add, divide over f32[16,16]
//   update_15   2 x 2 blocks    sqrt, subtract, multiply, add, divide over f32[3,16]
//   update_17   2 x 2 blocks    sqrt, subtract, multiply, add, divide over f32[64]
//   update_19   13 x 1 blocks   sqrt, subtract, multiply, add, divide over f32[16]
//
// 253 blocks of 32 threads.

#include "kernels.h"

#include "device/launch.cuh"

namespace adamw_update_kernels {
namespace {

// update_1: sqrt, subtract, multiply, add, divide over f32[16,64].
//
//   in   params_in     f32[16,64]
//   in   grads         f32[16,64]
//   in   state_m_in    f32[16,64]
//   in   state_v_in    f32[16,64]
//   in   power         f32[]
//   in   power_1       f32[]
//   out  params_out    f32[16,64]
//   out  state_m_out   f32[16,64]
//   out  state_v_out   f32[16,64]
//
//   state_m_out = state_m_in * 0.9 + grads * 0.1
//   mul         = state_v_in * 0.999
//   state_v_out = mul + grads * 0.001 * grads
//   div         = state_m_out / (1 - power) / (sqrt(state_v_out / (1 - power_1)) + 1e-08)
//   params_out  = params_in - (div + params_in * 0.1) * 3e-04
//
// 32 blocks of 32 threads. Reads 16.4 kB, writes 12.3 kB.
// So for each of 5 sets of arrays; the names here stand for those of each set, the shapes are the
// first's.
namespace update_1 {

constexpr int kElements = 1024;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const UpdateArrays::Update1Arrays& arrays) {
  const auto& [params_in, grads, state_m_in, state_v_in, power, power_1, params_out, state_m_out,
               state_v_out] = arrays;
  const int element = block * kThreads + threadIdx.x;

  const float params_value = params_in[element];

  // adam
  const float grads_value = grads[element];
  const float state_m_next = fmaf(grads_value, 0.1f, state_m_in[element] * 0.9f);
  const float mul = state_v_in[element] * 0.999f;
  const float state_v_next = fmaf(grads_value * 0.001f, grads_value, mul);

  // update
  const float div =
      state_m_next / (1.0f - power[0]) / (sqrtf(state_v_next / (1.0f - power_1[0])) + 1e-8f);

  params_out[element] = fmaf(-fmaf(params_value, 0.1f, div), 0.0003f, params_value);
  state_m_out[element] = state_m_next;
  state_v_out[element] = state_v_next;
}

}  // namespace update_1

// update_6: sqrt, subtract, multiply, add, divide over f32[16,16].
//
//   in   params_in     f32[16,16]
//   in   grads         f32[16,16]
//   in   state_m_in    f32[16,16]
//   in   state_v_in    f32[16,16]
//   in   power         f32[]
//   in   power_1       f32[]
//   out  params_out    f32[16,16]
//   out  state_m_out   f32[16,16]
//   out  state_v_out   f32[16,16]
//
//   state_m_out = state_m_in * 0.9 + grads * 0.1
//   mul         = state_v_in * 0.999
//   state_v_out = mul + grads * 0.001 * grads
//   div         = state_m_out / (1 - power) / (sqrt(state_v_out / (1 - power_1)) + 1e-08)
//   params_out  = params_in - (div + params_in * 0.1) * 3e-04
//
// 8 blocks of 32 threads. Reads 4.1 kB, writes 3.1 kB.
// So for each of 9 sets of arrays; the names here stand for those of each set.
namespace update_6 {

constexpr int kElements = 256;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const UpdateArrays::Update6Arrays& arrays) {
  const auto& [params_in, grads, state_m_in, state_v_in, power, power_1, params_out, state_m_out,
               state_v_out] = arrays;
  const int element = block * kThreads + threadIdx.x;

  const float params_value = params_in[element];

  // adam
  const float grads_value = grads[element];
  const float state_m_next = fmaf(grads_value, 0.1f, state_m_in[element] * 0.9f);
  const float mul = state_v_in[element] * 0.999f;
  const float state_v_next = fmaf(grads_value * 0.001f, grads_value, mul);

  // update
  const float div =
      state_m_next / (1.0f - power[0]) / (sqrtf(state_v_next / (1.0f - power_1[0])) + 1e-8f);

  params_out[element] = fmaf(-fmaf(params_value, 0.1f, div), 0.0003f, params_value);
  state_m_out[element] = state_m_next;
  state_v_out[element] = state_v_next;
}

}  // namespace update_6

// update_15: sqrt, subtract, multiply, add, divide over f32[3,16].
//
//   in   params_qkv_bias_in     f32[3,16]
//   in   grads_qkv_bias         f32[3,16]
//   in   state_m_qkv_bias_in    f32[3,16]
//   in   state_v_qkv_bias_in    f32[3,16]
//   in   power                  f32[]
//   in   power_1                f32[]
//   out  params_qkv_bias_out    f32[3,16]
//   out  state_m_qkv_bias_out   f32[3,16]
//   out  state_v_qkv_bias_out   f32[3,16]
//
//   state_m_qkv_bias_out = state_m_qkv_bias_in * 0.9 + grads_qkv_bias * 0.1
//   mul                  = state_v_qkv_bias_in * 0.999
//   state_v_qkv_bias_out = mul + grads_qkv_bias * 0.001 * grads_qkv_bias
//   add_1                = sqrt(state_v_qkv_bias_out / (1 - power_1)) + 1e-08
//   div                  = state_m_qkv_bias_out / (1 - power) / add_1
//   add                  = div + params_qkv_bias_in * 0.1
//   params_qkv_bias_out  = params_qkv_bias_in - add * 3e-04
//
// 2 blocks of 32 threads. Reads 776 B, writes 576 B.
// So for each of 2 sets of arrays; the names here stand for those of each set.
namespace update_15 {

constexpr int kElements = 48;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const UpdateArrays::Update15Arrays& arrays) {
  const auto& [params_qkv_bias_in, grads_qkv_bias, state_m_qkv_bias_in, state_v_qkv_bias_in, power,
               power_1, params_qkv_bias_out, state_m_qkv_bias_out, state_v_qkv_bias_out] = arrays;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  // adam
  const float grads_qkv_bias_value = grads_qkv_bias[element];
  const float state_m_qkv_bias_next =
      fmaf(grads_qkv_bias_value, 0.1f, state_m_qkv_bias_in[element] * 0.9f);
  const float mul = state_v_qkv_bias_in[element] * 0.999f;
  const float state_v_qkv_bias_next =
      fmaf(grads_qkv_bias_value * 0.001f, grads_qkv_bias_value, mul);

  // update
  const float params_qkv_bias_value = params_qkv_bias_in[element];
  const float div = state_m_qkv_bias_next / (1.0f - power[0]) /
                    (sqrtf(state_v_qkv_bias_next / (1.0f - power_1[0])) + 1e-8f);
  const float add = fmaf(params_qkv_bias_value, 0.1f, div);

  params_qkv_bias_out[element] = fmaf(-add, 0.0003f, params_qkv_bias_value);
  state_m_qkv_bias_out[element] = state_m_qkv_bias_next;
  state_v_qkv_bias_out[element] = state_v_qkv_bias_next;
}

}  // namespace update_15

// update_17: sqrt, subtract, multiply, add, divide over f32[64].
//
//   in   params_up_bias_in     f32[64]
//   in   grads_up_bias         f32[64]
//   in   state_m_up_bias_in    f32[64]
//   in   state_v_up_bias_in    f32[64]
//   in   power                 f32[]
//   in   power_1               f32[]
//   out  params_up_bias_out    f32[64]
//   out  state_m_up_bias_out   f32[64]
//   out  state_v_up_bias_out   f32[64]
//
//   state_m_up_bias_out = state_m_up_bias_in * 0.9 + grads_up_bias * 0.1
//   mul                 = state_v_up_bias_in * 0.999
//   state_v_up_bias_out = mul + grads_up_bias * 0.001 * grads_up_bias
//   add_1               = sqrt(state_v_up_bias_out / (1 - power_1)) + 1e-08
//   div                 = state_m_up_bias_out / (1 - power) / add_1
//   add                 = div + params_up_bias_in * 0.1
//   params_up_bias_out  = params_up_bias_in - add * 3e-04
//
// 2 blocks of 32 threads. Reads 1.0 kB, writes 768 B.
// So for each of 2 sets of arrays; the names here stand for those of each set.
namespace update_17 {

constexpr int kElements = 64;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const UpdateArrays::Update17Arrays& arrays) {
  const auto& [params_up_bias_in, grads_up_bias, state_m_up_bias_in, state_v_up_bias_in, power,
               power_1, params_up_bias_out, state_m_up_bias_out, state_v_up_bias_out] = arrays;
  const int element = block * kThreads + threadIdx.x;

  // adam
  const float grads_up_bias_value = grads_up_bias[element];
  const float state_m_up_bias_next =
      fmaf(grads_up_bias_value, 0.1f, state_m_up_bias_in[element] * 0.9f);
  const float mul = state_v_up_bias_in[element] * 0.999f;
  const float state_v_up_bias_next = fmaf(grads_up_bias_value * 0.001f, grads_up_bias_value, mul);

  // update
  const float params_up_bias_value = params_up_bias_in[element];
  const float div = state_m_up_bias_next / (1.0f - power[0]) /
                    (sqrtf(state_v_up_bias_next / (1.0f - power_1[0])) + 1e-8f);
  const float add = fmaf(params_up_bias_value, 0.1f, div);

  params_up_bias_out[element] = fmaf(-add, 0.0003f, params_up_bias_value);
  state_m_up_bias_out[element] = state_m_up_bias_next;
  state_v_up_bias_out[element] = state_v_up_bias_next;
}

}  // namespace update_17

// update_19: sqrt, subtract, multiply, add, divide over f32[16].
//
//   in   params_in     f32[16]
//   in   grads         f32[16]
//   in   state_m_in    f32[16]
//   in   state_v_in    f32[16]
//   in   power         f32[]
//   in   power_1       f32[]
//   out  params_out    f32[16]
//   out  state_m_out   f32[16]
//   out  state_v_out   f32[16]
//
//   state_m_out = state_m_in * 0.9 + grads * 0.1
//   mul         = state_v_in * 0.999
//   state_v_out = mul + grads * 0.001 * grads
//   div         = state_m_out / (1 - power) / (sqrt(state_v_out / (1 - power_1)) + 1e-08)
//   params_out  = params_in - (div + params_in * 0.1) * 3e-04
//
// One block of 32 threads. Reads 264 B, writes 192 B.
// So for each of 13 sets of arrays; the names here stand for those of each set.
namespace update_19 {

constexpr int kElements = 16;
constexpr int kThreads = 32;
constexpr int kBlocks = 1;

static_assert(kElements <= kThreads, "the one block has all elements");

__device__ void run(const UpdateArrays::Update19Arrays& arrays) {
  const auto& [params_in, grads, state_m_in, state_v_in, power, power_1, params_out, state_m_out,
               state_v_out] = arrays;
  const int element = threadIdx.x;
  if (element >= kElements) return;

  const float params_value = params_in[element];

  // adam
  const float grads_value = grads[element];
  const float state_m_next = fmaf(grads_value, 0.1f, state_m_in[element] * 0.9f);
  const float mul = state_v_in[element] * 0.999f;
  const float state_v_next = fmaf(grads_value * 0.001f, grads_value, mul);

  // update
  const float div =
      state_m_next / (1.0f - power[0]) / (sqrtf(state_v_next / (1.0f - power_1[0])) + 1e-8f);

  params_out[element] = fmaf(-fmaf(params_value, 0.1f, div), 0.0003f, params_value);
  state_m_out[element] = state_m_next;
  state_v_out[element] = state_v_next;
}

}  // namespace update_19

constexpr int kThreads = 32;
constexpr int kBlocks =
    5 * update_1::kBlocks + 9 * update_6::kBlocks + 2 * update_15::kBlocks +
    2 * update_17::kBlocks + 13 * update_19::kBlocks;

__global__ void __launch_bounds__(kThreads)
update(const __grid_constant__ UpdateArrays arrays) {
  int block = blockIdx.x;
  if (block < 5 * update_1::kBlocks) {
    update_1::run(block % update_1::kBlocks, arrays.update_1[block / update_1::kBlocks]);
    return;
  }
  block -= 5 * update_1::kBlocks;
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

}  // namespace

cudaError_t
launch_update(const UpdateArrays& arrays, cudaStream_t stream) {
  return launch(update, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace adamw_update_kernels
