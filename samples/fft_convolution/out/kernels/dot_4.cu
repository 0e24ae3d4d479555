// dot_4: complex, multiply, dot over c64[1,32,1,16].
//
//   in   dot        f32[1,1,16,2,32]
//   in   fft        c64[1,1,16,32]
//   in   constant   c64[16,16]
//   out  dot        c64[1,32,1,16]
//
//   fft_1 = complex(slice(dot), slice(dot))
//   fft_2 = multiply(fft_1, constant)
//   dot   = dot(transpose(fft_2), constant)
//
// 2 blocks of 256 threads, a tile of 16 x 16 each. Reads 10.2 kB, writes 4.1 kB.

#include "kernels.h"

#include "device/complex.cuh"
#include "device/launch.cuh"

namespace fft_convolution_kernels {
namespace {

constexpr int kM = 32;
constexpr int kN = 16;
constexpr int kK = 16;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = kK / kTile;        // 1
constexpr int kRowTiles = kM / kTile;     // 2
constexpr int kColumnTiles = kN / kTile;  // 1

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  Complex<float> lhs[kTile][kTile + 1];
  Complex<float> rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
dot_4(const float* __restrict__ dot_in,
      const Complex<float>* __restrict__ fft,
      const Complex<float>* __restrict__ constant,
      Complex<float>* __restrict__ dot_out) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;
  const int lhs_row = blockIdx.y * kTile + tx;

  // dot: operands a tile at a time
  Complex<float> sum = {0.0f, 0.0f};
  for (int step = 0; step < kSteps; ++step) {
    const int tile_k = step * kTile + ty;
    const int index = tile_k * 64 + lhs_row;
    shared.lhs[tx][ty] =
        Complex<float>{dot_in[index], dot_in[index + 32]} * fft[tile_k * kM + lhs_row];
    shared.rhs[ty][tx] = constant[tile_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += shared.lhs[ty][k] * shared.rhs[k][tx];
    __syncthreads();
  }

  dot_out[row * kN + column] = sum;
}

}  // namespace

cudaError_t
launch_dot_4(const float* dot_in,
             const Complex<float>* fft,
             const Complex<float>* constant,
             Complex<float>* dot_out,
             cudaStream_t stream) {
  return launch(dot_4, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                dot_in, fft, constant, dot_out);
}

}  // namespace fft_convolution_kernels
