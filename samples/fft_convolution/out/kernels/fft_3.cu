// fft_3: fft, negate, subtract, multiply, add, ... over f32[4,256].
//
//   in   fft_4        c64[4,256]
//   in   constant     c64[257]
//   in   fft_2        c64[1,256]
//   in   constant_2   c64[1,257]
//   in   constant_3   c64[257]
//   out  fft          f32[4,256]
//
//   fft_13     = concatenate(fft_4, fft_4[:,0]), dimensions={1}
//   fft_1      = complex(real(reverse(fft_13, {1})), -imag(reverse(fft_13, {1})))
//   fft_5      = fft_13 + fft_1 + (fft_13 - fft_1) * constant
//   fft_14     = concatenate(fft_2, fft_2[:,0]), dimensions={1}
//   fft_6      = complex(real(reverse(fft_14, {1})), -imag(reverse(fft_14, {1})))
//   fft_7      = fft_14 + fft_6 + (fft_14 - fft_6) * constant_2
//   spectrum_1 = fft_5 * fft_7
//   fft_15     = select(iota({1}) == 0 or iota({1}) == 256, 0, imag(spectrum_1))
//   fft_10     = complex(real(spectrum_1), fft_15)
//   fft_12     = complex(real(reverse(fft_10, {1})), -imag(reverse(fft_10, {1})))
//   fft_16     = fft((fft_10 + fft_12 + (fft_10 - fft_12) * constant_3)[:,0:256])
//   fft_17     = reshape(concatenate(real(fft_16), imag(fft_16)), [4,512]) * 0.5
//   fft        = fft_17[:,0:256]
//
// 4 rows a block of 128 threads. Reads 16.4 kB, writes 4.1 kB.

#include "kernels.h"

#include "device/block_fft.cuh"
#include "device/complex.cuh"
#include "device/launch.cuh"

namespace fft_convolution_kernels::fft_3 {
namespace {

constexpr int kRows = 4;
constexpr int kLength = 256;  // of a row
constexpr int kRowsPerBlock = 4;
constexpr int kElements = kRowsPerBlock * kLength;  // 1024, a block
constexpr int kStride = kLength + 1;                // 257: rows begin in different banks
constexpr int kThreads = 128;

static_assert(kRows % kRowsPerBlock == 0, "every block is full");

struct Shared {
  Complex<float> samples[kRowsPerBlock * kStride];
  Complex<float> spare[kRowsPerBlock * kStride];
  Complex<float> roots[kLength];
};

__global__ void __launch_bounds__(kThreads)
fft_3(const Complex<float>* __restrict__ fft_4,
      const Complex<float>* __restrict__ constant,
      const Complex<float>* __restrict__ fft_2,
      const Complex<float>* __restrict__ constant_2,
      const Complex<float>* __restrict__ constant_3,
      float* __restrict__ fft) {
  Shared& shared = block_shared<Shared>();
  const int first_row = blockIdx.x * kRowsPerBlock;

  for (int i = threadIdx.x; i < kElements; i += kThreads) {
    const int slot = i / kLength;
    const int column = i % kLength;
    const int row = first_row + slot;
    const Complex<float> fft_4_value_1 = fft_4[row * kLength + column];
    const int in_column = column >= 1 ? 256 - column : 0;
    const Complex<float> fft_4_value_2 = fft_4[row * kLength + in_column];
    const Complex<float> fft_1 = {fft_4_value_2.real, -fft_4_value_2.imag};
    const Complex<float> fft_3 = {fft_4_value_1.real, -fft_4_value_1.imag};
    const Complex<float> fft_5 =
        fft_4_value_2 + fft_3 + (fft_4_value_2 - fft_3) * constant[256 - column];
    const Complex<float> fft_2_value_1 = fft_2[column];
    const Complex<float> fft_2_value_2 = fft_2[in_column];
    const Complex<float> fft_6 = {fft_2_value_2.real, -fft_2_value_2.imag};
    const Complex<float> fft_7 =
        fft_2_value_1 + fft_6 + (fft_2_value_1 - fft_6) * constant_2[column];
    const Complex<float> spectrum_1 =
        (fft_4_value_1 + fft_1 + (fft_4_value_1 - fft_1) * constant[column]) * fft_7;
    const Complex<float> fft_8 = {fft_2_value_1.real, -fft_2_value_1.imag};
    const Complex<float> fft_9 =
        fft_2_value_2 + fft_8 + (fft_2_value_2 - fft_8) * constant_2[256 - column];
    const Complex<float> spectrum_2 = fft_5 * fft_9;
    const Complex<float> fft_10 = {spectrum_1.real, column == 0 ? 0.0f : spectrum_1.imag};
    const Complex<float> fft_11 = {spectrum_2.real, 256 - column == 256 ? 0.0f : spectrum_2.imag};
    const Complex<float> fft_12 = {fft_11.real, -fft_11.imag};
    shared.samples[slot * kStride + column] =
        fft_10 + fft_12 + (fft_10 - fft_12) * constant_3[column];
  }

  const Complex<float>* signal =
      block_fft<kThreads, kRowsPerBlock, kLength, true>(shared.samples, shared.spare, shared.roots);
  for (int i = threadIdx.x; i < kElements; i += kThreads) {
    const int slot = i / kLength;
    const int column = i % kLength;
    const int row = first_row + slot;
    if (column < 128) {
      const Complex<float> sample = signal[slot * kStride + column] / 256.0f;
      const int index = row * 128 + column;

      fft[index * 2] = sample.real * 0.5f;
      fft[index * 2 + 1] = sample.imag * 0.5f;
    }
  }
}

}  // namespace

cudaError_t
enqueue(const Complex<float>* fft_4, const Complex<float>* constant, const Complex<float>* fft_2,
        const Complex<float>* constant_2, const Complex<float>* constant_3, float* fft,
        cudaStream_t stream) {
  return launch(fft_3, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                fft_4, constant, fft_2, constant_2, constant_3, fft);
}

}  // namespace fft_convolution_kernels::fft_3
