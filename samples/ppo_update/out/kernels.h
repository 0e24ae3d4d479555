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
  struct Dense2Arrays {
    const float* params_value_0_w;
    const float* observations;
    float* observations_w_out;
  } dense_2;
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

namespace epoch {
cudaError_t
enqueue(const uint32_t* threefry_split, int* sorted, int t, cudaStream_t stream);
}  // namespace epoch

namespace epoch_2 {
cudaError_t
enqueue(const int* sorted, const float* observations_2, float* rows, cudaStream_t stream);
}  // namespace epoch_2

namespace epoch_3 {
cudaError_t
enqueue(const int* sorted, const int* taken_2, const float* log_probs_2, const float* sum,
        const float* sum_2, int* picked, float* picked_2, float* picked_3, float* picked_4,
        cudaStream_t stream);
}  // namespace epoch_3

namespace minibatch {
cudaError_t
enqueue(const float* params_1_w_in, const float* state_m_1_w_in, const float* state_v_1_w_in,
        const float* x, const float* mlp, const float* power, const float* power_2,
        float* state_m_1_w_out, float* state_v_1_w_out, float* params_1_w_out, cudaStream_t stream);
}  // namespace minibatch

namespace minibatch_2 {
cudaError_t
enqueue(const float* params_policy_2_w_in, const float* state_m_policy_2_w_in,
        const float* state_v_policy_2_w_in, const float* sum_4, const float* x_4,
        const float* power, const float* power_2, float* state_m_policy_2_w_out,
        float* state_v_policy_2_w_out, float* params_policy_2_w_out, cudaStream_t stream);
}  // namespace minibatch_2

namespace mlp {
struct MlpArrays {
  struct Mlp9Arrays {
    const float* params_value_0_b;
    const float* params_value_1_b;
    const float* params_value_1_w;
    const float* observations_w;
    float* x;
  } mlp_9;
  struct Dense2Arrays {
    const float* params_value_2_w;
    const float* x;
    float* x_w_out;
  } dense_2;
  uint32_t* finished;
};

cudaError_t
enqueue(const MlpArrays& arrays, cudaStream_t stream);
}  // namespace mlp

namespace mlp_2 {
cudaError_t
enqueue(const float* params_policy_0_b, const float* params_policy_0_w,
        const float* params_value_0_b, const float* params_value_0_w, const float* rows, float* x_2,
        float* x_3, int t, cudaStream_t stream);
}  // namespace mlp_2

namespace mlp_3 {
struct Mlp3Arrays {
  struct Mlp9Arrays {
    const float* params_policy_1_b;
    const float* params_policy_1_w;
    const float* x_2;
    float* x_4;
  } mlp_9;
  struct Dense2Arrays {
    const float* params_policy_2_w;
    const float* x_4;
    float* dense_2_out;
  } dense_2;
  uint32_t* finished;
};

cudaError_t
enqueue(const Mlp3Arrays& arrays, cudaStream_t stream);
}  // namespace mlp_3

namespace mlp_4 {
struct Mlp4Arrays {
  struct Mlp9Arrays {
    const float* params_value_1_b;
    const float* params_value_1_w;
    const float* x_3;
    float* x_5;
  } mlp_9;
  struct Dense2Arrays {
    const float* params_value_2_w;
    const float* x_5;
    float* dense_3_out;
  } dense_2;
  struct MaxArrays {
    const float* params_policy_2_b;
    const float* params_value_2_b_in;
    const float* state_m_value_2_b_in;
    const int* state_step_in;
    const float* state_v_value_2_b_in;
    const int* picked;
    const float* picked_2;
    const float* picked_3;
    const float* picked_4;
    const float* dense_2;
    const float* dense_3;
    float* max_out;
    float* weight_sum_out;
    float* sum_3_out;
    float* square_sum_out;
    int* state_step_out;
    float* power_out;
    float* power_2_out;
    float* state_m_value_2_b_out;
    float* state_v_value_2_b_out;
    float* params_value_2_b_out;
    float* difference;
    int t;
  } max;
  struct SumArrays {
    const float* params_policy_2_b;
    const int* picked;
    const float* picked_2;
    const float* picked_3;
    const float* dense_2;
    const float* max;
    const float* weight_sum;
    const float* sum_3;
    const float* square_sum;
    float* sum_4;
    int t;
  } sum;
  struct Minibatch4Arrays {
    const float* params_policy_2_b_in;
    const float* state_m_policy_2_b_in;
    const float* state_v_policy_2_b_in;
    const float* sum_4;
    const float* power;
    const float* power_2;
    float* state_m_policy_2_b_out;
    float* state_v_policy_2_b_out;
    float* params_policy_2_b_out;
  } minibatch_4;
  uint32_t* finished;
};

cudaError_t
enqueue(const Mlp4Arrays& arrays, cudaStream_t stream);
}  // namespace mlp_4

namespace mlp_5 {
cudaError_t
enqueue(const float* params_policy_2_w, const float* sum_4, const float* x_4, float* mlp_5_out,
        cudaStream_t stream);
}  // namespace mlp_5

namespace mlp_6 {
cudaError_t
enqueue(const float* params_policy_1_w, const float* mlp_5, const float* x_2, float* mlp_6_out,
        cudaStream_t stream);
}  // namespace mlp_6

namespace mlp_7 {
cudaError_t
enqueue(const float* params_value_2_b, const float* params_value_2_w, const float* picked_4,
        const float* dense_3, const float* x_5, float* mlp_7_out, int t, cudaStream_t stream);
}  // namespace mlp_7

namespace mlp_8 {
struct Mlp8Arrays {
  struct Mlp9Arrays {
    const float* params_value_1_w;
    const float* mlp_7;
    const float* x_3;
    float* mlp_9_out;
  } mlp_9;
  struct Minibatch4Arrays {
    const float* params_policy_0_b_in;
    const float* params_policy_1_b_in;
    const float* params_value_0_b_in;
    const float* params_value_1_b_in;
    const float* params_value_2_b;
    const float* params_value_2_w_in;
    const float* state_m_policy_0_b_in;
    const float* state_m_policy_1_b_in;
    const float* state_m_value_0_b_in;
    const float* state_m_value_1_b_in;
    const float* state_m_value_2_w_in;
    const float* state_v_policy_0_b_in;
    const float* state_v_policy_1_b_in;
    const float* state_v_value_0_b_in;
    const float* state_v_value_1_b_in;
    const float* state_v_value_2_w_in;
    const float* picked_4;
    const float* mlp_6;
    const float* power;
    const float* power_2;
    const float* mlp_5;
    const float* mlp_9;
    const float* mlp_7;
    const float* dense_3;
    const float* x_5;
    float* state_m_policy_0_b_out;
    float* state_v_policy_0_b_out;
    float* params_policy_0_b_out;
    float* state_m_policy_1_b_out;
    float* state_v_policy_1_b_out;
    float* params_policy_1_b_out;
    float* state_m_value_0_b_out;
    float* state_v_value_0_b_out;
    float* params_value_0_b_out;
    float* state_m_value_1_b_out;
    float* state_v_value_1_b_out;
    float* params_value_1_b_out;
    float* state_m_value_2_w_out;
    float* state_v_value_2_w_out;
    float* params_value_2_w_out;
    int t;
  } minibatch_4;
  struct Minibatch5Arrays {
    const float* params_policy_0_w_in;
    const float* params_value_0_w_in;
    const float* state_m_policy_0_w_in;
    const float* state_m_value_0_w_in;
    const float* state_v_policy_0_w_in;
    const float* state_v_value_0_w_in;
    const float* rows;
    const float* mlp_6;
    const float* power;
    const float* power_2;
    const float* mlp_9;
    float* state_m_policy_0_w_out;
    float* state_v_policy_0_w_out;
    float* params_policy_0_w_out;
    float* state_m_value_0_w_out;
    float* state_v_value_0_w_out;
    float* params_value_0_w_out;
    int t;
  } minibatch_5;
  uint32_t* finished;
};

cudaError_t
enqueue(const Mlp8Arrays& arrays, cudaStream_t stream);
}  // namespace mlp_8

namespace updated {
cudaError_t
enqueue(const float* difference, float* result, int t, cudaStream_t stream);
}  // namespace updated

}  // namespace ppo_update_kernels
