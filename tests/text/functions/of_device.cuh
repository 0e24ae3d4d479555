// What only the device knows: nvcc reads the header for the host, too.
#pragma once

inline __device__ float of_device(float x) { return __CUDA_ARCH__ >= 900 ? x + x : x; }
