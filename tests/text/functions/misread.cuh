// A type that clang does not know here, for which it would take another.
#pragma once

inline __device__ flaot misread(float x) { return x; }
