// unfinished: compare, and over pred[].
//
//   in   sum    s32[]
//   in   dot    f32[]
//   out  and_   pred[]
//
//   and_ = sum < 200 and dot > 1e-06
//
// One thread. Reads 8 B, writes 1 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace conjugate_gradient_kernels {
namespace {

constexpr int kThreads = 1;

__global__ void __launch_bounds__(kThreads)
unfinished(const int* __restrict__ sum, const float* __restrict__ dot, bool* __restrict__ and_) {
  and_[0] = sum[0] < 200 && dot[0] > 1e-6f;
}

}  // namespace

cudaError_t
launch_unfinished(const int* sum, const float* dot, bool* and_, cudaStream_t stream) {
  return launch(unfinished, {.grid = 1, .block = kThreads}, stream, sum, dot, and_);
}

}  // namespace conjugate_gradient_kernels
