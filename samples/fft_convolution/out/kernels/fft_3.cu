// fft_3: fft, negate, subtract, multiply, add, ... over f32[4,256].
//
//   in   fft_4        c64[4,256]
//   in   constant     c64[257]
//   in   fft_2        c64[1,256]
//   in   constant_2   c64[1,257]
//   in   constant_3   c64[257]
//   out  fft          f32[4,256]
//
//   fft_9    = concatenate(fft_4, fft_4[:,0]), dimensions={1}
//   fft_1    = complex(real(reverse(fft_9, {1})), -imag(reverse(fft_9, {1})))
//   fft_3    = fft_9 + fft_1 + (fft_9 - fft_1) * constant
//   fft_10   = concatenate(fft_2, fft_2[:,0]), dimensions={1}
//   fft_5    = complex(real(reverse(fft_10, {1})), -imag(reverse(fft_10, {1})))
//   fft_6    = fft_10 + fft_5 + (fft_10 - fft_5) * constant_2
//   spectrum = fft_3 * fft_6
//   fft_11   = select(iota({1}) == 0 or iota({1}) == 256, 0, imag(spectrum))
//   fft_7    = complex(real(spectrum), fft_11)
//   fft_8    = complex(real(reverse(fft_7, {1})), -imag(reverse(fft_7, {1})))
//   fft_12   = fft((fft_7 + fft_8 + (fft_7 - fft_8) * constant_3)[:,0:256])
//   fft_13   = reshape(concatenate(real(fft_12), imag(fft_12)), [4,512]) * 0.5
//   fft      = fft_13[:,0:256]
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
    const Complex<float> fft_1_1 = {fft_4_value_2.real, -fft_4_value_2.imag};
    const Complex<float> fft_1_2 = {fft_4_value_1.real, -fft_4_value_1.imag};
    const Complex<float> fft_3 =
        fft_4_value_2 + fft_1_2 + (fft_4_value_2 - fft_1_2) * constant[256 - column];
    const Complex<float> fft_2_value_1 = fft_2[column];
    const Complex<float> fft_2_value_2 = fft_2[in_column];
    const Complex<float> fft_5_1 = {fft_2_value_2.real, -fft_2_value_2.imag};
    const Complex<float> fft_6_1 =
        fft_2_value_1 + fft_5_1 + (fft_2_value_1 - fft_5_1) * constant_2[column];
    const Complex<float> spectrum_1 =
        (fft_4_value_1 + fft_1_1 + (fft_4_value_1 - fft_1_1) * constant[column]) * fft_6_1;
    const Complex<float> fft_5_2 = {fft_2_value_1.real, -fft_2_value_1.imag};
    const Complex<float> fft_6_2 =
        fft_2_value_2 + fft_5_2 + (fft_2_value_2 - fft_5_2) * constant_2[256 - column];
    const Complex<float> spectrum_2 = fft_3 * fft_6_2;
    const Complex<float> fft_7_1 = {spectrum_1.real, column == 0 ? 0.0f : spectrum_1.imag};
    const Complex<float> fft_7_2 = {spectrum_2.real, column == 0 ? 0.0f : spectrum_2.imag};
    const Complex<float> fft_8 = {fft_7_2.real, -fft_7_2.imag};
    shared.samples[slot * kStride + column] =
        fft_7_1 + fft_8 + (fft_7_1 - fft_8) * constant_3[column];
  }

  const Complex<float>* signal =
      block_fft<kThreads, kRowsPerBlock, kLength, kGap, true>(shared.samples, shared.spare,
                                                              shared.roots);
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
