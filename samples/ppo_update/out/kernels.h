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
cudaError_t
enqueue(const float* params_policy_0_b_in, const float* params_policy_0_w_in,
        const float* params_policy_1_b_in, const float* params_policy_1_w_in,
        const float* params_policy_2_b_in, const float* params_policy_2_w_in,
        const float* params_value_0_b_in, const float* params_value_0_w_in,
        const float* params_value_1_b_in, const float* params_value_1_w_in,
        const float* params_value_2_b_in, const float* params_value_2_w_in,
        const float* state_m_policy_0_b_in, const float* state_m_policy_0_w_in,
        const float* state_m_policy_1_b_in, const float* state_m_policy_1_w_in,
        const float* state_m_policy_2_b_in, const float* state_m_policy_2_w_in,
        const float* state_m_value_0_b_in, const float* state_m_value_0_w_in,
        const float* state_m_value_1_b_in, const float* state_m_value_1_w_in,
        const float* state_m_value_2_b_in, const float* state_m_value_2_w_in,
        const int* state_step_in, const float* state_v_policy_0_b_in,
        const float* state_v_policy_0_w_in, const float* state_v_policy_1_b_in,
        const float* state_v_policy_1_w_in, const float* state_v_policy_2_b_in,
        const float* state_v_policy_2_w_in, const float* state_v_value_0_b_in,
        const float* state_v_value_0_w_in, const float* state_v_value_1_b_in,
        const float* state_v_value_1_w_in, const float* state_v_value_2_b_in,
        const float* state_v_value_2_w_in, const uint32_t* threefry_split,
        const float* observations_2, const int* taken_2, const float* log_probs_2, const float* sum,
        const float* sum_2, float* params_policy_0_b_out, float* params_policy_0_b_2,
        float* params_policy_0_w_out, float* params_policy_0_w_2, float* params_policy_1_b_out,
        float* params_policy_1_b_2, float* params_policy_1_w_out, float* params_policy_1_w_2,
        float* params_policy_2_b_out, float* params_policy_2_b_2, float* params_policy_2_w_out,
        float* params_policy_2_w_2, float* params_value_0_b_out, float* params_value_0_b_2,
        float* params_value_0_w_out, float* params_value_0_w_2, float* params_value_1_b_out,
        float* params_value_1_b_2, float* params_value_1_w_out, float* params_value_1_w_2,
        float* params_value_2_b_out, float* params_value_2_b_3, float* params_value_2_w_out,
        float* params_value_2_w_2, float* state_m_policy_0_b_out, float* state_m_policy_0_b_2,
        float* state_m_policy_0_w_out, float* state_m_policy_0_w_2, float* state_m_policy_1_b_out,
        float* state_m_policy_1_b_2, float* state_m_policy_1_w_out, float* state_m_policy_1_w_2,
        float* state_m_policy_2_b_out, float* state_m_policy_2_b_2, float* state_m_policy_2_w_out,
        float* state_m_policy_2_w_2, float* state_m_value_0_b_out, float* state_m_value_0_b_2,
        float* state_m_value_0_w_out, float* state_m_value_0_w_2, float* state_m_value_1_b_out,
        float* state_m_value_1_b_2, float* state_m_value_1_w_out, float* state_m_value_1_w_2,
        float* state_m_value_2_b_out, float* state_m_value_2_b_3, float* state_m_value_2_w_out,
        float* state_m_value_2_w_2, int* state_step_out, int* state_step_3,
        float* state_v_policy_0_b_out, float* state_v_policy_0_b_2, float* state_v_policy_0_w_out,
        float* state_v_policy_0_w_2, float* state_v_policy_1_b_out, float* state_v_policy_1_b_2,
        float* state_v_policy_1_w_out, float* state_v_policy_1_w_2, float* state_v_policy_2_b_out,
        float* state_v_policy_2_b_2, float* state_v_policy_2_w_out, float* state_v_policy_2_w_2,
        float* state_v_value_0_b_out, float* state_v_value_0_b_2, float* state_v_value_0_w_out,
        float* state_v_value_0_w_2, float* state_v_value_1_b_out, float* state_v_value_1_b_2,
        float* state_v_value_1_w_out, float* state_v_value_1_w_2, float* state_v_value_2_b_out,
        float* state_v_value_2_b_3, float* state_v_value_2_w_out, float* state_v_value_2_w_2,
        int* sorted, float* rows, int* picked, float* picked_2, float* picked_3, float* picked_4,
        float* params_value_2_b_2, float* state_m_value_2_b_2, int* state_step_2,
        float* state_v_value_2_b_2, float* x_2, float* x_3, float* x_4, float* dense_2, float* x_5,
        float* dense_3, float* max, float* weight_sum, float* sum_3, float* square_sum,
        float* power, float* power_2, float* difference, float* loss_2, float* mlp_5, float* mlp_6,
        float* mlp_7, float* mlp_8, float* result, uint32_t* barrier_counts, cudaStream_t stream);
}  // namespace steps

}  // namespace ppo_update_kernels
