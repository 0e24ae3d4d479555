// fft: fft, multiply, complex over c64[4,256].
//
//   in   signal   f32[4,256]
//   out  fft_4    c64[4,256]
//
//   fft          = pad(signal, 0, padding=0_0x0_256) * 0.5
//   fft_reshaped = reshape(fft, [4,256,2])
//   fft_4        = fft(complex(fft_reshaped[:,:,0], fft_reshaped[:,:,1]))
//
// 4 rows a block of 128 threads. Reads 4.1 kB, writes 8.2 kB.

#include "kernels.h"

#include "device/block_fft.cuh"
#include "device/complex.cuh"
#include "device/launch.cuh"

namespace fft_convolution_kernels::fft {
namespace {

constexpr int kRows = 4;
constexpr int kLength = 256;  // of a row
constexpr int kRowsPerBlock = 4;
constexpr int kElements = kRowsPerBlock * kLength;  // 1024, a block
constexpr int kGap = 16;                            // numbers between two places that are left free
constexpr int kRoom = fft_room(kLength, kGap);      // 272, of a row
constexpr int kStride = kRoom + 1;                  // 273: rows begin in different banks
constexpr int kThreads = 128;

static_assert(kRows % kRowsPerBlock == 0, "every block is full");

struct Shared {
  Complex<float> samples[kRowsPerBlock * kStride];
  Complex<float> spare[kRowsPerBlock * kStride];
  Complex<float> roots[kRoom];
};

__global__ void __launch_bounds__(kThreads)
fft(const float* __restrict__ signal, Complex<float>* __restrict__ fft_4) {
  Shared& shared = block_shared<Shared>();
  const int first_row = blockIdx.x * kRowsPerBlock;

  for (int i = threadIdx.x; i < kElements; i += kThreads) {
    const int slot = i / kLength;
    const int column = i % kLength;
    const int row = first_row + slot;
    const int index = row * 128 + column;
    const float fft = (column * 2 < 255 ? signal[index * 2 + 1] : 0.0f) * 0.5f;
    shared.samples[slot * kStride + column] = {(column * 2 < kLength ? signal[index * 2] : 0.0f) *
                                                   0.5f,
                                               fft};
  }

  const Complex<float>* spectrum =
      block_fft<kThreads, kRowsPerBlock, kLength, kGap, false>(shared.samples, shared.spare,
                                                               shared.roots);
  for (int i = threadIdx.x; i < kElements; i += kThreads) {
    const int slot = i / kLength;
    const int column = i % kLength;
    const int row = first_row + slot;
    fft_4[row * kLength + column] = spectrum[slot * kStride + column];
  }
}

}  // namespace

cudaError_t
enqueue(const float* signal, Complex<float>* fft_4, cudaStream_t stream) {
  return launch(fft, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream, signal, fft_4);
}

}  // namespace fft_convolution_kernels::fft
