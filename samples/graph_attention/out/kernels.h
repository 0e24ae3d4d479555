// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace graph_attention_kernels {

namespace dot_1 {
cudaError_t
enqueue(const float* features, const float* weights, float* dot_out, cudaStream_t stream);
}  // namespace dot_1

namespace dot_2 {
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
enqueue(const Dot2Arrays& arrays, cudaStream_t stream);
}  // namespace dot_2

namespace dot_3 {
cudaError_t
enqueue(const float* weights, const float* scatter_add, float* dot_out, cudaStream_t stream);
}  // namespace dot_3

namespace dot_4 {
cudaError_t
enqueue(const int* senders,
        const int* receivers,
        const float* scores,
        const float* dot_in,
        float* dot_1_out,
        float* dot_2_out,
        cudaStream_t stream);
}  // namespace dot_4

namespace max_1 {
cudaError_t
enqueue(const int* receivers,
        const float* dot,
        const float* dot_1,
        float* max_out,
        cudaStream_t stream);
}  // namespace max_1

namespace scatter_add_1 {
cudaError_t
enqueue(const int* senders,
        const int* receivers,
        const float* div,
        const float* dot,
        float* scatter_add_out,
        cudaStream_t stream);
}  // namespace scatter_add_1

namespace scatter_add_2 {
cudaError_t
enqueue(const int* senders,
        const int* receivers,
        const float* div,
        const float* dot,
        float* select,
        cudaStream_t stream);
}  // namespace scatter_add_2

namespace sum_1 {
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
enqueue(const Sum1Arrays& arrays, cudaStream_t stream);
}  // namespace sum_1

namespace sum_2 {
struct Sum2Arrays {
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
enqueue(const Sum2Arrays& arrays, cudaStream_t stream);
}  // namespace sum_2

}  // namespace graph_attention_kernels
