// and_: compare, and over pred[].
//
//   in   sum    s32[]
//   in   dot    f32[]
//   out  and_   pred[]
//
//   lt   = compare(sum, 200)
//   gt   = compare(dot, 1e-06)
//   and_ = and(lt, gt)
//
// 1 block of 1 threads. Reads 8 B, writes 1 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace conjugate_gradient_kernels {
namespace {

constexpr int kThreads = 1;

__global__ void __launch_bounds__(kThreads)
and_(const int* __restrict__ sum, const float* __restrict__ dot, bool* __restrict__ and_out) {
  and_out[0] = sum[0] < 200 && dot[0] > 1e-6f;
}

}  // namespace

cudaError_t
launch_and_(const int* sum, const float* dot, bool* and_out, cudaStream_t stream) {
  return launch(and_, {.grid = 1, .block = kThreads}, stream, sum, dot, and_out);
}

}  // namespace conjugate_gradient_kernels
