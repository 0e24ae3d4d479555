// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace cumsum_recurrence_kernels {

namespace compose {
struct ComposeArrays {
  struct Compose2Arrays {
    const float* a;
    float* compose;
  } compose_2;
  struct Compose3Arrays {
    const float* a;
    const float* b;
    float* compose;
  } compose_3;
  struct Compose4Arrays {
    const float* a;
    const float* b;
    float* compose_1;
    float* compose_2;
  } compose_4;
};

cudaError_t
enqueue(const ComposeArrays& arrays, cudaStream_t stream);
}  // namespace compose

namespace compose_2 {
struct Compose2Arrays {
  struct ComposeArrays {
    const float* compose_in;
    float* compose_out;
  } compose;
  struct Compose3Arrays {
    const float* compose_in;
    const float* compose_1_in;
    float* compose_out;
  } compose_3;
  struct Compose4Arrays {
    const float* compose_in;
    const float* compose_1_in;
    float* compose_1_out;
    float* compose_2_out;
  } compose_4;
  struct Compose5Arrays {
    const float* compose_in;
    const float* compose_1_in;
    float* compose_1_out;
    float* compose_2_out;
  } compose_5;
  uint32_t* finished;
};

cudaError_t
enqueue(const Compose2Arrays& arrays, cudaStream_t stream);
}  // namespace compose_2

namespace h {
struct HArrays {
  struct H2Arrays {
    const float* compose;
    const float* compose_1;
    const float* compose_2;
    const float* compose_3;
    float* h_out;
  } h_2;
  struct H3Arrays {
    const float* compose;
    const float* compose_1;
    const float* compose_2;
    const float* compose_3;
    float* h_out;
  } h_3;
};

cudaError_t
enqueue(const HArrays& arrays, cudaStream_t stream);
}  // namespace h

namespace h_2 {
cudaError_t
enqueue(const float* a, const float* b, const float* compose, const float* compose_1,
        const float* compose_2, const float* compose_3, const float* compose_4,
        const float* compose_5, const float* h_in, const float* h_1_in, float* h_out,
        cudaStream_t stream);
}  // namespace h_2

}  // namespace cumsum_recurrence_kernels
