// dot_5: multiply, imag, negate, real, complex, ... over c64[4,1,16,32].
//
//   in   dot        c64[4,32,1,16]
//   in   dot        c64[1,32,1,16]
//   in   constant   c64[32,32]
//   out  dot        c64[4,1,16,32]
//
//   mul   = multiply(slice(transpose(dot)), broadcast(slice(transpose(dot))))
//   fft_1 = imag(reverse(slice(mul)))
//   fft_2 = negate(fft_1)
//   fft_3 = real(reverse(slice(mul)))
//   fft_4 = complex(fft_3, fft_2)
//   fft_5 = concatenate(mul, fft_4)
//   dot   = dot(fft_5, constant)
//
// 8 blocks of 256 threads, a tile of 16 x 16 each. Reads 28.7 kB, writes 16.4 kB.

#include "kernels.h"

#include "device/complex.cuh"
#include "device/launch.cuh"

namespace fft_convolution_kernels {
namespace {

constexpr int kM = 64;
constexpr int kN = 32;
constexpr int kK = 32;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = kK / kTile;        // 2
constexpr int kRowTiles = kM / kTile;     // 4
constexpr int kColumnTiles = kN / kTile;  // 2

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  Complex<float> lhs[kTile][kTile];
  Complex<float> rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
dot_5(const Complex<float>* __restrict__ dot_in,
      const Complex<float>* __restrict__ dot_in_1,
      const Complex<float>* __restrict__ constant,
      Complex<float>* __restrict__ dot_out) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // dot: operands a tile at a time
  Complex<float> sum = {0.0f, 0.0f};
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    Complex<float> fft;
    if (lhs_k * 16 + row % 16 < 257) {
      const Complex<float> dot_value_1 =
          dot_in[row / 16 * 512 + lhs_k % 2 * 256 + row % 16 * 16 + lhs_k / 2];
      const Complex<float> dot_in_1_value_1 = dot_in_1[lhs_k % 2 * 256 + row % 16 * 16 + lhs_k / 2];
      fft = dot_value_1 * dot_in_1_value_1;
    } else {
      const Complex<float> dot_value_2 = dot_in[row / 16 * 512 +
                                                (512 - lhs_k * 16 - row % 16) % kK * 16 +
                                                (512 - lhs_k * 16 - row % 16) / kK];
      const Complex<float> dot_in_1_value_2 =
          dot_in_1[(512 - lhs_k * 16 - row % 16) % kK * 16 + (512 - lhs_k * 16 - row % 16) / kK];
      const Complex<float> mul = dot_value_2 * dot_in_1_value_2;
      fft = {mul.real, -mul.imag};
    }
    shared.lhs[ty][tx] = fft;
    shared.rhs[ty][tx] = constant[rhs_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += shared.lhs[ty][k] * shared.rhs[k][tx];
    __syncthreads();
  }

  dot_out[row * kN + column] = sum;
}

}  // namespace

cudaError_t
launch_dot_5(const Complex<float>* dot_in,
             const Complex<float>* dot_in_1,
             const Complex<float>* constant,
             Complex<float>* dot_out,
             cudaStream_t stream) {
  return launch(dot_5, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                dot_in, dot_in_1, constant, dot_out);
}

}  // namespace fft_convolution_kernels
