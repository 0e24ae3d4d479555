// fft_3: fft, negate, subtract, multiply, add, ... over c64[4,256].
//
//   in   fft_in       c64[4,256]
//   in   constant     c64[257]
//   in   fft_1_in     c64[1,256]
//   in   fft_2_in     c64[1,257]
//   in   constant_1   c64[257]
//   out  fft_out      c64[4,256]
//
//   fft_1   = concatenate(fft_in, fft_in[:,0]), dimensions={1}
//   fft_2   = complex(real(reverse(fft_1, {1})), -imag(reverse(fft_1, {1})))
//   fft_5   = fft_1 + fft_2 + (fft_1 - fft_2) * constant
//   fft_6   = concatenate(fft_1_in, fft_1_in[:,0]), dimensions={1}
//   fft_7   = complex(real(reverse(fft_6, {1})), -imag(reverse(fft_6, {1})))
//   fft_8   = fft_6 + fft_7 + (fft_6 - fft_7) * fft_2_in
//   mul_1   = fft_5 * fft_8
//   select  = select(iota({1}) == 0 or iota({1}) == 256, 0, imag(mul_1))
//   fft_10  = complex(real(mul_1), select)
//   fft_12  = complex(real(reverse(fft_10, {1})), -imag(reverse(fft_10, {1})))
//   fft_out = fft((fft_10 + fft_12 + (fft_10 - fft_12) * constant_1)[:,0:256])
//
// 4 rows a block of 128 threads. Reads 16.4 kB, writes 8.2 kB.

#include "kernels.h"

#include "device/block_fft.cuh"
#include "device/launch.cuh"

namespace fft_convolution_kernels {
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
      Complex<float>* __restrict__ fft_out) {
  Shared& shared = block_shared<Shared>();
  const int first_row = blockIdx.x * kRowsPerBlock;

  for (int i = threadIdx.x; i < kElements; i += kThreads) {
    const int slot = i / kLength;
    const int column = i % kLength;
    const int row = first_row + slot;
    const Complex<float> fft_value = fft_in[row * kLength + column];
    const Complex<float> fft_1 =
        -column < 0 ? fft_in[row * kLength - column + 256] : fft_in[row * kLength];
    const Complex<float> fft_2 = {fft_1.real, -fft_1.imag};
    const Complex<float> fft_4 = {fft_value.real, -fft_value.imag};
    const Complex<float> fft_5 = fft_1 + fft_4 + (fft_1 - fft_4) * constant[256 - column];
    const Complex<float> fft_1_value = fft_1_in[column];
    const Complex<float> fft_6 = -column < 0 ? fft_1_in[256 - column] : fft_1_in[0];
    const Complex<float> fft_7 = {fft_6.real, -fft_6.imag};
    const Complex<float> fft_8 = fft_1_value + fft_7 + (fft_1_value - fft_7) * fft_2_in[column];
    const Complex<float> mul_1 =
        (fft_value + fft_2 + (fft_value - fft_2) * constant[column]) * fft_8;
    const Complex<float> fft_9 = {fft_1_value.real, -fft_1_value.imag};
    const Complex<float> mul_2 = fft_5 * (fft_6 + fft_9 + (fft_6 - fft_9) * fft_2_in[256 - column]);
    const Complex<float> fft_10 = {mul_1.real, column == 0 || column == 256 ? 0.0f : mul_1.imag};
    const float select = 256 - column == 0 || 256 - column == 256 ? 0.0f : mul_2.imag;
    const Complex<float> fft_11 = {mul_2.real, select};
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
    fft_out[row * kLength + column] = signal[slot * kStride + column] / 256.0f;
  }
}

}  // namespace

cudaError_t
launch_fft_3(const Complex<float>* fft_in,
             const Complex<float>* constant,
             const Complex<float>* fft_1_in,
             const Complex<float>* fft_2_in,
             const Complex<float>* constant_1,
             Complex<float>* fft_out,
             cudaStream_t stream) {
  return launch(fft_3, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                fft_in, constant, fft_1_in, fft_2_in, constant_1, fft_out);
}

}  // namespace fft_convolution_kernels
