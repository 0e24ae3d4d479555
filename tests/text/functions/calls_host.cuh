// A function of kernels that calls one of the host.
#pragma once

inline float half_of(float x) { return 0.5f * x; }
inline __device__ float swish(float x) { return half_of(x); }
