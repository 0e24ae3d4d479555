// step_2: 12 steps of 96 elements; one element a thread, its state in registers; a block's threads
// take each step together.
//
//   in   params_h_w   f32[24,96]
//   in   params_x_b   f32[96]
//   in   xs_w         f32[12,4,96]
//   out  h_out        f32[4,24]
//   out  c_out        f32[4,24]
//   out  hs_out       f32[12,4,24]
//
//   loop t in [0, 12), carrying h, c:
//     gates_term    = dot(h, params_h_w)
//     gates         = xs_w[t,:,:] + gates_term + params_x_b
//     h_part        = exponential(-gates[:,72:96]) + 1
//     c_part        = exponential(-gates[:,24:48]) + 1
//     sigmoid       = 1 / (exponential(-gates[:,0:24]) + 1)
//     tanh_gates    = tanh(gates[:,48:72])
//     next_c        = 1 / c_part * c + sigmoid * tanh_gates
//     next_h        = 1 / h_part * tanh(next_c)
//     hs_out[t,:,:] = next_h
//
// One block of 96 threads. Reads 28.0 kB, writes 5.4 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace lstm_kernels::step_2 {
namespace {

constexpr int kRows = 4;
constexpr int kColumns = 24;
constexpr int kElements = kRows * kColumns;  // 96
constexpr int kSteps = 12;
constexpr int kTerms = 24;
constexpr int kThreads = 96;

static_assert(kElements == kThreads, "a thread of the one block has an element");

struct Shared {
  float h[kThreads];
};

__global__ void __launch_bounds__(kThreads)
step_2(const float* __restrict__ params_h_w,
       const float* __restrict__ params_x_b,
       const float* __restrict__ xs_w,
       float* __restrict__ h_out,
       float* __restrict__ c_out,
       float* __restrict__ hs_out) {
  Shared& shared = block_shared<Shared>();
  const int element = threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const float params_x_b_value_1 = params_x_b[column + 3 * kColumns];
  const float params_x_b_value_2 = params_x_b[column + kColumns];
  const float params_x_b_value_3 = params_x_b[column];
  const float params_x_b_value_4 = params_x_b[column + 2 * kColumns];
  float h = 0.0f;
  float c = 0.0f;

  for (int t = 0; t < kSteps; ++t) {
    __syncthreads();
    shared.h[threadIdx.x] = h;
    __syncthreads();

    const int index = t * 384 + row * 96 + column;

    float gates_term_1 = 0.0f;
    float gates_term_2 = 0.0f;
    float gates_term_3 = 0.0f;
    float gates_term_4 = 0.0f;
    for (int k = 0; k < kTerms; ++k) {
      gates_term_1 =
          fmaf(shared.h[row * kTerms + k], params_h_w[k * 96 + column + 72], gates_term_1);
      gates_term_2 =
          fmaf(shared.h[row * kTerms + k], params_h_w[k * 96 + column + 24], gates_term_2);
      gates_term_3 = fmaf(shared.h[row * kTerms + k], params_h_w[k * 96 + column], gates_term_3);
      gates_term_4 =
          fmaf(shared.h[row * kTerms + k], params_h_w[k * 96 + column + 48], gates_term_4);
    }
    const float c_part = expf(-(xs_w[index + 24] + gates_term_2 + params_x_b_value_2)) + 1.0f;
    const float sigmoid = 1.0f / (expf(-(xs_w[index] + gates_term_3 + params_x_b_value_3)) + 1.0f);
    const float tanh_gates = tanhf(xs_w[index + 48] + gates_term_4 + params_x_b_value_4);
    const float next_c = fmaf(sigmoid, tanh_gates, 1.0f / c_part * c);
    const float h_part = expf(-(xs_w[index + 72] + gates_term_1 + params_x_b_value_1)) + 1.0f;
    const float next_h = 1.0f / h_part * tanhf(next_c);
    c = next_c;
    h = next_h;

    hs_out[t * kElements + element] = next_h;
  }

  h_out[element] = h;
  c_out[element] = c;
}

}  // namespace

cudaError_t
enqueue(const float* params_h_w, const float* params_x_b, const float* xs_w, float* h_out,
        float* c_out, float* hs_out, cudaStream_t stream) {
  return launch(step_2, {.grid = 1, .block = kThreads}, stream,
                params_h_w, params_x_b, xs_w, h_out, c_out, hs_out);
}

}  // namespace lstm_kernels::step_2
