// wgmma in kernels, for sm_90a alone: all operands' layouts, types and widths.
#include "device/launch.cuh"
#include "device/wgmma.cuh"

namespace {

struct Tiles {
  alignas(1024) uint16_t a[64 * 64];
  uint16_t b[64 * 256];
};

template <int N, class Sum>
__device__ __forceinline__ void store(float* sums, const Sum (&d)[N][4]) {
  for (int j = 0; j < N; ++j) {
    for (int i = 0; i < 4; ++i) sums[threadIdx.x + (j * 4 + i) * 128] = static_cast<float>(d[j][i]);
  }
}

template <int N>
__global__ void __launch_bounds__(128) products(float* sums) {
  Tiles& tiles = block_shared<Tiles>();
  tiles.a[threadIdx.x] = 1;
  tiles.b[threadIdx.x] = 1;
  float d[N][4] = {};
  fence_async_proxy();
  __syncthreads();
  wgmma_fence();
  wgmma_bf16(d, along_k(tiles.a), along_k(tiles.b));
  wgmma_bf16(d, along_k(tiles.a) + 1, across_k(tiles.b, 64) + 1);
  wgmma_bf16(d, across_k(tiles.a, 64) + 1, along_k(tiles.b) + 1);
  wgmma_f16(d, across_k(tiles.a, 64), across_k(tiles.b, 64));
  wgmma_f16(d, along_k(tiles.a), along_k(tiles.b));
  wgmma_commit();
  wgmma_wait<0>();
  store(sums, d);
}

template <int N, class Sum>
__global__ void __launch_bounds__(128) products_of_rows(float* sums) {
  Tiles& tiles = block_shared<Tiles>();
  tiles.b[threadIdx.x] = 1;
  const uint32_t a[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  Sum d[N][4];
  fence_async_proxy();
  __syncthreads();
  wgmma_fence();
#pragma unroll
  for (int step = 0; step < 2; ++step) {
    if constexpr (Sum{1} / 2 > 0) {
      wgmma_tf32(d, a[step], along_k(tiles.b) + step, step > 0);
    } else {
      wgmma_s8(d, a[step], along_k(tiles.b) + step, step > 0);
      wgmma_u8(d, a[step], along_k(tiles.b) + step);
    }
  }
  wgmma_commit();
  wgmma_wait<0>();
  store(sums, d);
}

}  // namespace

cudaError_t launch_products(cudaStream_t stream, float* sums) {
  const LaunchConfig config = {.grid = 1, .block = 128};
  cudaError_t error = launch(products<8>, config, stream, sums);
  if (error == cudaSuccess) error = launch(products<16>, config, stream, sums);
  if (error == cudaSuccess) error = launch(products<32>, config, stream, sums);
  if (error == cudaSuccess) error = launch(products_of_rows<8, float>, config, stream, sums);
  if (error == cudaSuccess) error = launch(products_of_rows<8, int>, config, stream, sums);
  if (error == cudaSuccess) error = launch(products_of_rows<16, float>, config, stream, sums);
  if (error == cudaSuccess) error = launch(products_of_rows<16, int>, config, stream, sums);
  if (error == cudaSuccess) error = launch(products_of_rows<32, float>, config, stream, sums);
  if (error == cudaSuccess) error = launch(products_of_rows<32, int>, config, stream, sums);
  return error;
}
