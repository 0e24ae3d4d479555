// slice: multiply, real, imag over f32[4,256].
//
//   in   fft         c64[4,256]
//   out  slice_out   f32[4,256]
//
//   slice_out = (reshape(concatenate(real(fft), imag(fft)), [4,512]) * 0.5)[:,0:256]
//
// 32 blocks of 32 threads. Reads 7.2 kB, writes 4.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace fft_convolution_kernels {
namespace {

constexpr int kElements = 1024;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
slice(const Complex<float>* __restrict__ fft, float* __restrict__ slice_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 256;
  const int column = element % 256;

  const int index = row * 256 + column / 2;

  slice_out[element] = (column % 2 == 0 ? fft[index].real : fft[index].imag) * 0.5f;
}

}  // namespace

cudaError_t
launch_slice(const Complex<float>* fft, float* slice_out, cudaStream_t stream) {
  return launch(slice, {.grid = kElements / kThreads, .block = kThreads}, stream, fft, slice_out);
}

}  // namespace fft_convolution_kernels
