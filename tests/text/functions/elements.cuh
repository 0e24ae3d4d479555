// Functions of elements for the tests beside it, right ones and wrong ones.
#pragma once

#include <cstdint>

namespace nn {

inline __device__ float swish(float x) { return x / (1.0f + expf(-x)); }

inline __device__ float leaky(float x, float slope, float alpha) { return x < 0.0f ? alpha * slope * x : x; }

inline __device__ int round_to(const float& x, bool up, int64_t step) {
  return static_cast<int>(up ? ceilf(x) : floorf(x)) * static_cast<int>(step);
}

inline __device__ float square(float x) { return x * x; }
inline __device__ double square(double x) { return x * x; }

// Not for kernels.
__device__ float several_files(float x) { return x; }
inline float on_host(float x) { return x; }
inline __device__ float declared(float x);
inline __device__ float writes(float& x) { return x = 0.0f; }
struct Two {
  float first, second;
};
inline __device__ Two pair(float x) { return {x, x}; }
template <class T>
__device__ T of_any(T x) {
  return x;
}
inline __device__ float first(const float* x) { return *x; }
constexpr float kFactor = 2.0f;

// Several results.
struct Polar {
  float radius, angle;
  bool is_far;
};
inline __device__ Polar polar(float x, float y, float limit) {
  const float radius = sqrtf(x * x + y * y);
  return {radius, atan2f(y, x), radius > limit};
}
inline __device__ void polar_of(float x, float* radius, float* angle) { *radius = *angle = x; }
class Hidden {
  float first;
};
inline __device__ Hidden hidden(float) { return {}; }

}  // namespace nn
