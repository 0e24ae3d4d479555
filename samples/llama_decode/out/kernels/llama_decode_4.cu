// llama_decode_4: network over bf16[2,128].
//
//   in   params_embedding       bf16[128,64]
//   in   params_layers_1_down   bf16[96,64]
//   in   params_layers_1_gate   bf16[64,96]
//   in   params_norm            bf16[64]
//   in   x                      bf16[2,64]
//   in   y_2                    bf16[2,64]
//   in   y_up_2                 bf16[2,96]
//   out  dot_8                  bf16[2,128]
//
//   dot          = dot(y_2, params_layers_1_gate)
//   denominator  = exponential(-dot) + 1
//   silu         = dot * (1 / denominator)
//   x_term       = dot(silu * y_up_2, params_layers_1_down)
//   x_1          = x + x_term
//   wide         = f32(x_1)
//   x_square_sum = reduce(wide * wide, 0), dimensions={1}, to_apply=add
//   as_bf16      = bf16(wide * broadcast(rsqrt(x_square_sum / 64 + 1e-05)))
//   dot_8        = dot(as_bf16 * params_norm, transpose(params_embedding))
//
// A block has 16 rows in all 3 layers: activations stay in shared memory, products are made on
// tensor cores. Rows are reduced in shared memory. Reads 42.0 kB, writes 512 B.

#include "kernels.h"

#include "device/async_copy.cuh"
#include "device/combine.cuh"
#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/ldmatrix.cuh"
#include "device/mma.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

namespace llama_decode_kernels::llama_decode_4 {
namespace {

constexpr int kRows = 2;
constexpr int kLayers = 3;
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
constexpr int kTurnedRow = kTileK + kChunk;          // the same of weights of [columns, terms]: 40
constexpr int kPerColumn = kTileK / kChunk;          // accesses of a column: 4
constexpr int kTile = 5120;                          // elements of a tile of weights
constexpr int kSharing = 16;                         // threads that reduce a row

// What a layer multiplies by: an array of [terms, columns], or of [columns, terms].
struct Weights {
  const __nv_bfloat16* elements;
  int terms, columns;
  bool turned;
};

struct Shared {
  alignas(128) __nv_bfloat16 activations[kTileM * kRow];
  __nv_bfloat16 tiles[kStages][kTile];
  Weights layers[kLayers];
  float inverse[kTileM];
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
    if (from.turned) {
      __nv_bfloat16* to = shared.tiles[next.stage];
      // Eight lanes take eight columns, which lie in all 32 banks.
      for (int i = threadIdx.x; i < from.columns * kPerColumn; i += kThreads) {
        const int column = i / (8 * kPerColumn) * 8 + i % 8, k = i / 8 % kPerColumn * kChunk;
        const int at = column * kTurnedRow + k, term = next.term + k;
        const bool inside = term < from.terms;
        copy_async(&to[at], &from.elements[column * from.terms + term], inside);
      }
    } else {
      const int row = threadIdx.x / kPerRow, term = next.term + row;
      const __nv_bfloat16* elements = &from.elements[term * from.columns];
      __nv_bfloat16* to = &shared.tiles[next.stage][row * kWeightRow];
      for (int c = threadIdx.x % kPerRow * kChunk; c < from.columns; c += kPerRow * kChunk)
        copy_async(&to[c], &elements[c], term < from.terms);
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
template <int kTerms, int kColumns, bool kTurned>
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
        if (kTurned) {
          const int column = (first + j + lane / 16) * 8 + lane % 8;
          ldmatrix_x4(b, &tile[column * kTurnedRow + k + lane / 8 % 2 * 8]);
        } else {
          ldmatrix_x4_trans(b, &tile[(k + lane % 16) * kWeightRow + (first + j + lane / 16) * 8]);
        }
        for (int i = 0; i < kMmasM; ++i) {
          mma_bf16(sums[i][j], a[i], {b[0], b[1]});
          mma_bf16(sums[i][j + 1], a[i], {b[2], b[3]});
        }
      }
    }
  }
}

__global__ void __launch_bounds__(kThreads, 2)
llama_decode_4(const __nv_bfloat16* __restrict__ params_embedding,
               const __nv_bfloat16* __restrict__ params_layers_1_down,
               const __nv_bfloat16* __restrict__ params_layers_1_gate,
               const __nv_bfloat16* __restrict__ params_norm,
               const __nv_bfloat16* __restrict__ x,
               const __nv_bfloat16* __restrict__ y_2,
               const __nv_bfloat16* __restrict__ y_up_2,
               __nv_bfloat16* __restrict__ dot_8) {
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
    copy_async(&shared.activations[row * kRow + term], &y_2[(first_row + row) * 64 + term],
               first_row + row < kRows);
  }

  // weights, of which 3 tiles are under way
  if (thread == 0) {
    shared.layers[0] = {params_layers_1_gate, 64, 96, false};
    shared.layers[1] = {params_layers_1_down, 96, 64, false};
    shared.layers[2] = {params_embedding, 64, 128, true};
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
    multiply<64, 96, false>(shared, next, stage, sums);
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
              __hmul_rn(silu, y_up_2[(first_row + row) * 96 + column]);
        } else if (column < 96) {
          shared.activations[row * kRow + column] = to_bfloat16(0.0f);
        }
      }
    }
  }

  // layer 2: 64 columns of 96 terms
  {
    Sums<64> sums = {};
    multiply<96, 64, false>(shared, next, stage, sums);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
      for (int e = 0; e < kMmasN<64> * 4; ++e) {
        const int row = warp_row + i * kMmaM + e % 4 / 2 * 8 + group;
        const int column = (warp % kWarpsN * kMmasN<64> + e / 4) * 8 + lane % 4 * 2 + e % 2;
        if (first_row + row < kRows && column < 64) {
          const __nv_bfloat16 x_term = to_bfloat16(sums[i][e / 4][e % 4]);
          shared.activations[row * kRow + column] =
              __hadd_rn(x[(first_row + row) * 64 + column], x_term);
        }
      }
    }
    __syncthreads();

    // a statistic of each row; outside, with what belongs to the last row
    const int reduced_row = thread / kSharing;
    float x_square_sum = 0.0f;
    for (int first = thread % kSharing * 8; first < 64; first += kSharing * 8) {
      const Vector<__nv_bfloat16, 8> sums_piece =
          load_vector<8>(&shared.activations[reduced_row * kRow + first]);
#pragma unroll
      for (int e = 0; e < 8; ++e) {
        const __nv_bfloat16 x_1 = sums_piece[e];
        const float wide = to_float(x_1);
        x_square_sum += wide * wide;
      }
    }
    x_square_sum = warp_reduce<kSharing>(x_square_sum, Add());
    if (thread % kSharing == 0) shared.inverse[reduced_row] = rsqrtf(x_square_sum / 64.0f + 1e-5f);
    __syncthreads();

#pragma unroll
    for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
      for (int e = 0; e < kMmasN<64> * 4; ++e) {
        const int row = warp_row + i * kMmaM + e % 4 / 2 * 8 + group;
        const int column = (warp % kWarpsN * kMmasN<64> + e / 4) * 8 + lane % 4 * 2 + e % 2;
        if (column < 64) {
          const __nv_bfloat16 x_1 = shared.activations[row * kRow + column];
          const __nv_bfloat16 as_bf16 = to_bfloat16(to_float(x_1) * shared.inverse[row]);
          shared.activations[row * kRow + column] = __hmul_rn(as_bf16, params_norm[column]);
        }
      }
    }
  }

  // layer 3: 128 columns of 64 terms
  {
    Sums<128> sums = {};
    multiply<64, 128, true>(shared, next, stage, sums);
#pragma unroll
    for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
      for (int e = 0; e < kMmasN<128> * 4; ++e) {
        const int row = warp_row + i * kMmaM + e % 4 / 2 * 8 + group;
        const int column = (warp % kWarpsN * kMmasN<128> + e / 4) * 8 + lane % 4 * 2 + e % 2;
        if (first_row + row < kRows) {
          dot_8[(first_row + row) * 128 + column] = to_bfloat16(sums[i][e / 4][e % 4]);
        }
      }
    }
  }
}

}  // namespace

cudaError_t
enqueue(const __nv_bfloat16* params_embedding, const __nv_bfloat16* params_layers_1_down,
        const __nv_bfloat16* params_layers_1_gate, const __nv_bfloat16* params_norm,
        const __nv_bfloat16* x, const __nv_bfloat16* y_2, const __nv_bfloat16* y_up_2,
        __nv_bfloat16* dot_8, cudaStream_t stream) {
  return launch(llama_decode_4, {.grid = kRowTiles, .block = kThreads}, stream,
                params_embedding, params_layers_1_down, params_layers_1_gate, params_norm, x, y_2,
                y_up_2, dot_8);
}

}  // namespace llama_decode_kernels::llama_decode_4
