// llama_decode_2: network over bf16[2,64].
//
//   in   params_layers_0_down   bf16[96,64]
//   in   params_layers_0_gate   bf16[64,96]
//   in   y                      bf16[2,64]
//   in   y_up                   bf16[2,96]
//   out  dot_4                  bf16[2,64]
//
//   dot         = dot(y, params_layers_0_gate)
//   denominator = exponential(-dot) + 1
//   silu        = dot * (1 / denominator)
//   dot_4       = dot(silu * y_up, params_layers_0_down)
//
// A block has 16 rows in all 2 layers: activations stay in shared memory, products are made on
// tensor cores. Reads 25.2 kB, writes 256 B.

#include "kernels.h"

#include "device/async_copy.cuh"
#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/ldmatrix.cuh"
#include "device/mma.cuh"

namespace llama_decode_kernels::llama_decode_2 {
namespace {

constexpr int kRows = 2;
constexpr int kLayers = 2;
constexpr int kTileM = 16;                                // rows of a block
constexpr int kTileK = 32;                                // terms of a tile of weights
constexpr int kStages = 4;                                // tiles in shared memory
constexpr int kRowTiles = (kRows + kTileM - 1) / kTileM;  // 1
constexpr int kWarp = 32;
constexpr int kWarps = 8;
constexpr int kWarpsN = 8;                           // beside one another
constexpr int kThreads = kWarps * kWarp;             // 256
constexpr int kPerRow = kThreads / kTileK;           // threads that copy a row of weights: 8
constexpr int kWarpM = kTileM / (kWarps / kWarpsN);  // rows of a warp: 16
constexpr int kMmaM = 16;                            // of an instruction, 8 wide
constexpr int kMmasM = kWarpM / kMmaM;               // 1
constexpr int kChunk = 8;                            // elements of 16 bytes
constexpr int kDepth = 64;                           // terms of the first layer
constexpr int kCopies = kDepth / kChunk;             // of a row: 8
constexpr int kRow = 104;                            // to the next row: eight lie in all 32 banks
constexpr int kWeightRow = 136;                      // the same of weights

// What a layer multiplies by: an array of [terms, columns].
struct Weights {
  const __nv_bfloat16* elements;
  int terms, columns;
};

struct Shared {
  alignas(128) __nv_bfloat16 activations[kTileM * kRow];
  __nv_bfloat16 tiles[kStages][kTileK * kWeightRow];
  Weights layers[kLayers];
};

// Instructions beside one another that a warp makes of so many columns, and their sums.
template <int kColumns>
constexpr int kMmasN = ((kColumns + 15) / 16 + kWarpsN - 1) / kWarpsN * 2;
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
    const __nv_bfloat16* elements = &from.elements[term * from.columns];
    __nv_bfloat16* to = &shared.tiles[next.stage][row * kWeightRow];
    for (int c = threadIdx.x % kPerRow * kChunk; c < from.columns; c += kPerRow * kChunk)
      copy_async(&to[c], &elements[c], term < from.terms);
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
    const __nv_bfloat16* tile = shared.tiles[stage];
    stage = (stage + 1) % kStages;
    if (first * 8 >= kColumns) continue;
    const __nv_bfloat16* activations =
        &shared.activations[(warp_row + lane % 16) * kRow + begin + lane / 16 * kChunk];
#pragma unroll
    for (int k = 0; k < kTileK; k += 16) {
      uint32_t a[kMmasM][4];
      for (int i = 0; i < kMmasM; ++i) ldmatrix_x4(a[i], &activations[i * kMmaM * kRow + k]);
      for (int j = 0; j < kMmasN<kColumns>; j += 2) {
        uint32_t b[4];
        ldmatrix_x4_trans(b, &tile[(k + lane % 16) * kWeightRow + (first + j + lane / 16) * 8]);
        for (int i = 0; i < kMmasM; ++i) {
          mma_bf16(sums[i][j], a[i], {b[0], b[1]});
          mma_bf16(sums[i][j + 1], a[i], {b[2], b[3]});
        }
      }
    }
  }
}

__global__ void __launch_bounds__(kThreads, 2)
llama_decode_2(const __nv_bfloat16* __restrict__ params_layers_0_down,
               const __nv_bfloat16* __restrict__ params_layers_0_gate,
               const __nv_bfloat16* __restrict__ y,
               const __nv_bfloat16* __restrict__ y_up,
               __nv_bfloat16* __restrict__ dot_4) {
  Shared& shared = block_shared<Shared>();
  const int thread = threadIdx.x;
  const int lane = thread % kWarp;
  const int warp = thread / kWarp;
  const int group = lane / 4;
  const int warp_row = warp / kWarpsN * kWarpM;
  const int first_row = blockIdx.x * kTileM;

  // what the first layer multiplies, zeros outside
  for (int i = thread; i < kTileM * kCopies; i += kThreads) {
    const int row = i / (8 * kCopies) * 8 + i % 8;
    const int term = i / 8 % kCopies * kChunk;
    copy_async(&shared.activations[row * kRow + term], &y[(first_row + row) * 64 + term],
               first_row + row < kRows);
  }

  // weights, of which 3 tiles are under way
  if (thread == 0) {
    shared.layers[0] = {params_layers_0_gate, 64, 96};
    shared.layers[1] = {params_layers_0_down, 96, 64};
  }
  __syncthreads();
  NextTile next;
  for (int i = 0; i < kStages - 1; ++i) {
    copy_tile(shared, next);
  }
  int stage = 0;

  // layer 1: 96 columns of 64 terms
  {
    Sums<96> sums = {};
    multiply<64, 96>(shared, next, stage, sums);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
      for (int e = 0; e < kMmasN<96> * 4; ++e) {
        const int row = warp_row + i * kMmaM + e % 4 / 2 * 8 + group;
        const int column = (warp % kWarpsN * kMmasN<96> + e / 4) * 8 + lane % 4 * 2 + e % 2;
        if (first_row + row < kRows && column < 96) {
          const __nv_bfloat16 dot = to_bfloat16(sums[i][e / 4][e % 4]);
          const __nv_bfloat16 denominator =
              __hadd_rn(to_bfloat16(expf(to_float(__hneg(dot)))), to_bfloat16(1.0f));
          const __nv_bfloat16 silu = __hmul_rn(dot, to_bfloat16(1.0f / to_float(denominator)));
          shared.activations[row * kRow + column] =
              __hmul_rn(silu, y_up[(first_row + row) * 96 + column]);
        } else if (column < 96) {
          shared.activations[row * kRow + column] = to_bfloat16(0.0f);
        }
      }
    }
  }

  // layer 2: 64 columns of 96 terms
  {
    Sums<64> sums = {};
    multiply<96, 64>(shared, next, stage, sums);
#pragma unroll
    for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
      for (int e = 0; e < kMmasN<64> * 4; ++e) {
        const int row = warp_row + i * kMmaM + e % 4 / 2 * 8 + group;
        const int column = (warp % kWarpsN * kMmasN<64> + e / 4) * 8 + lane % 4 * 2 + e % 2;
        if (first_row + row < kRows && column < 64) {
          dot_4[(first_row + row) * 64 + column] = to_bfloat16(sums[i][e / 4][e % 4]);
        }
      }
    }
  }
}

}  // namespace

cudaError_t
enqueue(const __nv_bfloat16* params_layers_0_down, const __nv_bfloat16* params_layers_0_gate,
        const __nv_bfloat16* y, const __nv_bfloat16* y_up, __nv_bfloat16* dot_4,
        cudaStream_t stream) {
  return launch(llama_decode_2, {.grid = kRowTiles, .block = kThreads}, stream,
                params_layers_0_down, params_layers_0_gate, y, y_up, dot_4);
}

}  // namespace llama_decode_kernels::llama_decode_2
