// fft_3: fft, negate, subtract, multiply, add, ... over f32[4,256].
//
//   in   fft_in       c64[4,256]
//   in   constant     c64[257]
//   in   fft_1_in     c64[1,256]
//   in   fft_2_in     c64[1,257]
//   in   constant_1   c64[257]
//   out  fft_out      f32[4,256]
//
//   fft        = concatenate(fft_in, fft_in[:,0]), dimensions={1}
//   fft_1      = complex(real(reverse(fft, {1})), -imag(reverse(fft, {1})))
//   fft_3      = concatenate(fft_1_in, fft_1_in[:,0]), dimensions={1}
//   fft_4      = complex(real(reverse(fft_3, {1})), -imag(reverse(fft_3, {1})))
//   fft_5      = fft_3 + fft_4 + (fft_3 - fft_4) * fft_2_in
//   spectrum_1 = (fft + fft_1 + (fft - fft_1) * constant) * fft_5
//   fft_11     = select(iota({1}) == 0 or iota({1}) == 256, 0, imag(spectrum_1))
//   fft_8      = complex(real(spectrum_1), fft_11)
//   fft_10     = complex(real(reverse(fft_8, {1})), -imag(reverse(fft_8, {1})))
//   fft_12     = fft((fft_8 + fft_10 + (fft_8 - fft_10) * constant_1)[:,0:256])
//   fft_13     = reshape(concatenate(real(fft_12), imag(fft_12)), [4,512]) * 0.5
//   fft_out    = fft_13[:,0:256]
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
fft_3(const Complex<float>* __restrict__ fft_in,
      const Complex<float>* __restrict__ constant,
      const Complex<float>* __restrict__ fft_1_in,
      const Complex<float>* __restrict__ fft_2_in,
      const Complex<float>* __restrict__ constant_1,
      float* __restrict__ fft_out) {
  Shared& shared = block_shared<Shared>();
  const int first_row = blockIdx.x * kRowsPerBlock;

  for (int i = threadIdx.x; i < kElements; i += kThreads) {
    const int slot = i / kLength;
    const int column = i % kLength;
    const int row = first_row + slot;
    const Complex<float> fft_value_1 = fft_in[row * kLength + column];
    const int in_column = column >= 1 ? 256 - column : 0;
    const Complex<float> fft_value_2 = fft_in[row * kLength + in_column];
    const Complex<float> fft_1 = {fft_value_2.real, -fft_value_2.imag};
    const Complex<float> fft_2 = {fft_value_1.real, -fft_value_1.imag};
    const Complex<float> fft_1_value_1 = fft_1_in[column];
    const Complex<float> fft_1_value_2 = fft_1_in[in_column];
    const Complex<float> fft_4 = {fft_1_value_2.real, -fft_1_value_2.imag};
    const Complex<float> fft_5 = fft_1_value_1 + fft_4 + (fft_1_value_1 - fft_4) * fft_2_in[column];
    const Complex<float> spectrum_1 =
        (fft_value_1 + fft_1 + (fft_value_1 - fft_1) * constant[column]) * fft_5;
    const Complex<float> fft_6 = {fft_1_value_1.real, -fft_1_value_1.imag};
    const Complex<float> fft_7 =
        fft_1_value_2 + fft_6 + (fft_1_value_2 - fft_6) * fft_2_in[256 - column];
    const Complex<float> spectrum_2 =
        (fft_value_2 + fft_2 + (fft_value_2 - fft_2) * constant[256 - column]) * fft_7;
    const Complex<float> fft_8 = {spectrum_1.real, column == 0 ? 0.0f : spectrum_1.imag};
    const Complex<float> fft_9 = {spectrum_2.real, 256 - column == 256 ? 0.0f : spectrum_2.imag};
    const Complex<float> fft_10 = {fft_9.real, -fft_9.imag};
    shared.samples[slot * kStride + column] =
        fft_8 + fft_10 + (fft_8 - fft_10) * constant_1[column];
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

      fft_out[index * 2] = sample.real * 0.5f;
      fft_out[index * 2 + 1] = sample.imag * 0.5f;
    }
  }
}

}  // namespace

cudaError_t
enqueue(const Complex<float>* fft_in, const Complex<float>* constant,
        const Complex<float>* fft_1_in, const Complex<float>* fft_2_in,
        const Complex<float>* constant_1, float* fft_out, cudaStream_t stream) {
  return launch(fft_3, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                fft_in, constant, fft_1_in, fft_2_in, constant_1, fft_out);
}

}  // namespace fft_convolution_kernels::fft_3
