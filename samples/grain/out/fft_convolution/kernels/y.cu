// y: fft, negate, subtract, multiply, add, ... over f32[4,256].
//
//   in   a            c64[4,256]
//   in   constant     c64[257]
//   in   response     c64[1,256]
//   in   response_1   c64[1,257]
//   in   constant_2   c64[257]
//   out  y_out        f32[4,256]
//
//   response_4 = concatenate(response, response[:,0]), dimensions={1}
//   response_2 = complex(real(reverse(response_4, {1})), -imag(reverse(response_4, {1})))
//   response_3 = (response_4 - response_2) * response_1
//   a_3        = concatenate(a, a[:,0]), dimensions={1}
//   a_1        = complex(real(reverse(a_3, {1})), -imag(reverse(a_3, {1})))
//   a_2        = a_3 + a_1 + (a_3 - a_1) * constant
//   product    = a_2 * (response_4 + response_2 + response_3)
//   y          = select(iota({1}) == 0 or iota({1}) == 256, 0, imag(product))
//   y_1        = complex(real(product), y)
//   y_2        = complex(real(reverse(y_1, {1})), -imag(reverse(y_1, {1})))
//   y_3        = fft((y_1 + y_2 + (y_1 - y_2) * constant_2)[:,0:256])
//   y_out      = (reshape(concatenate(real(y_3), imag(y_3)), [4,512]) * 0.5)[:,0:256]
//
// 4 rows a block of 128 threads. Reads 16.4 kB, writes 4.1 kB.

#include "kernels.h"

#include "device/block_fft.cuh"
#include "device/complex.cuh"
#include "device/launch.cuh"

namespace fft_convolution_kernels::y {
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
y(const Complex<float>* __restrict__ a,
  const Complex<float>* __restrict__ constant,
  const Complex<float>* __restrict__ response,
  const Complex<float>* __restrict__ response_1,
  const Complex<float>* __restrict__ constant_2,
  float* __restrict__ y_out) {
  Shared& shared = block_shared<Shared>();
  const int first_row = blockIdx.x * kRowsPerBlock;

  for (int i = threadIdx.x; i < kElements; i += kThreads) {
    const int slot = i / kLength;
    const int column = i % kLength;
    const int row = first_row + slot;
    const Complex<float> response_value_1 = response[column];
    const Complex<float> response_2_1 = {response_value_1.real, -response_value_1.imag};
    const Complex<float> a_value_1 = a[row * kLength + column];
    const int in_column = column >= 1 ? 256 - column : 0;
    const Complex<float> response_value_2 = response[in_column];
    const Complex<float> response_2_2 = {response_value_2.real, -response_value_2.imag};
    const Complex<float> response_3_1 = (response_value_1 - response_2_2) * response_1[column];
    const Complex<float> response_3_2 =
        (response_value_2 - response_2_1) * response_1[256 - column];
    const Complex<float> a_value_2 = a[row * kLength + in_column];
    const Complex<float> a_1_1 = {a_value_2.real, -a_value_2.imag};
    const Complex<float> a_2_1 = a_value_1 + a_1_1 + (a_value_1 - a_1_1) * constant[column];
    const Complex<float> a_1_2 = {a_value_1.real, -a_value_1.imag};
    const Complex<float> a_2_2 = a_value_2 + a_1_2 + (a_value_2 - a_1_2) * constant[256 - column];
    const Complex<float> product_1 = a_2_1 * (response_value_1 + response_2_2 + response_3_1);
    const Complex<float> product_2 = a_2_2 * (response_value_2 + response_2_1 + response_3_2);
    const Complex<float> y_1_1 = {product_1.real, column == 0 ? 0.0f : product_1.imag};
    const Complex<float> y_1_2 = {product_2.real, column == 0 ? 0.0f : product_2.imag};
    const Complex<float> y_2 = {y_1_2.real, -y_1_2.imag};
    shared.samples[slot * kStride + column] = y_1_1 + y_2 + (y_1_1 - y_2) * constant_2[column];
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

      y_out[index * 2] = sample.real * 0.5f;
      y_out[index * 2 + 1] = sample.imag * 0.5f;
    }
  }
}

}  // namespace

cudaError_t
enqueue(const Complex<float>* a, const Complex<float>* constant, const Complex<float>* response,
        const Complex<float>* response_1, const Complex<float>* constant_2, float* y_out,
        cudaStream_t stream) {
  return launch(y, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                a, constant, response, response_1, constant_2, y_out);
}

}  // namespace fft_convolution_kernels::y
