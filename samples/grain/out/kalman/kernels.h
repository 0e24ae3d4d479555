// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace kalman_kernels {

namespace fill {
cudaError_t
enqueue(float* for_, cudaStream_t stream);
}  // namespace fill

namespace predict {
struct PredictArrays {
  struct Predict2Arrays {
    const float* first_p;
    const float* constant;
    float* p_out;
  } predict_2;
  struct PlaceArrays {
    const float* first_x_in;
    const float* measured;
    const float* constant;
    const float* p;
    float* first_x_out;
    float* place_out;
    int t;
  } place;
  struct CorrectArrays {
    const float* p;
    float* first_p;
  } correct;
  uint32_t* finished;
};

cudaError_t
enqueue(const PredictArrays& arrays, cudaStream_t stream);
}  // namespace predict

}  // namespace kalman_kernels
