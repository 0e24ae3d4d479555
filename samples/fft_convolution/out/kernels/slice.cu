// slice: real over f32[4,256].
//
//   in   dot     c64[4,32,1,16]
//   out  slice   f32[4,256]
//
//   fft = real(transpose(dot))
//
// 32 blocks of 32 threads. Reads 8.2 kB, writes 4.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace fft_convolution_kernels {
namespace {

constexpr int kElements = 1024;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
slice(const Complex<float>* __restrict__ dot, float* __restrict__ slice_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 256;
  const int column = element % 256;

  slice_out[element] = dot[row * 512 + column % 32 * 16 + column / 32].real;
}

}  // namespace

cudaError_t
launch_slice(const Complex<float>* dot, float* slice_out, cudaStream_t stream) {
  return launch(slice, {.grid = kElements / kThreads, .block = kThreads}, stream, dot, slice_out);
}

}  // namespace fft_convolution_kernels
