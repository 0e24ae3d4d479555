// a: fft, multiply, complex over c64[4,256].
//
//   in   signal   f32[4,256]
//   out  a_out    c64[4,256]
//
//   a          = pad(signal, 0, padding=0_0x0_256) * 0.5
//   a_reshaped = reshape(a, [4,256,2])
//   a_out      = fft(complex(a_reshaped[:,:,0], a_reshaped[:,:,1]))
//
// 4 rows a block of 128 threads. Reads 4.1 kB, writes 8.2 kB.

#include "kernels.h"

#include "device/block_fft.cuh"
#include "device/complex.cuh"
#include "device/launch.cuh"

namespace fft_convolution_kernels::a {
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
a(const float* __restrict__ signal, Complex<float>* __restrict__ a_out) {
  Shared& shared = block_shared<Shared>();
  const int first_row = blockIdx.x * kRowsPerBlock;

  for (int i = threadIdx.x; i < kElements; i += kThreads) {
    const int slot = i / kLength;
    const int column = i % kLength;
    const int row = first_row + slot;
    const int index = row * 128 + column;
    const float a = (column * 2 < 255 ? signal[index * 2 + 1] : 0.0f) * 0.5f;
    shared.samples[slot * kStride + column] = {(column * 2 < kLength ? signal[index * 2] : 0.0f) *
                                                   0.5f,
                                               a};
  }

  const Complex<float>* spectrum =
      block_fft<kThreads, kRowsPerBlock, kLength, kGap, false>(shared.samples, shared.spare,
                                                               shared.roots);
  for (int i = threadIdx.x; i < kElements; i += kThreads) {
    const int slot = i / kLength;
    const int column = i % kLength;
    const int row = first_row + slot;
    a_out[row * kLength + column] = spectrum[slot * kStride + column];
  }
}

}  // namespace

cudaError_t
enqueue(const float* signal, Complex<float>* a_out, cudaStream_t stream) {
  return launch(a, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream, signal, a_out);
}

}  // namespace fft_convolution_kernels::a
