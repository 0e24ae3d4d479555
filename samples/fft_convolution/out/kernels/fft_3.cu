// fft_3: fft, negate, subtract, multiply, add, ... over f32[4,256].
//
//   in   fft          c64[4,256]
//   in   constant     c64[257]
//   in   fft_1        c64[1,256]
//   in   fft_2        c64[1,257]
//   in   constant_1   c64[257]
//   out  slice        f32[4,256]
//
//   fft_3      = concatenate(fft, fft[:,0]), dimensions={1}
//   fft_4      = complex(real(reverse(fft_3, {1})), -imag(reverse(fft_3, {1})))
//   fft_13     = concatenate(fft_1, fft_1[:,0]), dimensions={1}
//   fft_6      = complex(real(reverse(fft_13, {1})), -imag(reverse(fft_13, {1})))
//   fft_7      = fft_13 + fft_6 + (fft_13 - fft_6) * fft_2
//   spectrum_1 = (fft_3 + fft_4 + (fft_3 - fft_4) * constant) * fft_7
//   select     = select(iota({1}) == 0 or iota({1}) == 256, 0, imag(spectrum_1))
//   fft_10     = complex(real(spectrum_1), select)
//   fft_12     = complex(real(reverse(fft_10, {1})), -imag(reverse(fft_10, {1})))
//   fft_14     = fft((fft_10 + fft_12 + (fft_10 - fft_12) * constant_1)[:,0:256])
//   fft_15     = reshape(concatenate(real(fft_14), imag(fft_14)), [4,512]) * 0.5
//   slice      = fft_15[:,0:256]
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
fft_3(const Complex<float>* __restrict__ fft,
      const Complex<float>* __restrict__ constant,
      const Complex<float>* __restrict__ fft_1,
      const Complex<float>* __restrict__ fft_2,
      const Complex<float>* __restrict__ constant_1,
      float* __restrict__ slice) {
  Shared& shared = block_shared<Shared>();
  const int first_row = blockIdx.x * kRowsPerBlock;

  for (int i = threadIdx.x; i < kElements; i += kThreads) {
    const int slot = i / kLength;
    const int column = i % kLength;
    const int row = first_row + slot;
    const Complex<float> fft_value_1 = fft[row * kLength + column];
    const int in_column = column >= 1 ? 256 - column : 0;
    const Complex<float> fft_value_2 = fft[row * kLength + in_column];
    const Complex<float> fft_4 = {fft_value_2.real, -fft_value_2.imag};
    const Complex<float> fft_5 = {fft_value_1.real, -fft_value_1.imag};
    const Complex<float> fft_1_value_1 = fft_1[column];
    const Complex<float> fft_1_value_2 = fft_1[in_column];
    const Complex<float> fft_6 = {fft_1_value_2.real, -fft_1_value_2.imag};
    const Complex<float> fft_7 = fft_1_value_1 + fft_6 + (fft_1_value_1 - fft_6) * fft_2[column];
    const Complex<float> spectrum_1 =
        (fft_value_1 + fft_4 + (fft_value_1 - fft_4) * constant[column]) * fft_7;
    const Complex<float> fft_8 = {fft_1_value_1.real, -fft_1_value_1.imag};
    const Complex<float> fft_9 =
        fft_1_value_2 + fft_8 + (fft_1_value_2 - fft_8) * fft_2[256 - column];
    const Complex<float> spectrum_2 =
        (fft_value_2 + fft_5 + (fft_value_2 - fft_5) * constant[256 - column]) * fft_9;
    const Complex<float> fft_10 = {spectrum_1.real, column == 0 ? 0.0f : spectrum_1.imag};
    const Complex<float> fft_11 = {spectrum_2.real, 256 - column == 256 ? 0.0f : spectrum_2.imag};
    const Complex<float> fft_12 = {fft_11.real, -fft_11.imag};
    shared.samples[slot * kStride + column] =
        fft_10 + fft_12 + (fft_10 - fft_12) * constant_1[column];
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

      slice[index * 2] = sample.real * 0.5f;
      slice[index * 2 + 1] = sample.imag * 0.5f;
    }
  }
}

}  // namespace

cudaError_t
enqueue(const Complex<float>* fft,
        const Complex<float>* constant,
        const Complex<float>* fft_1,
        const Complex<float>* fft_2,
        const Complex<float>* constant_1,
        float* slice,
        cudaStream_t stream) {
  return launch(fft_3, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                fft, constant, fft_1, fft_2, constant_1, slice);
}

}  // namespace fft_convolution_kernels::fft_3
