// minibatch: dot, sqrt, subtract, multiply, add, ... over f32[16,16].
//
//   in   params_1_w_in     f32[16,16]
//   in   state_m_1_w_in    f32[16,16]
//   in   state_v_1_w_in    f32[16,16]
//   in   x                 f32[32,16]
//   in   mlp               f32[32,16]
//   in   power             f32[]
//   in   power_2           f32[]
//   out  state_m_1_w_out   f32[16,16]
//   out  state_v_1_w_out   f32[16,16]
//   out  params_1_w_out    f32[16,16]
//
//   dot             = dot(x, mlp), einsum=ab,ac->bc
//   state_m_1_w_out = state_m_1_w_in * 0.9 + dot * 0.1
//   state_v_1_w_out = state_v_1_w_in * 0.999 + dot * 0.001 * dot
//   denominator     = sqrt(state_v_1_w_out / (1 - power_2)) + 1e-08
//   ratio           = state_m_1_w_out / (1 - power) / denominator
//   params_1_w_out  = params_1_w_in - (ratio + params_1_w_in * 0) * 3e-04
//
// 8 blocks of 32 threads. Reads 7.2 kB, writes 3.1 kB.
// Launched in 2 places, on different arrays; the names here stand for those of each.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::minibatch {
namespace {

constexpr int kRows = 16;
constexpr int kColumns = 16;
constexpr int kElements = kRows * kColumns;  // 256
constexpr int kTerms = 32;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// Not __restrict__: an _in and its _out, as params_1_w_in and params_1_w_out, may be one array.
__global__ void __launch_bounds__(kThreads)
minibatch(const float* params_1_w_in,
          const float* state_m_1_w_in,
          const float* state_v_1_w_in,
          const float* __restrict__ x,
          const float* __restrict__ mlp,
          const float* __restrict__ power,
          const float* __restrict__ power_2,
          float* state_m_1_w_out,
          float* state_v_1_w_out,
          float* params_1_w_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const float params_1_w_value = params_1_w_in[element];

  // dense
  float dot = 0.0f;
  for (int k = 0; k < kTerms; ++k) dot = fmaf(x[k * kRows + row], mlp[k * kColumns + column], dot);

  // adam
  const float state_m_1_w_next = fmaf(dot, 0.1f, state_m_1_w_in[element] * 0.9f);
  const float state_v_1_w_next = fmaf(dot * 0.001f, dot, state_v_1_w_in[element] * 0.999f);

  // update
  const float ratio = state_m_1_w_next / (1.0f - power[0]) /
                      (sqrtf(state_v_1_w_next / (1.0f - power_2[0])) + 1e-8f);

  state_m_1_w_out[element] = state_m_1_w_next;
  state_v_1_w_out[element] = state_v_1_w_next;
  params_1_w_out[element] = fmaf(-fmaf(params_1_w_value, 0.0f, ratio), 0.0003f, params_1_w_value);
}

}  // namespace

cudaError_t
enqueue(const float* params_1_w_in, const float* state_m_1_w_in, const float* state_v_1_w_in,
        const float* x, const float* mlp, const float* power, const float* power_2,
        float* state_m_1_w_out, float* state_v_1_w_out, float* params_1_w_out,
        cudaStream_t stream) {
  return launch(minibatch, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_1_w_in, state_m_1_w_in, state_v_1_w_in, x, mlp, power, power_2,
                state_m_1_w_out, state_v_1_w_out, params_1_w_out);
}

}  // namespace ppo_update_kernels::minibatch
