// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace ppo_update_kernels {

cudaError_t
launch_add_any_1(const float* sub,
                 const float* sub_1,
                 const float* dot,
                 const float* max,
                 const float* sum,
                 const float* scatter_add,
                 const float* sum_1,
                 const float* tanh_in,
                 float* add_any,
                 cudaStream_t stream);

cudaError_t
launch_add_any_2(const float* sub,
                 const float* add_any_in,
                 const float* tanh_in,
                 float* add_any_out,
                 cudaStream_t stream);

cudaError_t
launch_add_any_3(const float* sub,
                 const float* sub_1,
                 const float* reshape,
                 const float* dot,
                 const float* tanh_in,
                 float* add_any,
                 int t,
                 cudaStream_t stream);

cudaError_t
launch_advantages(const float* params_value_2_b,
                  const float* rewards,
                  const float* dones,
                  const float* dot,
                  float* broadcast_in_dim_out,
                  cudaStream_t stream);

cudaError_t
launch_broadcast_1(float* broadcast, cudaStream_t stream);

cudaError_t
launch_broadcast_2(float* broadcast, cudaStream_t stream);

cudaError_t
launch_broadcast_3(float* broadcast, cudaStream_t stream);

cudaError_t
launch_broadcast_4(float* broadcast, cudaStream_t stream);

cudaError_t
launch_dot_1(const float* params_value_0_w,
             const float* observations,
             float* dot,
             cudaStream_t stream);

cudaError_t
launch_dot_2(const float* params_value_2_w, const float* tanh_in, float* dot, cudaStream_t stream);

cudaError_t
launch_dot_3(const float* sub, const float* tanh_in, float* dot, cudaStream_t stream);

cudaError_t
launch_dot_4(const float* sub, const float* tanh_in, float* dot, cudaStream_t stream);

cudaError_t
launch_dynamic_update_slice(const float* broadcast_in_dim,
                            float* dynamic_update_slice_out,
                            int t,
                            cudaStream_t stream);

cudaError_t
launch_eq(const float* exponential, const float* max, bool* eq_out, cudaStream_t stream);

cudaError_t
launch_max_1(float* max, cudaStream_t stream);

cudaError_t
launch_max_2(const float* sub_in,
             const float* sub_in_1,
             const float* sum_in,
             const int* sum_in_1,
             const float* sum_in_2,
             const int* reshape,
             const float* reshape_1,
             const float* reshape_2,
             const float* reshape_3,
             const float* dot,
             const float* dot_1,
             float* max_out,
             float* sum_out,
             float* exponential,
             float* max_out_1,
             float* min,
             float* sum_out_1,
             float* sum_out_2,
             int* add_out,
             float* power_out,
             float* power_out_1,
             float* add_out_1,
             float* add_out_2,
             float* sub_out,
             float* dynamic_update_slice,
             int t,
             cudaStream_t stream);

cudaError_t
launch_min_1(float* min, cudaStream_t stream);

cudaError_t
launch_reshape_1(const float* observations, float* reshape, cudaStream_t stream);

cudaError_t
launch_reshape_2(const int* taken, int* reshape, cudaStream_t stream);

cudaError_t
launch_reshape_3(const float* log_probs, float* reshape, cudaStream_t stream);

cudaError_t
launch_reshape_4(const float* broadcast_in_dim,
                 const float* params_value_2_b,
                 const float* dot,
                 float* reshape_out,
                 float* reshape_out_1,
                 cudaStream_t stream);

cudaError_t
launch_reshape_5(const int* sort, const float* reshape_in, float* reshape_out, cudaStream_t stream);

cudaError_t
launch_reshape_6(const int* sort,
                 const int* reshape_in,
                 const float* reshape_in_1,
                 const float* reshape_in_2,
                 const float* reshape_in_3,
                 int* reshape_out,
                 float* reshape_out_1,
                 float* reshape_out_2,
                 float* reshape_out_3,
                 cudaStream_t stream);

cudaError_t
launch_reshape_7(const int* reshape_in, int* reshape_out, int t, cudaStream_t stream);

cudaError_t
launch_scatter_add(const int* reshape,
                   const float* min,
                   const float* squeeze,
                   const float* sum,
                   const float* sum_1,
                   const float* exponential,
                   const float* broadcast,
                   const float* broadcast_1,
                   const float* max,
                   const float* min_1,
                   const bool* eq,
                   const float* max_1,
                   float* scatter_add_out,
                   cudaStream_t stream);

cudaError_t
launch_sort(const uint32_t* stack, int* sort_out, int t, cudaStream_t stream);

cudaError_t
launch_squeeze(const float* reshape, float* squeeze_out, int t, cudaStream_t stream);

cudaError_t
launch_stack(const uint32_t* key, uint32_t* stack_out, cudaStream_t stream);

cudaError_t
launch_sub_1(const float* sub_in,
             const float* sum,
             const float* sum_1,
             const float* add_any,
             const float* tanh_in,
             const float* power,
             const float* power_1,
             float* add_out,
             float* add_out_1,
             float* sub_out,
             cudaStream_t stream);

cudaError_t
launch_sub_2(const float* sub_in,
             const float* sum,
             const float* sum_1,
             const float* dot,
             const float* max,
             const float* sum_2,
             const float* scatter_add,
             const float* sum_3,
             const float* power,
             const float* power_1,
             float* add_out,
             float* add_out_1,
             float* sub_out,
             cudaStream_t stream);

cudaError_t
launch_sub_3(const float* sub_in,
             const float* sub_in_1,
             const float* sum,
             const float* sum_1,
             const float* dot,
             const float* max,
             const float* sum_2,
             const float* scatter_add,
             const float* sum_3,
             const float* tanh_in,
             const float* power,
             const float* power_1,
             float* add_out,
             float* add_out_1,
             float* sub_out,
             cudaStream_t stream);

cudaError_t
launch_sub_4(const float* sub_in,
             const float* sub_in_1,
             const float* sub_in_2,
             const float* sub_in_3,
             const float* sub_in_4,
             const float* sub_in_5,
             const float* sum,
             const float* sum_1,
             const float* sum_2,
             const float* sum_3,
             const float* sum_4,
             const float* sum_5,
             const float* sum_6,
             const float* sum_7,
             const float* sum_8,
             const float* sum_9,
             const float* reshape,
             const float* add_any,
             const float* power,
             const float* power_1,
             const float* add_any_1,
             const float* add_any_2,
             const float* add_any_3,
             const float* dot,
             const float* tanh_in,
             float* add_out,
             float* add_out_1,
             float* sub_out,
             float* add_out_2,
             float* add_out_3,
             float* sub_out_1,
             float* add_out_4,
             float* add_out_5,
             float* sub_out_2,
             float* add_out_6,
             float* add_out_7,
             float* sub_out_3,
             float* add_out_8,
             float* add_out_9,
             float* sub_out_4,
             int t,
             cudaStream_t stream);

cudaError_t
launch_sub_5(const float* sub_in,
             const float* sub_in_1,
             const float* sum,
             const float* sum_1,
             const float* sum_2,
             const float* sum_3,
             const float* reshape,
             const float* add_any,
             const float* power,
             const float* power_1,
             const float* add_any_1,
             float* add_out,
             float* add_out_1,
             float* sub_out,
             float* add_out_2,
             float* add_out_3,
             float* sub_out_1,
             int t,
             cudaStream_t stream);

cudaError_t
launch_sum(const float* sub,
           const float* dot,
           const float* max,
           const float* sum_in,
           const float* scatter_add,
           float* sum_out,
           cudaStream_t stream);

cudaError_t
launch_tanh_kernel_1(const float* params_value_0_b,
                     const float* params_value_1_b,
                     const float* params_value_1_w,
                     const float* dot,
                     float* tanh_out,
                     cudaStream_t stream);

cudaError_t
launch_tanh_kernel_2(const float* sub,
                     const float* sub_1,
                     const float* sub_2,
                     const float* sub_3,
                     const float* reshape,
                     float* tanh_out,
                     float* tanh_out_1,
                     int t,
                     cudaStream_t stream);

cudaError_t
launch_tanh_kernel_3(const float* sub,
                     const float* sub_1,
                     const float* tanh_in,
                     float* tanh_out,
                     cudaStream_t stream);

}  // namespace ppo_update_kernels
