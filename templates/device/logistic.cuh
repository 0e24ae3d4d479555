// logistic(x) = 1 / (1 + exp(-x)).
#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

__host__ __device__ inline float logistic(float x) { return 1.0f / (1.0f + expf(-x)); }

__host__ __device__ inline double logistic(double x) { return 1.0 / (1.0 + exp(-x)); }

}  // namespace sinter_helpers
