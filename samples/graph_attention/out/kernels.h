// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace graph_attention_kernels {

struct DegreesArrays {
  struct Degrees2Arrays {
    const int* receivers;
    int* degrees_out;
  } degrees_2;
  struct DotArrays {
    const int* senders;
    const int* receivers;
    const float* scores;
    const float* features_weights;
    float* dot_1_out;
    float* dot_2_out;
  } dot;
};

cudaError_t
launch_degrees(const DegreesArrays& arrays, cudaStream_t stream);

cudaError_t
launch_dot(const float* weights, const float* sums, float* dot_out, cudaStream_t stream);

cudaError_t
launch_dot_2(const int* senders,
             const int* receivers,
             const float* scores,
             const float* dot_in,
             float* dot_1_out,
             float* dot_2_out,
             cudaStream_t stream);

cudaError_t
launch_features_weights(const float* features,
                        const float* weights,
                        float* features_weights_out,
                        cudaStream_t stream);

cudaError_t
launch_scatter_max(const int* receivers,
                   const float* dot,
                   const float* dot_1,
                   float* scatter_max_out,
                   cudaStream_t stream);

struct SumArrays {
  struct Sum2Arrays {
    const int* receivers;
    const float* dot;
    const float* dot_1;
    const float* scatter_max;
    float* sum_out;
  } sum_2;
  struct RatioArrays {
    const int* receivers;
    const float* dot;
    const float* dot_1;
    const float* scatter_max;
    const float* sum;
    float* ratio_out;
  } ratio;
  uint32_t* finished;
};

cudaError_t
launch_sum(const SumArrays& arrays, cudaStream_t stream);

cudaError_t
launch_sums(const int* senders,
            const int* receivers,
            const float* ratio,
            const float* features_weights,
            float* sums_out,
            cudaStream_t stream);

cudaError_t
launch_sums_2(const int* senders,
              const int* receivers,
              const float* ratio,
              const float* dot,
              float* features,
              cudaStream_t stream);

}  // namespace graph_attention_kernels
