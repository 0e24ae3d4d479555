// sub_1: multiply, add, subtract, divide, sqrt over f32[64,16].
//
//   in   params_embedding    f32[64,16]
//   in   grads_embedding     f32[64,16]
//   in   state_m_embedding   f32[64,16]
//   in   state_v_embedding   f32[64,16]
//   in   power               f32[]
//   in   power               f32[]
//   out  sub_1               f32[64,16]
//   out  add_1               f32[64,16]
//   out  add_33              f32[64,16]
//
//   adam    multiply, add, subtract
//   update  divide, sqrt, add, multiply, subtract
//
// 32 blocks of 32 threads. Reads 16.4 kB, writes 12.3 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace adamw_update_kernels {
namespace {

constexpr int kElements = 1024;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
sub_1(const float* params_embedding,
      const float* __restrict__ grads_embedding,
      const float* state_m_embedding,
      const float* state_v_embedding,
      const float* __restrict__ power,
      const float* __restrict__ power_1,
      float* sub_1_out,
      float* add_1,
      float* add_33) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  // adam
  const float grads_embedding_value = grads_embedding[element];
  const float add_2 = fmaf(grads_embedding_value, 0.1f, state_m_embedding[element] * 0.9f);
  const float mul = state_v_embedding[element] * 0.999f;
  const float add_3 = fmaf(grads_embedding_value * 0.001f, grads_embedding_value, mul);

  // update
  const float params_embedding_value = params_embedding[element];
  const float div = add_2 / (1.0f - power[0]) / (sqrtf(add_3 / (1.0f - power_1[0])) + 1e-8f);
  const float add_4 = fmaf(params_embedding_value, 0.1f, div);

  sub_1_out[element] = fmaf(-add_4, 0.0003f, params_embedding_value);
  add_1[element] = add_2;
  add_33[element] = add_3;
}

}  // namespace

cudaError_t
launch_sub_1(const float* params_embedding,
             const float* grads_embedding,
             const float* state_m_embedding,
             const float* state_v_embedding,
             const float* power,
             const float* power_1,
             float* sub_1_out,
             float* add_1,
             float* add_33,
             cudaStream_t stream) {
  return launch(sub_1, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_embedding, grads_embedding, state_m_embedding, state_v_embedding, power,
                power_1, sub_1_out, add_1, add_33);
}

}  // namespace adamw_update_kernels
