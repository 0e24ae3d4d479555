// dot_2: complex, multiply, dot over c64[4,32,1,16].
//
//   in   dot        f32[4,1,16,2,32]
//   in   constant   c64[16,32]
//   in   constant   c64[16,16]
//   out  dot        c64[4,32,1,16]
//
//   fft_1 = complex(slice(dot), slice(dot))
//   fft_2 = multiply(fft_1, constant)
//   dot   = dot(transpose(fft_2), constant)
//
// 8 blocks of 256 threads, a tile of 16 x 16 each. Reads 22.5 kB, writes 16.4 kB.

#include "kernels.h"

#include "device/complex.cuh"
#include "device/launch.cuh"

namespace fft_convolution_kernels {
namespace {

constexpr int kM = 128;
constexpr int kN = 16;
constexpr int kK = 16;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = kK / kTile;        // 1
constexpr int kRowTiles = kM / kTile;     // 8
constexpr int kColumnTiles = kN / kTile;  // 1

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  Complex<float> lhs[kTile][kTile];
  Complex<float> rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
dot_2(const float* __restrict__ dot_in,
      const Complex<float>* __restrict__ constant,
      const Complex<float>* __restrict__ constant_1,
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
    const int index = row / 32 * 1024 + lhs_k * 64 + row % 32;
    const Complex<float> fft = {dot_in[index], dot_in[index + 32]};
    shared.lhs[ty][tx] = fft * constant[lhs_k * 32 + row % 32];
    shared.rhs[ty][tx] = constant_1[rhs_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += shared.lhs[ty][k] * shared.rhs[k][tx];
    __syncthreads();
  }

  dot_out[row * kN + column] = sum;
}

}  // namespace

cudaError_t
launch_dot_2(const float* dot_in,
             const Complex<float>* constant,
             const Complex<float>* constant_1,
             Complex<float>* dot_out,
             cudaStream_t stream) {
  return launch(dot_2, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                dot_in, constant, constant_1, dot_out);
}

}  // namespace fft_convolution_kernels
