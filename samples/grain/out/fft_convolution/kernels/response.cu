// response: fft, multiply, complex over c64[1,256].
//
//   in   kernel         f32[256]
//   out  response_out   c64[1,256]
//
//   response          = pad(kernel, 0, padding=0_256) * 0.5
//   response_reshaped = reshape(response, [1,256,2])
//   response_out      = fft(complex(response_reshaped[:,:,0], response_reshaped[:,:,1]))
//
// One block of 32 threads. Reads 1.0 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/block_fft.cuh"
#include "device/complex.cuh"
#include "device/launch.cuh"

namespace fft_convolution_kernels::response {
namespace {

constexpr int kLength = 256;                    // of a row
constexpr int kGap = 16;                        // numbers between two places that are left free
constexpr int kRoom = fft_room(kLength, kGap);  // 272, of a row
constexpr int kThreads = 32;

struct Shared {
  Complex<float> samples[kRoom];
  Complex<float> spare[kRoom];
  Complex<float> roots[kRoom];
};

__global__ void __launch_bounds__(kThreads)
response(const float* __restrict__ kernel, Complex<float>* __restrict__ response_out) {
  Shared& shared = block_shared<Shared>();

  for (int column = threadIdx.x; column < kLength; column += kThreads) {
    const float response = (column * 2 < 255 ? kernel[column * 2 + 1] : 0.0f) * 0.5f;
    shared.samples[column] = {(column * 2 < kLength ? kernel[column * 2] : 0.0f) * 0.5f, response};
  }

  const Complex<float>* spectrum =
      block_fft<kThreads, 1, kLength, kGap, false>(shared.samples, shared.spare, shared.roots);
  for (int column = threadIdx.x; column < kLength; column += kThreads) {
    response_out[column] = spectrum[column];
  }
}

}  // namespace

cudaError_t
enqueue(const float* kernel, Complex<float>* response_out, cudaStream_t stream) {
  return launch(response, {.grid = 1, .block = kThreads}, stream, kernel, response_out);
}

}  // namespace fft_convolution_kernels::response
