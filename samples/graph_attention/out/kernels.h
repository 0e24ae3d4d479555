// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace graph_attention_kernels {

cudaError_t
launch_dot_1(const float* features, const float* weights, float* dot_out, cudaStream_t stream);

struct Dot2Arrays {
  struct DotArrays {
    const int* senders;
    const int* receivers;
    const float* scores;
    const float* dot_in;
    float* dot_1_out;
    float* dot_2_out;
  } dot;
  struct SumArrays {
    const int* receivers;
    int* sum_out;
  } sum;
};

cudaError_t
launch_dot_2(const Dot2Arrays& arrays, cudaStream_t stream);

cudaError_t
launch_dot_3(const float* weights, const float* scatter_add, float* dot_out, cudaStream_t stream);

cudaError_t
launch_dot_4(const int* senders,
             const int* receivers,
             const float* scores,
             const float* dot_in,
             float* dot_1_out,
             float* dot_2_out,
             cudaStream_t stream);

cudaError_t
launch_max_1(const int* receivers,
             const float* dot,
             const float* dot_1,
             float* max_out,
             cudaStream_t stream);

cudaError_t
launch_scatter_add_1(const int* senders,
                     const int* receivers,
                     const float* div,
                     const float* dot,
                     float* scatter_add_out,
                     cudaStream_t stream);

cudaError_t
launch_scatter_add_2(const int* senders,
                     const int* receivers,
                     const float* div,
                     const float* dot,
                     float* select,
                     cudaStream_t stream);

struct Sum1Arrays {
  struct SumArrays {
    const int* receivers;
    const float* dot;
    const float* dot_1;
    const float* max;
    float* sum_out;
  } sum;
  struct DivArrays {
    const int* receivers;
    const float* dot;
    const float* dot_1;
    const float* max;
    const float* sum;
    float* div_out;
  } div;
  uint32_t* finished;
};

cudaError_t
launch_sum_1(const Sum1Arrays& arrays, cudaStream_t stream);

}  // namespace graph_attention_kernels
