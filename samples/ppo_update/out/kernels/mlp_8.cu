// mlp_8: 3 computations, in one launch whose last block to finish goes on alone.
//
//   mlp_9         2 blocks     dot, subtract, multiply, add over f32[32,16]
//   minibatch_4   last block   dot, reduce, sqrt, multiply, add, ... over f32[16]
//   minibatch_5   last block   dot, sqrt, subtract, multiply, add, ... over f32[6,16]
//
// 2 blocks of 256 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/vector_access.cuh"

namespace ppo_update_kernels::mlp_8 {
namespace {

// mlp_9: dot, subtract, multiply, add over f32[32,16].
//
//   in   params_value_1_w   f32[16,16]
//   in   mlp_7              f32[32,16]
//   in   x_3                f32[32,16]
//   out  mlp_9_out          f32[32,16]
//
//   sum       = dot(mlp_7, params_value_1_w), einsum=ab,cb->ac
//   product   = sum * (1 - x_3)
//   mlp_9_out = product + product * x_3
//
// 2 blocks of 256 threads, a tile of 16 x 16 each. Reads 5.1 kB, writes 2.0 kB.
namespace mlp_9 {

constexpr int kM = 32;
constexpr int kN = 16;
constexpr int kK = 16;
constexpr int kTile = 16;
constexpr int kRowTiles = kM / kTile;     // 2
constexpr int kColumnTiles = kN / kTile;  // 1
constexpr int kBlocks = kColumnTiles * kRowTiles;

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile + 1];
};

// Not __restrict__: other parts of the launch read mlp_9_out.
__device__ void run(int block, const Mlp8Arrays::Mlp9Arrays& arrays) {
  const float* __restrict__ params_value_1_w = arrays.params_value_1_w;
  const float* __restrict__ mlp_7 = arrays.mlp_7;
  const float* __restrict__ x_3 = arrays.x_3;
  float* mlp_9_out = arrays.mlp_9_out;
  const int block_x = block % kColumnTiles;
  const int block_y = block / kColumnTiles;
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = block_y * kTile + ty;
  const int column = block_x * kTile + tx;
  const int rhs_column = block_x * kTile + ty;

  // dot: a tile of each operand
  float sum = 0.0f;
  shared.lhs[ty][tx] = mlp_7[row * kK + tx];
  shared.rhs[tx][ty] = params_value_1_w[rhs_column * kK + tx];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);

  const int index = row * kN + column;
  const float x_3_value = x_3[index];
  const float product = sum * (1.0f - x_3_value);

  mlp_9_out[index] = fmaf(product, x_3_value, product);
}

}  // namespace mlp_9

// minibatch_4: dot, reduce, sqrt, multiply, add, ... over f32[16].
//
//   in   params_policy_0_b_in     f32[16]
//   in   params_policy_1_b_in     f32[16]
//   in   params_value_0_b_in      f32[16]
//   in   params_value_1_b_in      f32[16]
//   in   params_value_2_b         f32[1]
//   in   params_value_2_w_in      f32[16,1]
//   in   state_m_policy_0_b_in    f32[16]
//   in   state_m_policy_1_b_in    f32[16]
//   in   state_m_value_0_b_in     f32[16]
//   in   state_m_value_1_b_in     f32[16]
//   in   state_m_value_2_w_in     f32[16,1]
//   in   state_v_policy_0_b_in    f32[16]
//   in   state_v_policy_1_b_in    f32[16]
//   in   state_v_value_0_b_in     f32[16]
//   in   state_v_value_1_b_in     f32[16]
//   in   state_v_value_2_w_in     f32[16,1]
//   in   picked_4                 f32[4,32]
//   in   mlp_6                    f32[32,16]
//   in   power                    f32[]
//   in   power_2                  f32[]
//   in   mlp_5                    f32[32,16]
//   in   mlp_9                    f32[32,16]
//   in   mlp_7                    f32[32,16]
//   in   dense_3                  f32[32,1]
//   in   x_5                      f32[32,16]
//   out  state_m_policy_0_b_out   f32[16]
//   out  state_v_policy_0_b_out   f32[16]
//   out  params_policy_0_b_out    f32[16]
//   out  state_m_policy_1_b_out   f32[16]
//   out  state_v_policy_1_b_out   f32[16]
//   out  params_policy_1_b_out    f32[16]
//   out  state_m_value_0_b_out    f32[16]
//   out  state_v_value_0_b_out    f32[16]
//   out  params_value_0_b_out     f32[16]
//   out  state_m_value_1_b_out    f32[16]
//   out  state_v_value_1_b_out    f32[16]
//   out  params_value_1_b_out     f32[16]
//   out  state_m_value_2_w_out    f32[16,1]
//   out  state_v_value_2_w_out    f32[16,1]
//   out  params_value_2_w_out     f32[16,1]
//
//   state_m_policy_0_b_out = state_m_policy_0_b_in * 0.9 + sum_1_1 * 0.1
//   state_v_policy_0_b_out = state_v_policy_0_b_in * 0.999 + sum_1_1 * 0.001 * sum_1_1
//   params_policy_0_b_out  = params_policy_0_b_in - sum_3 * 3e-04
//   state_m_policy_1_b_out = state_m_policy_1_b_in * 0.9 + sum_1_2 * 0.1
//   state_v_policy_1_b_out = state_v_policy_1_b_in * 0.999 + sum_1_2 * 0.001 * sum_1_2
//   params_policy_1_b_out  = params_policy_1_b_in - sum_4 * 3e-04
//   state_m_value_0_b_out  = state_m_value_0_b_in * 0.9 + sum_2_1 * 0.1
//   state_v_value_0_b_out  = state_v_value_0_b_in * 0.999 + sum_2_1 * 0.001 * sum_2_1
//   params_value_0_b_out   = params_value_0_b_in - sum_5 * 3e-04
//   state_m_value_1_b_out  = state_m_value_1_b_in * 0.9 + sum_2_2 * 0.1
//   state_v_value_1_b_out  = state_v_value_1_b_in * 0.999 + sum_2_2 * 0.001 * sum_2_2
//   params_value_1_b_out   = params_value_1_b_in - sum_6 * 3e-04
//   state_m_value_2_w_out  = state_m_value_2_w_in * 0.9 + dot * 0.1
//   state_v_value_2_w_out  = state_v_value_2_w_in * 0.999 + dot * 0.001 * dot
//   params_value_2_w_out   = params_value_2_w_in - sum_7 * 3e-04
//   Not shown: sum_1_1, sum_3, sum_1_2, sum_4, sum_2_1, sum_5, sum_2_2, sum_6, ...
//
// One block of 256 threads. Reads 11.5 kB, writes 960 B.
namespace minibatch_4 {

constexpr int kElements = 16;
constexpr int kTerms = 32;
constexpr int kThreads = 256;

static_assert(kElements <= kThreads, "the one block has all elements");

// No pointer is __restrict__: an _in and its _out, as params_policy_0_b_in and
// params_policy_0_b_out, may be one array; other parts of the launch write mlp_9.
__device__ void run(const Mlp8Arrays::Minibatch4Arrays& arrays) {
  const auto& [params_policy_0_b_in, params_policy_1_b_in, params_value_0_b_in, params_value_1_b_in,
               params_value_2_b, params_value_2_w_in, state_m_policy_0_b_in, state_m_policy_1_b_in,
               state_m_value_0_b_in, state_m_value_1_b_in, state_m_value_2_w_in,
               state_v_policy_0_b_in, state_v_policy_1_b_in, state_v_value_0_b_in,
               state_v_value_1_b_in, state_v_value_2_w_in, picked_4, mlp_6, power, power_2, mlp_5,
               mlp_9, mlp_7, dense_3, x_5, state_m_policy_0_b_out, state_v_policy_0_b_out,
               params_policy_0_b_out, state_m_policy_1_b_out, state_v_policy_1_b_out,
               params_policy_1_b_out, state_m_value_0_b_out, state_v_value_0_b_out,
               params_value_0_b_out, state_m_value_1_b_out, state_v_value_1_b_out,
               params_value_1_b_out, state_m_value_2_w_out, state_v_value_2_w_out,
               params_value_2_w_out, t] = arrays;
  const int element = threadIdx.x;
  if (element >= kElements) return;

  // dense
  float sum_1_1 = 0.0f;
  for (int k = 0; k < kTerms; ++k) sum_1_1 += mlp_6[k * kElements + element];
  float sum_1_2 = 0.0f;
  for (int k = 0; k < kTerms; ++k) sum_1_2 += mlp_5[k * kElements + element];
  float sum_2_1 = 0.0f;
  for (int k = 0; k < kTerms; ++k) sum_2_1 += mlp_9[k * kElements + element];
  float sum_2_2 = 0.0f;
  for (int k = 0; k < kTerms; ++k) sum_2_2 += mlp_7[k * kElements + element];
  const float params_value_2_b_value = params_value_2_b[0];
  float dot = 0.0f;
  for (int first_k = 0; first_k < kTerms; first_k += 4) {
    const Vector<float, 4> dense_3_values = load_vector<4>(dense_3 + first_k);
    const Vector<float, 4> picked_4_values = load_vector<4>(picked_4 + (t * kTerms + first_k));
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int k_1 = first_k + i;
      const float difference = dense_3_values[i] + params_value_2_b_value - picked_4_values[i];
      dot = fmaf(difference * 2.0f * 0.015625f, x_5[k_1 * kElements + element], dot);
    }
  }

  // adam
  const float state_m_policy_0_b_next = fmaf(sum_1_1, 0.1f, state_m_policy_0_b_in[element] * 0.9f);
  const float state_m_policy_1_b_next = fmaf(sum_1_2, 0.1f, state_m_policy_1_b_in[element] * 0.9f);
  const float state_m_value_0_b_next = fmaf(sum_2_1, 0.1f, state_m_value_0_b_in[element] * 0.9f);
  const float state_m_value_1_b_next = fmaf(sum_2_2, 0.1f, state_m_value_1_b_in[element] * 0.9f);
  const float state_m_value_2_w_next = fmaf(dot, 0.1f, state_m_value_2_w_in[element] * 0.9f);
  const float state_v_policy_0_b_next =
      fmaf(sum_1_1 * 0.001f, sum_1_1, state_v_policy_0_b_in[element] * 0.999f);
  const float state_v_policy_1_b_next =
      fmaf(sum_1_2 * 0.001f, sum_1_2, state_v_policy_1_b_in[element] * 0.999f);
  const float state_v_value_0_b_next =
      fmaf(sum_2_1 * 0.001f, sum_2_1, state_v_value_0_b_in[element] * 0.999f);
  const float state_v_value_1_b_next =
      fmaf(sum_2_2 * 0.001f, sum_2_2, state_v_value_1_b_in[element] * 0.999f);
  const float state_v_value_2_w_next =
      fmaf(dot * 0.001f, dot, state_v_value_2_w_in[element] * 0.999f);
  const float correct1 = 1.0f - power[0];
  const float correct2 = 1.0f - power_2[0];

  // update
  const float params_policy_0_b_value = params_policy_0_b_in[element];
  const float ratio_1 =
      state_m_policy_0_b_next / correct1 / (sqrtf(state_v_policy_0_b_next / correct2) + 1e-8f);
  const float sum_3 = fmaf(params_policy_0_b_value, 0.0f, ratio_1);
  const float params_policy_1_b_value = params_policy_1_b_in[element];
  const float ratio_2 =
      state_m_policy_1_b_next / correct1 / (sqrtf(state_v_policy_1_b_next / correct2) + 1e-8f);
  const float sum_4 = fmaf(params_policy_1_b_value, 0.0f, ratio_2);
  const float params_value_0_b_value = params_value_0_b_in[element];
  const float ratio_3 =
      state_m_value_0_b_next / correct1 / (sqrtf(state_v_value_0_b_next / correct2) + 1e-8f);
  const float sum_5 = fmaf(params_value_0_b_value, 0.0f, ratio_3);
  const float params_value_1_b_value = params_value_1_b_in[element];
  const float ratio_4 =
      state_m_value_1_b_next / correct1 / (sqrtf(state_v_value_1_b_next / correct2) + 1e-8f);
  const float sum_6 = fmaf(params_value_1_b_value, 0.0f, ratio_4);
  const float params_value_2_w_value = params_value_2_w_in[element];
  const float ratio_5 =
      state_m_value_2_w_next / correct1 / (sqrtf(state_v_value_2_w_next / correct2) + 1e-8f);
  const float sum_7 = fmaf(params_value_2_w_value, 0.0f, ratio_5);

  state_m_policy_0_b_out[element] = state_m_policy_0_b_next;
  state_v_policy_0_b_out[element] = state_v_policy_0_b_next;
  params_policy_0_b_out[element] = fmaf(-sum_3, 0.0003f, params_policy_0_b_value);
  state_m_policy_1_b_out[element] = state_m_policy_1_b_next;
  state_v_policy_1_b_out[element] = state_v_policy_1_b_next;
  params_policy_1_b_out[element] = fmaf(-sum_4, 0.0003f, params_policy_1_b_value);
  state_m_value_0_b_out[element] = state_m_value_0_b_next;
  state_v_value_0_b_out[element] = state_v_value_0_b_next;
  params_value_0_b_out[element] = fmaf(-sum_5, 0.0003f, params_value_0_b_value);
  state_m_value_1_b_out[element] = state_m_value_1_b_next;
  state_v_value_1_b_out[element] = state_v_value_1_b_next;
  params_value_1_b_out[element] = fmaf(-sum_6, 0.0003f, params_value_1_b_value);
  state_m_value_2_w_out[element] = state_m_value_2_w_next;
  state_v_value_2_w_out[element] = state_v_value_2_w_next;
  params_value_2_w_out[element] = fmaf(-sum_7, 0.0003f, params_value_2_w_value);
}

}  // namespace minibatch_4

// minibatch_5: dot, sqrt, subtract, multiply, add, ... over f32[6,16].
//
//   in   params_policy_0_w_in     f32[6,16]
//   in   params_value_0_w_in      f32[6,16]
//   in   state_m_policy_0_w_in    f32[6,16]
//   in   state_m_value_0_w_in     f32[6,16]
//   in   state_v_policy_0_w_in    f32[6,16]
//   in   state_v_value_0_w_in     f32[6,16]
//   in   rows                     f32[4,32,6]
//   in   mlp_6                    f32[32,16]
//   in   power                    f32[]
//   in   power_2                  f32[]
//   in   mlp_9                    f32[32,16]
//   out  state_m_policy_0_w_out   f32[6,16]
//   out  state_v_policy_0_w_out   f32[6,16]
//   out  params_policy_0_w_out    f32[6,16]
//   out  state_m_value_0_w_out    f32[6,16]
//   out  state_v_value_0_w_out    f32[6,16]
//   out  params_value_0_w_out     f32[6,16]
//
//   correct1               = 1 - power
//   correct2               = 1 - power_2
//   dot_1                  = dot(rows[t,:,:], mlp_6), einsum=ab,ac->bc
//   state_m_policy_0_w_out = state_m_policy_0_w_in * 0.9 + dot_1 * 0.1
//   state_v_policy_0_w_out = state_v_policy_0_w_in * 0.999 + dot_1 * 0.001 * dot_1
//   denominator            = sqrt(state_v_policy_0_w_out / correct2) + 1e-08
//   ratio_1                = state_m_policy_0_w_out / correct1 / denominator
//   sum_1                  = ratio_1 + params_policy_0_w_in * 0
//   params_policy_0_w_out  = params_policy_0_w_in - sum_1 * 3e-04
//   dot_2                  = dot(rows[t,:,:], mlp_9), einsum=ab,ac->bc
//   state_m_value_0_w_out  = state_m_value_0_w_in * 0.9 + dot_2 * 0.1
//   state_v_value_0_w_out  = state_v_value_0_w_in * 0.999 + dot_2 * 0.001 * dot_2
//   denominator_1          = sqrt(state_v_value_0_w_out / correct2) + 1e-08
//   ratio_2                = state_m_value_0_w_out / correct1 / denominator_1
//   sum_2                  = ratio_2 + params_value_0_w_in * 0
//   params_value_0_w_out   = params_value_0_w_in - sum_2 * 3e-04
//
// One block of 256 threads. Reads 7.9 kB, writes 2.3 kB.
namespace minibatch_5 {

constexpr int kRows = 6;
constexpr int kColumns = 16;
constexpr int kElements = kRows * kColumns;  // 96
constexpr int kTerms = 32;
constexpr int kThreads = 256;

static_assert(kElements <= kThreads, "the one block has all elements");

// No pointer is __restrict__: an _in and its _out, as params_policy_0_w_in and
// params_policy_0_w_out, may be one array; other parts of the launch write mlp_9.
__device__ void run(const Mlp8Arrays::Minibatch5Arrays& arrays) {
  const auto& [params_policy_0_w_in, params_value_0_w_in, state_m_policy_0_w_in,
               state_m_value_0_w_in, state_v_policy_0_w_in, state_v_value_0_w_in, rows, mlp_6,
               power, power_2, mlp_9, state_m_policy_0_w_out, state_v_policy_0_w_out,
               params_policy_0_w_out, state_m_value_0_w_out, state_v_value_0_w_out,
               params_value_0_w_out, t] = arrays;
  const int element = threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  // dense
  float dot_1 = 0.0f;
  float dot_2 = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    const float rows_value = rows[(t * kTerms + k) * kRows + row];
    dot_1 = fmaf(rows_value, mlp_6[k * kColumns + column], dot_1);
    dot_2 = fmaf(rows_value, mlp_9[k * kColumns + column], dot_2);
  }

  // adam
  const float state_m_policy_0_w_next = fmaf(dot_1, 0.1f, state_m_policy_0_w_in[element] * 0.9f);
  const float state_m_value_0_w_next = fmaf(dot_2, 0.1f, state_m_value_0_w_in[element] * 0.9f);
  const float state_v_policy_0_w_next =
      fmaf(dot_1 * 0.001f, dot_1, state_v_policy_0_w_in[element] * 0.999f);
  const float state_v_value_0_w_next =
      fmaf(dot_2 * 0.001f, dot_2, state_v_value_0_w_in[element] * 0.999f);
  const float correct1 = 1.0f - power[0];
  const float correct2 = 1.0f - power_2[0];

  // update
  const float params_policy_0_w_value = params_policy_0_w_in[element];
  const float ratio_1 =
      state_m_policy_0_w_next / correct1 / (sqrtf(state_v_policy_0_w_next / correct2) + 1e-8f);
  const float sum_1 = fmaf(params_policy_0_w_value, 0.0f, ratio_1);
  const float params_value_0_w_value = params_value_0_w_in[element];
  const float ratio_2 =
      state_m_value_0_w_next / correct1 / (sqrtf(state_v_value_0_w_next / correct2) + 1e-8f);
  const float sum_2 = fmaf(params_value_0_w_value, 0.0f, ratio_2);

  state_m_policy_0_w_out[element] = state_m_policy_0_w_next;
  state_v_policy_0_w_out[element] = state_v_policy_0_w_next;
  params_policy_0_w_out[element] = fmaf(-sum_1, 0.0003f, params_policy_0_w_value);
  state_m_value_0_w_out[element] = state_m_value_0_w_next;
  state_v_value_0_w_out[element] = state_v_value_0_w_next;
  params_value_0_w_out[element] = fmaf(-sum_2, 0.0003f, params_value_0_w_value);
}

}  // namespace minibatch_5

constexpr int kThreads = 256;
constexpr int kBlocks = mlp_9::kBlocks;

__global__ void __launch_bounds__(kThreads)
mlp_8(const __grid_constant__ Mlp8Arrays arrays) {
  const int block = blockIdx.x;
  mlp_9::run(block, arrays.mlp_9);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  minibatch_4::run(arrays.minibatch_4);
  __syncthreads();
  minibatch_5::run(arrays.minibatch_5);
}

}  // namespace

cudaError_t
enqueue(const Mlp8Arrays& arrays, cudaStream_t stream) {
  return launch(mlp_8, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace ppo_update_kernels::mlp_8
