// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace ppo_update_kernels {

namespace advantages {
struct AdvantagesArrays {
  struct Advantages1Arrays {
    const float* params_value_2_b;
    const float* params_value_2_w;
    const float* rewards;
    const float* dones;
    const float* x;
    float* add_out;
  } advantages_1;
  struct ReshapeArrays {
    const float* add;
    const float* params_value_2_b;
    const float* params_value_2_w;
    const float* x;
    float* reshape_1_out;
    float* reshape_2_out;
  } reshape;
};

cudaError_t
enqueue(const AdvantagesArrays& arrays, cudaStream_t stream);
}  // namespace advantages

namespace dense_1 {
cudaError_t
enqueue(const float* params_policy_2_w, const float* x, float* dot_out, cudaStream_t stream);
}  // namespace dense_1

namespace dense_2 {
struct Dense2Arrays {
  struct DenseArrays {
    const float* params_value_2_w;
    const float* x;
    float* dot_out;
  } dense;
  struct LossArrays {
    const float* params_policy_2_b;
    const float* params_value_2_b_in;
    const float* state_m_value_2_b_in;
    const int* state_step_in;
    const float* state_v_value_2_b_in;
    const int* reshape;
    const float* reshape_1;
    const float* reshape_2;
    const float* reshape_3;
    const float* dot;
    const float* dot_1;
    float* max_out;
    float* sum_1_out;
    float* sum_2_out;
    float* sum_3_out;
    int* state_step_out;
    float* power_1_out;
    float* power_2_out;
    float* state_m_value_2_b_out;
    float* state_v_value_2_b_out;
    float* params_value_2_b_out;
    float* sub;
    int t;
  } loss;
};

cudaError_t
enqueue(const Dense2Arrays& arrays, cudaStream_t stream);
}  // namespace dense_2

namespace dynamic_update_slice {
cudaError_t
enqueue(const float* sub, float* result, int t, cudaStream_t stream);
}  // namespace dynamic_update_slice

namespace epoch_1 {
cudaError_t
enqueue(const uint32_t* stack, int* sort, int t, cudaStream_t stream);
}  // namespace epoch_1

namespace epoch_2 {
cudaError_t
enqueue(const int* sort, const float* reshape_in, float* reshape_out, cudaStream_t stream);
}  // namespace epoch_2

namespace epoch_3 {
cudaError_t
enqueue(const int* sort,
        const int* reshape_in,
        const float* reshape_1_in,
        const float* reshape_2_in,
        const float* reshape_3_in,
        int* reshape_1_out,
        float* reshape_2_out,
        float* reshape_3_out,
        float* reshape_4_out,
        cudaStream_t stream);
}  // namespace epoch_3

namespace fill {
cudaError_t
enqueue(float* broadcast, cudaStream_t stream);
}  // namespace fill

namespace loss {
struct LossArrays {
  struct ScatterAddArrays {
    const float* params_policy_2_b;
    const int* reshape;
    const float* reshape_1;
    const float* reshape_2;
    const float* dot;
    const float* max;
    const float* sum;
    const float* sum_1;
    const float* sum_2;
    float* scatter_add_out;
    int t;
  } scatter_add;
  struct SumArrays {
    const float* params_policy_2_b;
    const float* dot;
    const float* max;
    const float* sum_in;
    const float* scatter_add;
    float* sum_out;
  } sum;
  uint32_t* finished;
};

cudaError_t
enqueue(const LossArrays& arrays, cudaStream_t stream);
}  // namespace loss

namespace minibatch_1 {
cudaError_t
enqueue(const float* params_1_w_in,
        const float* state_m_1_w_in,
        const float* state_v_1_w_in,
        const float* add_any,
        const float* x,
        const float* power,
        const float* power_1,
        float* state_m_1_w_out,
        float* state_v_1_w_out,
        float* params_1_w_out,
        cudaStream_t stream);
}  // namespace minibatch_1

namespace minibatch_2 {
cudaError_t
enqueue(const float* params_policy_2_b_in,
        const float* state_m_policy_2_b_in,
        const float* state_v_policy_2_b_in,
        const float* dot,
        const float* max,
        const float* sum,
        const float* scatter_add,
        const float* sum_1,
        const float* power,
        const float* power_1,
        float* state_m_policy_2_b_out,
        float* state_v_policy_2_b_out,
        float* params_policy_2_b_out,
        cudaStream_t stream);
}  // namespace minibatch_2

namespace minibatch_3 {
cudaError_t
enqueue(const float* params_policy_2_b,
        const float* params_policy_2_w_in,
        const float* state_m_policy_2_w_in,
        const float* state_v_policy_2_w_in,
        const float* dot,
        const float* max,
        const float* sum,
        const float* scatter_add,
        const float* sum_1,
        const float* x,
        const float* power,
        const float* power_1,
        float* state_m_policy_2_w_out,
        float* state_v_policy_2_w_out,
        float* params_policy_2_w_out,
        cudaStream_t stream);
}  // namespace minibatch_3

namespace minibatch_4 {
cudaError_t
enqueue(const float* params_policy_0_b_in,
        const float* params_policy_1_b_in,
        const float* params_value_0_b_in,
        const float* params_value_1_b_in,
        const float* params_value_2_b,
        const float* params_value_2_w_in,
        const float* state_m_policy_0_b_in,
        const float* state_m_policy_1_b_in,
        const float* state_m_value_0_b_in,
        const float* state_m_value_1_b_in,
        const float* state_m_value_2_w_in,
        const float* state_v_policy_0_b_in,
        const float* state_v_policy_1_b_in,
        const float* state_v_value_0_b_in,
        const float* state_v_value_1_b_in,
        const float* state_v_value_2_w_in,
        const float* reshape,
        const float* add_any,
        const float* power,
        const float* power_1,
        const float* add_any_1,
        const float* add_any_2,
        const float* add_any_3,
        const float* dot,
        const float* x,
        float* state_m_policy_0_b_out,
        float* state_v_policy_0_b_out,
        float* params_policy_0_b_out,
        float* state_m_policy_1_b_out,
        float* state_v_policy_1_b_out,
        float* params_policy_1_b_out,
        float* state_m_value_0_b_out,
        float* state_v_value_0_b_out,
        float* params_value_0_b_out,
        float* state_m_value_1_b_out,
        float* state_v_value_1_b_out,
        float* params_value_1_b_out,
        float* state_m_value_2_w_out,
        float* state_v_value_2_w_out,
        float* params_value_2_w_out,
        int t,
        cudaStream_t stream);
}  // namespace minibatch_4

namespace minibatch_5 {
cudaError_t
enqueue(const float* params_policy_0_w_in,
        const float* params_value_0_w_in,
        const float* state_m_policy_0_w_in,
        const float* state_m_value_0_w_in,
        const float* state_v_policy_0_w_in,
        const float* state_v_value_0_w_in,
        const float* reshape,
        const float* add_any,
        const float* power,
        const float* power_1,
        const float* add_any_1,
        float* state_m_policy_0_w_out,
        float* state_v_policy_0_w_out,
        float* params_policy_0_w_out,
        float* state_m_value_0_w_out,
        float* state_v_value_0_w_out,
        float* params_value_0_w_out,
        int t,
        cudaStream_t stream);
}  // namespace minibatch_5

namespace mlp_1 {
cudaError_t
enqueue(const float* params_value_0_b,
        const float* params_value_1_b,
        const float* params_value_1_w,
        const float* dot,
        float* x,
        cudaStream_t stream);
}  // namespace mlp_1

namespace mlp_2 {
cudaError_t
enqueue(const float* params_policy_0_b,
        const float* params_policy_0_w,
        const float* params_value_0_b,
        const float* params_value_0_w,
        const float* reshape,
        float* x_1,
        float* x_2,
        int t,
        cudaStream_t stream);
}  // namespace mlp_2

namespace mlp_3 {
cudaError_t
enqueue(const float* params_1_b,
        const float* params_1_w,
        const float* x_in,
        float* x_out,
        cudaStream_t stream);
}  // namespace mlp_3

namespace mlp_5 {
cudaError_t
enqueue(const float* params_policy_2_b,
        const float* params_policy_2_w,
        const float* dot,
        const float* max,
        const float* sum,
        const float* scatter_add,
        const float* sum_1,
        const float* x,
        float* add_any,
        cudaStream_t stream);
}  // namespace mlp_5

namespace mlp_6 {
cudaError_t
enqueue(const float* params_1_w,
        const float* add_any_in,
        const float* x,
        float* add_any_out,
        cudaStream_t stream);
}  // namespace mlp_6

namespace mlp_7 {
cudaError_t
enqueue(const float* params_value_2_b,
        const float* params_value_2_w,
        const float* reshape,
        const float* dot,
        const float* x,
        float* add_any,
        int t,
        cudaStream_t stream);
}  // namespace mlp_7

namespace reshape {
struct ReshapeArrays {
  struct DenseArrays {
    const float* params_value_0_w;
    const float* observations;
    float* dot_out;
  } dense;
  struct FillArrays {
    float* broadcast;
  } fill;
  struct Reshape1Arrays {
    const float* observations;
    float* reshape;
  } reshape_1;
  struct Reshape2Arrays {
    const float* log_probs;
    float* reshape;
  } reshape_2;
  struct Reshape3Arrays {
    const int* taken;
    int* reshape;
  } reshape_3;
  struct ThreefrySplitArrays {
    const uint32_t* key;
    uint32_t* stack;
  } threefry_split;
};

cudaError_t
enqueue(const ReshapeArrays& arrays, cudaStream_t stream);
}  // namespace reshape

}  // namespace ppo_update_kernels
