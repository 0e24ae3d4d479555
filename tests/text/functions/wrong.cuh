#pragma once

#include "gone.cuh"

inline __device__ flaot swish(float x) { return x; }
