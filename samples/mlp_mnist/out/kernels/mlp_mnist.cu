// mlp_mnist: network over f32[16,10].
//
//   in   params_0_b    f32[48]
//   in   params_0_w    f32[64,48]
//   in   params_1_b    f32[32]
//   in   params_1_w    f32[48,32]
//   in   params_2_b    f32[10]
//   in   params_2_w    f32[32,10]
//   in   images        f32[16,64]
//   out  probability   f32[16,10]
//
//   x_part      = dot(images, params_0_w)
//   x_part_1    = dot(maximum(x_part + params_0_b, 0), params_1_w)
//   dot         = dot(maximum(x_part_1 + params_1_b, 0), params_2_w)
//   sum         = dot + params_2_b
//   max         = reduce(sum, -inf), dimensions={1}, to_apply=maximum
//   weight      = exponential(sum - broadcast(max))
//   weight_sum  = reduce(weight, 0), dimensions={1}, to_apply=add
//   probability = weight / broadcast(weight_sum)
//
// A block has 16 rows in all 3 layers: activations stay in shared memory, products are made on
// tensor cores in 3 terms of TF32 each. Rows are reduced in shared memory. Reads 24.2 kB, writes
// 640 B.

#include "kernels.h"

#include "device/async_copy.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/ldmatrix.cuh"
#include "device/maximum.cuh"
#include "device/mma.cuh"
#include "device/tf32_split.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

namespace mlp_mnist_kernels::mlp_mnist {
namespace {

constexpr int kRows = 16;
constexpr int kLayers = 3;
constexpr int kTileM = 16;                 // rows of a block
constexpr int kTileK = 32;                 // terms of a tile of weights
constexpr int kStages = 4;                 // tiles in shared memory
constexpr int kRowTiles = kRows / kTileM;  // 1
constexpr int kWarp = 32;
constexpr int kWarps = 8;
constexpr int kWarpsN = 8;                           // beside one another
constexpr int kThreads = kWarps * kWarp;             // 256
constexpr int kPerRow = kThreads / kTileK;           // threads that copy a row of weights: 8
constexpr int kWarpM = kTileM / (kWarps / kWarpsN);  // rows of a warp: 16
constexpr int kMmaM = 16;                            // of an instruction, 8 wide
constexpr int kMmasM = kWarpM / kMmaM;               // 1
constexpr int kChunk = 4;                            // elements of 16 bytes
constexpr int kMmaK = 2 * kChunk;                    // 8
constexpr int kDepth = 64;                           // terms of the first layer
constexpr int kCopies = kDepth / kChunk;             // of a row: 16
constexpr int kRow = 68;                             // to the next row: eight lie in all 32 banks
constexpr int kWeightRow = 72;                       // the same of weights
constexpr int kSharing = 16;                         // threads that reduce a row

// What a layer multiplies by: an array of [terms, columns].
struct Weights {
  const float* elements;
  int terms, columns;
};

struct Shared {
  alignas(128) float activations[kTileM * kRow];
  float tiles[kStages][kTileK * kWeightRow];
  Weights layers[kLayers];
  float max[kTileM];
  float weight_sum[kTileM];
};

// Instructions beside one another that a warp makes of so many columns, and their sums.
template <int kColumns>
constexpr int kMmasN = ((kColumns + 15) / 16 * 2 + kWarpsN - 1) / kWarpsN;
template <int kColumns>
using Sums = float[kMmasM][kMmasN<kColumns>][4];

// The next tile to copy: tiles come in the order in which they are multiplied.
struct NextTile {
  int layer = 0, term = 0, stage = 0;
};

// Copies it, as one group, with zeros behind a layer's last term. Behind the last tile groups are
// empty.
__device__ __forceinline__ void copy_tile(Shared& shared, NextTile& next) {
  if (next.layer < kLayers) {
    const Weights& from = shared.layers[next.layer];
    const int row = threadIdx.x / kPerRow, term = next.term + row;
    const float* elements = &from.elements[term * from.columns];
    float* to = &shared.tiles[next.stage][row * kWeightRow];
    if (from.columns % kChunk == 0) {
      for (int c = threadIdx.x % kPerRow * kChunk; c < from.columns; c += kPerRow * kChunk)
        copy_async(&to[c], &elements[c], term < from.terms);
    } else {
      for (int c = threadIdx.x % kPerRow; c < from.columns; c += kPerRow)
        copy_async<4>(&to[c], &elements[c], term < from.terms);
    }
    next.stage = (next.stage + 1) % kStages;
    next.term += kTileK;
    if (next.term >= from.terms) {
      ++next.layer;
      next.term = 0;
    }
  }
  commit_copies();
}

// The products of a layer, of the rows and columns of a warp. Tiles of weights are kStages - 1 ahead,
// those of the next layer too. `stage`: of the first tile.
template <int kTerms, int kColumns>
__device__ __forceinline__ void multiply(Shared& shared, NextTile& next, int& stage,
                                         Sums<kColumns>& sums) {
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int warp_row = warp / kWarpsN * kWarpM, first = warp % kWarpsN * kMmasN<kColumns>;
#pragma unroll 1
  for (int begin = 0; begin < kTerms; begin += kTileK) {
    wait_copies<kStages - 2>();
    __syncthreads();
    copy_tile(shared, next);
    const float* tile = shared.tiles[stage];
    stage = (stage + 1) % kStages;
    if (first * 8 >= kColumns) continue;
    const float* activations =
        &shared.activations[(warp_row + lane % 16) * kRow + begin + lane / 16 * kChunk];
#pragma unroll
    for (int k = 0; k < kTileK; k += 16) {
      if (begin + k >= kTerms) break;
      uint32_t a_big[2][kMmasM][4], a_small[2][kMmasM][4];
      for (int s = 0; s < 2; ++s) {
        for (int i = 0; i < kMmasM; ++i) {
          uint32_t a[4];
          ldmatrix_x4(a, &activations[i * kMmaM * kRow + k + s * kMmaK]);
          for (int r = 0; r < 4; ++r) split_tf32(a[r], a_big[s][i][r], a_small[s][i][r]);
        }
      }
      for (int j = 0; j < kMmasN<kColumns>; ++j) {
        const float* b = &tile[(k + lane % 4) * kWeightRow + (first + j) * 8 + lane / 4];
        uint32_t b_big[2][2], b_small[2][2];
        for (int r = 0; r < 4; ++r) {
          const uint32_t bits = __float_as_uint(b[r * 4 * kWeightRow]);
          split_tf32(bits, b_big[r / 2][r % 2], b_small[r / 2][r % 2]);
        }
        for (int i = 0; i < kMmasM; ++i) {
          float part[4] = {};
          for (int s = 0; s < 2; ++s) {
            mma_tf32(part, a_small[s][i], b_big[s]);
            mma_tf32(part, a_big[s][i], b_small[s]);
            mma_tf32(part, a_big[s][i], b_big[s]);
          }
          for (int r = 0; r < 4; ++r) sums[i][j][r] += part[r];
        }
      }
    }
  }
}

// A sum that is not finite, computed again in f32.
__device__ __attribute__((noinline)) float product_again(const Shared& shared, int layer, int row,
                                                         int column) {
  const Weights& weights = shared.layers[layer];
  float total = 0.0f;
  for (int k = 0; k < weights.terms; ++k) {
    const float weight = weights.elements[k * weights.columns + column];
    total = fmaf(shared.activations[row * kRow + k], weight, total);
  }
  return total;
}

__global__ void __launch_bounds__(kThreads, 2)
mlp_mnist(const float* __restrict__ params_0_b,
          const float* __restrict__ params_0_w,
          const float* __restrict__ params_1_b,
          const float* __restrict__ params_1_w,
          const float* __restrict__ params_2_b,
          const float* __restrict__ params_2_w,
          const float* __restrict__ images,
          float* __restrict__ probability) {
  Shared& shared = block_shared<Shared>();
  const int thread = threadIdx.x;
  const int lane = thread % kWarp;
  const int warp = thread / kWarp;
  const int group = lane / 4;
  const int warp_row = warp / kWarpsN * kWarpM;
  const int first_row = blockIdx.x * kTileM;

  // what the first layer multiplies
  for (int i = thread; i < kTileM * kCopies; i += kThreads) {
    const int row = i / (8 * kCopies) * 8 + i % 8;
    const int term = i / 8 % kCopies * kChunk;
    copy_async(&shared.activations[row * kRow + term], &images[(first_row + row) * 64 + term]);
  }

  // weights, of which 3 tiles are under way
  if (thread == 0) {
    shared.layers[0] = {params_0_w, 64, 48};
    shared.layers[1] = {params_1_w, 48, 32};
    shared.layers[2] = {params_2_w, 32, 10};
  }
  __syncthreads();
  NextTile next;
  for (int i = 0; i < kStages - 1; ++i) {
    copy_tile(shared, next);
  }
  int stage = 0;

  // layer 1: 48 columns of 64 terms
  {
    Sums<48> sums = {};
    multiply<64, 48>(shared, next, stage, sums);
#pragma unroll
    for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
      for (int e = 0; e < kMmasN<48> * 4; ++e) {
        const int row = warp_row + i * kMmaM + e % 4 / 2 * 8 + group;
        const int column = (warp % kWarpsN * kMmasN<48> + e / 4) * 8 + lane % 4 * 2 + e % 2;
        if (column < 48 && !(fabsf(sums[i][e / 4][e % 4]) < INFINITY)) {
          sums[i][e / 4][e % 4] = product_again(shared, 0, row, column);
        }
      }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
      for (int e = 0; e < kMmasN<48> * 4; ++e) {
        const int row = warp_row + i * kMmaM + e % 4 / 2 * 8 + group;
        const int column = (warp % kWarpsN * kMmasN<48> + e / 4) * 8 + lane % 4 * 2 + e % 2;
        if (column < 48) {
          const float x_part = sums[i][e / 4][e % 4];
          shared.activations[row * kRow + column] = maximum(x_part + params_0_b[column], 0.0f);
        }
      }
    }
  }

  // layer 2: 32 columns of 48 terms
  {
    Sums<32> sums = {};
    multiply<48, 32>(shared, next, stage, sums);
#pragma unroll
    for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
      for (int e = 0; e < kMmasN<32> * 4; ++e) {
        const int row = warp_row + i * kMmaM + e % 4 / 2 * 8 + group;
        const int column = (warp % kWarpsN * kMmasN<32> + e / 4) * 8 + lane % 4 * 2 + e % 2;
        if (column < 32 && !(fabsf(sums[i][e / 4][e % 4]) < INFINITY)) {
          sums[i][e / 4][e % 4] = product_again(shared, 1, row, column);
        }
      }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
      for (int e = 0; e < kMmasN<32> * 4; ++e) {
        const int row = warp_row + i * kMmaM + e % 4 / 2 * 8 + group;
        const int column = (warp % kWarpsN * kMmasN<32> + e / 4) * 8 + lane % 4 * 2 + e % 2;
        if (column < 32) {
          const float x_part = sums[i][e / 4][e % 4];
          shared.activations[row * kRow + column] = maximum(x_part + params_1_b[column], 0.0f);
        }
      }
    }
  }

  // layer 3: 10 columns of 32 terms
  {
    Sums<10> sums = {};
    multiply<32, 10>(shared, next, stage, sums);
#pragma unroll
    for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
      for (int e = 0; e < kMmasN<10> * 4; ++e) {
        const int row = warp_row + i * kMmaM + e % 4 / 2 * 8 + group;
        const int column = (warp % kWarpsN * kMmasN<10> + e / 4) * 8 + lane % 4 * 2 + e % 2;
        if (column < 10 && !(fabsf(sums[i][e / 4][e % 4]) < INFINITY)) {
          sums[i][e / 4][e % 4] = product_again(shared, 2, row, column);
        }
      }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
      for (int e = 0; e < kMmasN<10> * 4; ++e) {
        const int row = warp_row + i * kMmaM + e % 4 / 2 * 8 + group;
        const int column = (warp % kWarpsN * kMmasN<10> + e / 4) * 8 + lane % 4 * 2 + e % 2;
        if (column < 10) {
          const float dot = sums[i][e / 4][e % 4];
          shared.activations[row * kRow + column] = dot + params_2_b[column];
        }
      }
    }
    __syncthreads();

    // statistics of each row
    const int reduced_row = thread / kSharing;
    float max = -INFINITY;
    for (int first = thread % kSharing * 2; first < 10; first += kSharing * 2) {
      const Vector<float, 2> sums_piece =
          load_vector<2>(&shared.activations[reduced_row * kRow + first]);
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const float sum = sums_piece[e];
        max = maximum(max, sum);
      }
    }
    max = warp_reduce<kSharing>(max, Maximum());
    if (thread % kSharing == 0) shared.max[reduced_row] = max;
    __syncwarp();
    float weight_sum = 0.0f;
    for (int first = thread % kSharing * 2; first < 10; first += kSharing * 2) {
      const Vector<float, 2> sums_piece =
          load_vector<2>(&shared.activations[reduced_row * kRow + first]);
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const float sum = sums_piece[e];
        weight_sum += expf(sum - shared.max[reduced_row]);
      }
    }
    weight_sum = warp_reduce<kSharing>(weight_sum, Add());
    if (thread % kSharing == 0) shared.weight_sum[reduced_row] = weight_sum;
    __syncthreads();

#pragma unroll
    for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
      for (int e = 0; e < kMmasN<10> * 4; ++e) {
        const int row = warp_row + i * kMmaM + e % 4 / 2 * 8 + group;
        const int column = (warp % kWarpsN * kMmasN<10> + e / 4) * 8 + lane % 4 * 2 + e % 2;
        if (column < 10) {
          const float sum = shared.activations[row * kRow + column];
          probability[(first_row + row) * 10 + column] =
              expf(sum - shared.max[row]) / shared.weight_sum[row];
        }
      }
    }
  }
}

}  // namespace

cudaError_t
enqueue(const float* params_0_b, const float* params_0_w, const float* params_1_b,
        const float* params_1_w, const float* params_2_b, const float* params_2_w,
        const float* images, float* probability, cudaStream_t stream) {
  return launch(mlp_mnist, {.grid = kRowTiles, .block = kThreads}, stream,
                params_0_b, params_0_w, params_1_b, params_1_w, params_2_b, params_2_w, images,
                probability);
}

}  // namespace mlp_mnist_kernels::mlp_mnist
