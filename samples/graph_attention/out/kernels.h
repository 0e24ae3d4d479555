// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace graph_attention_kernels {

namespace degrees {
struct DegreesArrays {
  struct Degrees2Arrays {
    const int* receivers;
    int* degrees_out;
  } degrees_2;
  struct FeaturesWeightsArrays {
    const float* features;
    const float* weights;
    float* features_weights_out;
  } features_weights;
};

cudaError_t
enqueue(const DegreesArrays& arrays, cudaStream_t stream);
}  // namespace degrees

namespace dot {
cudaError_t
enqueue(const int* senders, const int* receivers, const float* scores,
        const float* features_weights, float* dot_4_out, float* dot_5_out, cudaStream_t stream);
}  // namespace dot

namespace dot_2 {
cudaError_t
enqueue(const float* weights, const float* sums, float* dot_2_out, cudaStream_t stream);
}  // namespace dot_2

namespace dot_3 {
cudaError_t
enqueue(const int* senders, const int* receivers, const float* scores, const float* dot_2,
        float* dot_6_out, float* dot_7_out, cudaStream_t stream);
}  // namespace dot_3

namespace scatter_max {
cudaError_t
enqueue(const int* receivers, const float* dot, const float* dot_1, float* scatter_max_out,
        cudaStream_t stream);
}  // namespace scatter_max

namespace sum {
struct SumArrays {
  struct Sum3Arrays {
    const int* receivers;
    const float* dot;
    const float* dot_1;
    const float* scatter_max;
    float* sum_out;
  } sum_3;
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
enqueue(const SumArrays& arrays, cudaStream_t stream);
}  // namespace sum

namespace sums {
cudaError_t
enqueue(const int* senders, const int* receivers, const float* ratio, const float* features_weights,
        float* sums_out, cudaStream_t stream);
}  // namespace sums

namespace sums_2 {
cudaError_t
enqueue(const int* senders, const int* receivers, const float* ratio_2, const float* dot_2,
        float* features, cudaStream_t stream);
}  // namespace sums_2

}  // namespace graph_attention_kernels
