// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace graph_attention_kernels {

struct BroadcastInDimArrays {
  struct BroadcastInDim1Arrays {
    const int* receivers;
    int* broadcast_in_dim;
  } broadcast_in_dim_1;
  struct BroadcastInDim2Arrays {
    const int* receivers;
    int* broadcast_in_dim;
  } broadcast_in_dim_2;
  struct SumArrays {
    const int* receivers;
    int* sum_out;
  } sum;
};

cudaError_t
launch_broadcast_in_dim(const BroadcastInDimArrays& arrays, cudaStream_t stream);

cudaError_t
launch_div(const float* exponential,
           const int* broadcast_in_dim,
           const float* sum,
           float* div_out,
           cudaStream_t stream);

cudaError_t
launch_dot_1(const float* features, const float* weights, float* dot_out, cudaStream_t stream);

struct Dot2Arrays {
  struct DotArrays {
    const int* senders;
    const int* receivers;
    const float* scores;
    const float* dot_in;
    float* dot_out;
    float* dot_1_out;
  } dot;
  struct GatherArrays {
    const int* senders;
    const float* dot;
    float* gather_out;
  } gather;
};

cudaError_t
launch_dot_2(const Dot2Arrays& arrays, cudaStream_t stream);

cudaError_t
launch_dot_3(const float* weights, const float* scatter_add, float* dot_out, cudaStream_t stream);

struct Dot4Arrays {
  struct DotArrays {
    const int* senders;
    const int* receivers;
    const float* scores;
    const float* dot_in;
    float* dot_out;
    float* dot_1_out;
  } dot;
  struct GatherArrays {
    const int* senders;
    const float* dot;
    float* gather_out;
  } gather;
};

cudaError_t
launch_dot_4(const Dot4Arrays& arrays, cudaStream_t stream);

struct ExponentialArrays {
  struct Exponential1Arrays {
    const float* select;
    const int* broadcast_in_dim;
    const float* max;
    float* exponential;
  } exponential_1;
  struct SumArrays {
    const int* receivers;
    const float* dot;
    const float* dot_1;
    const float* max;
    float* sum_out;
  } sum;
};

cudaError_t
launch_exponential(const ExponentialArrays& arrays, cudaStream_t stream);

struct Max1Arrays {
  struct MaxArrays {
    const int* receivers;
    const float* dot;
    const float* dot_1;
    float* max_out;
  } max;
  struct SelectArrays {
    const float* dot;
    const float* dot_1;
    float* select_out;
  } select;
};

cudaError_t
launch_max_1(const Max1Arrays& arrays, cudaStream_t stream);

cudaError_t
launch_max_2(const int* receivers,
             const float* dot,
             const float* dot_1,
             float* max_out,
             cudaStream_t stream);

cudaError_t
launch_mul(const float* sub,
           const int* broadcast_in_dim,
           const float* sum,
           float* mul_out,
           cudaStream_t stream);

cudaError_t
launch_scatter_add_1(const int* broadcast_in_dim,
                     const float* div,
                     const float* gather,
                     float* scatter_add_out,
                     cudaStream_t stream);

cudaError_t
launch_scatter_add_2(const int* broadcast_in_dim,
                     const float* mul,
                     const float* gather,
                     float* select,
                     cudaStream_t stream);

struct SubArrays {
  struct Sub1Arrays {
    const float* dot;
    const float* dot_1;
    const int* broadcast_in_dim;
    const float* max;
    float* sub;
  } sub_1;
  struct SumArrays {
    const int* receivers;
    const float* dot;
    const float* dot_1;
    const float* max;
    float* sum_out;
  } sum;
};

cudaError_t
launch_sub(const SubArrays& arrays, cudaStream_t stream);

}  // namespace graph_attention_kernels
