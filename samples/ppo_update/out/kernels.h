// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace ppo_update_kernels {

namespace advantages {
struct AdvantagesArrays {
  struct Advantages2Arrays {
    const float* params_value_2_b;
    const float* rewards;
    const float* dones;
    const float* x_w;
    float* advantages_2_out;
  } advantages_2;
  struct SumArrays {
    const float* advantages_2;
    const float* params_value_2_b;
    const float* x_w;
    float* sum_out;
    float* sum_2;
  } sum;
};

cudaError_t
enqueue(const AdvantagesArrays& arrays, cudaStream_t stream);
}  // namespace advantages

namespace dense {
struct DenseArrays {
  struct Dense4Arrays {
    const float* params_value_0_w;
    const float* observations;
    float* observations_w_out;
  } dense_4;
  struct LogProbsArrays {
    const float* log_probs_in;
    float* log_probs_2;
  } log_probs;
  struct ObservationsArrays {
    const float* observations_in;
    float* observations_2;
  } observations;
  struct TakenArrays {
    const int* taken_in;
    int* taken_2;
  } taken;
  struct ThreefrySplitArrays {
    const uint32_t* key;
    uint32_t* threefry_split_out;
  } threefry_split;
};

cudaError_t
enqueue(const DenseArrays& arrays, cudaStream_t stream);
}  // namespace dense

namespace mlp {
struct MlpArrays {
  struct Mlp9Arrays {
    const float* params_value_0_b;
    const float* params_value_1_b;
    const float* params_value_1_w;
    const float* observations_w;
    float* x;
  } mlp_9;
  struct Dense4Arrays {
    const float* params_value_2_w;
    const float* x;
    float* x_w_out;
  } dense_4;
  uint32_t* finished;
};

cudaError_t
enqueue(const MlpArrays& arrays, cudaStream_t stream);
}  // namespace mlp

namespace steps {
struct StepsArrays {
  // What steps hand on, and the places that have it in turn. Nothing writes state_in.
  struct State {
    float* params_policy_0_b;
    float* params_policy_0_w;
    float* params_policy_1_b;
    float* params_policy_1_w;
    float* params_policy_2_b;
    float* params_policy_2_w;
    float* params_value_0_b;
    float* params_value_0_w;
    float* params_value_1_b;
    float* params_value_1_w;
    float* params_value_2_w;
    float* state_m_policy_0_b;
    float* state_m_policy_0_w;
    float* state_m_policy_1_b;
    float* state_m_policy_1_w;
    float* state_m_policy_2_b;
    float* state_m_policy_2_w;
    float* state_m_value_0_b;
    float* state_m_value_0_w;
    float* state_m_value_1_b;
    float* state_m_value_1_w;
    float* state_m_value_2_w;
    float* state_v_policy_0_b;
    float* state_v_policy_0_w;
    float* state_v_policy_1_b;
    float* state_v_policy_1_w;
    float* state_v_policy_2_b;
    float* state_v_policy_2_w;
    float* state_v_value_0_b;
    float* state_v_value_0_w;
    float* state_v_value_1_b;
    float* state_v_value_1_w;
    float* state_v_value_2_w;
  } state_in, state_2, state_out;
  // What steps hand on, and the places that have it in turn. Nothing writes state2_in.
  struct State2 {
    float* params_value_2_b;
    float* state_m_value_2_b;
    int* state_step;
    float* state_v_value_2_b;
  } state2_in, state2_3, state2_out, state2_2;
  const uint32_t* threefry_split;
  const float* observations_2;
  const int* taken_2;
  const float* log_probs_2;
  const float* sum;
  const float* sum_2;
  int* sorted;
  float* rows;
  int* picked;
  float* picked_2;
  float* picked_3;
  float* picked_4;
  float* x_2;
  float* x_3;
  float* x_4;
  float* x_5;
  float* dense_2;
  float* dense_3;
  float* max;
  float* weight_sum;
  float* sum_3;
  float* square_sum;
  float* power;
  float* power_2;
  float* difference;
  float* loss_2;
  float* mlp_5;
  float* mlp_7;
  float* mlp_6;
  float* mlp_8;
  float* result;
  uint32_t* barrier_counts;
};

cudaError_t
enqueue(const StepsArrays& arrays, cudaStream_t stream);
}  // namespace steps

}  // namespace ppo_update_kernels
