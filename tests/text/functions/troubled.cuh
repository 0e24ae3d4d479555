// Besides what clang does not take, which our stand-ins may lack.
#pragma once

namespace nn {

inline __device__ float swish(float x) { return __erfcx_ftz(x); }
inline float of_host(float x) { return x; }
__device__ float not_inline(float x) { return x; }

}  // namespace nn
