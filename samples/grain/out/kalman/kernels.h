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
    const float* last_p;
    const float* f;
    float* p_out;
  } predict_2;
  struct PlaceArrays {
    const float* last_x_in;
    const float* measured;
    const float* f;
    const float* p;
    float* last_x_out;
    float* place_out;
    int t;
  } place;
  struct CorrectArrays {
    const float* p;
    float* last_p;
  } correct;
  uint32_t* finished;
};

cudaError_t
enqueue(const PredictArrays& arrays, cudaStream_t stream);
}  // namespace predict

}  // namespace kalman_kernels
