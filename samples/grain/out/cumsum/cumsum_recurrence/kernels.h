// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace cumsum_recurrence_kernels {

namespace compose {
struct ComposeArrays {
  struct Compose3Arrays {
    const float* a;
    float* compose_3_out;
  } compose_3;
  struct Compose4Arrays {
    const float* a;
    const float* b;
    float* compose_4_out;
  } compose_4;
  struct Compose5Arrays {
    const float* a;
    const float* b;
    float* compose_5_out;
    float* compose_6;
  } compose_5;
};

cudaError_t
enqueue(const ComposeArrays& arrays, cudaStream_t stream);
}  // namespace compose

namespace compose_2 {
struct Compose2Arrays {
  struct Compose3Arrays {
    const float* compose_5;
    float* compose_7;
  } compose_3;
  struct Compose4Arrays {
    const float* compose_5;
    const float* compose_6;
    float* compose_8;
  } compose_4;
  struct Compose5Arrays {
    const float* compose_5_in;
    const float* compose_6;
    float* compose_9;
    float* compose_10;
  } compose_5;
  struct Compose6Arrays {
    const float* compose_9;
    const float* compose_10;
    float* compose_11;
    float* compose_12;
  } compose_6;
  uint32_t* finished;
};

cudaError_t
enqueue(const Compose2Arrays& arrays, cudaStream_t stream);
}  // namespace compose_2

namespace h {
struct HArrays {
  struct H3Arrays {
    const float* compose_9;
    const float* compose_10;
    const float* compose_12;
    const float* compose_11;
    float* h_3_out;
  } h_3;
  struct H4Arrays {
    const float* compose_10;
    const float* compose_9;
    const float* compose_12;
    const float* compose_11;
    float* h_4_out;
  } h_4;
};

cudaError_t
enqueue(const HArrays& arrays, cudaStream_t stream);
}  // namespace h

namespace h_2 {
cudaError_t
enqueue(const float* a, const float* b, const float* compose_4, const float* compose_3,
        const float* compose_6, const float* compose_5, const float* compose_8,
        const float* compose_7, const float* h_4, const float* h_3, float* h, cudaStream_t stream);
}  // namespace h_2

}  // namespace cumsum_recurrence_kernels
