// dense_4: dot, add over f32[2,16,48].
//
//   in   params_down_b   f32[48]
//   in   params_down_w   f32[192,48]
//   in   x_2             f32[2,16,48]
//   in   gelu            f32[2,16,192]
//   out  sum_out         f32[2,16,48]
//
//   dot     = dot(gelu, params_down_w)
//   sum_out = x_2 + (dot + params_down_b)
//
// Products on tensor cores in 3 terms of TF32 each: a tile of 32 x 32 a block of 4 warps, 16 x 16 a
// warp; K in tiles of 16, 7 in flight. Reads 67.8 kB, writes 6.1 kB.

#include "kernels.h"

#include "device/async_copy.cuh"
#include "device/launch.cuh"
#include "device/ldmatrix.cuh"
#include "device/mma.cuh"
#include "device/tf32_split.cuh"
#include "device/vector_access.cuh"

namespace gpt2_block_kernels::dense_4 {
namespace {

constexpr int kM = 32;
constexpr int kN = 48;
constexpr int kK = 192;
constexpr int kTileM = 32;  // of a block
constexpr int kTileN = 32;
constexpr int kTileK = 16;
constexpr int kStages = 8;                                // k tiles in shared memory
constexpr int kTiles = kK / kTileK;                       // 12
constexpr int kRowTiles = kM / kTileM;                    // 1
constexpr int kColumnTiles = (kN + kTileN - 1) / kTileN;  // 2
constexpr int kThreads = 128;
constexpr int kWarp = 32;
constexpr int kWarpM = 16;  // of a warp
constexpr int kWarpN = 16;
constexpr int kWarpsN = kTileN / kWarpN;  // 2
constexpr int kMmaM = 16;                 // of an instruction
constexpr int kMmaN = 8;
constexpr int kMmaK = 8;
constexpr int kMmasM = kWarpM / kMmaM;                      // 1
constexpr int kMmasN = kWarpN / kMmaN;                      // 2
constexpr int kStepsK = kTileK / kMmaK;                     // 2
constexpr int kChunk = 4;                                   // elements of 16 bytes
constexpr int kLhsChunks = kTileK / kChunk;                 // of a row in shared memory: 4
constexpr int kLhsCopies = kTileM * kLhsChunks / kThreads;  // of a thread and k tile: 1
constexpr int kRhsChunks = kTileN / kChunk;                 // of a row in shared memory: 8
constexpr int kRhsCopies = kTileK * kRhsChunks / kThreads;  // of a thread and k tile: 1
constexpr int kWidth = 4;                                   // results of a thread, side by side
constexpr int kRowThreads = kTileN / kWidth;                // that share a row: 8

static_assert(kM % kTileM == 0 && kK % kTileK == 0, "tiles are whole");
static_assert(kStepsK > 1, "the next tile is copied under the first of several steps");

struct Shared {
  struct Stage {
    alignas(128) float lhs[kTileM * kTileK];
    float rhs[kTileK * kTileN];
  };
  union {
    Stage stage[kStages];
    alignas(128) float sums[kTileM * kTileN];
  };
};

// Where an element of a tile is in shared memory: chunks of 16 bytes change places within their
// row, so that what the lanes of a warp read at once lies in all 32 banks.
__device__ __forceinline__ int lhs_at(int row, int k) {
  return row * kTileK + (k ^ row / 2 % 4 * kChunk);
}
__device__ __forceinline__ int rhs_at(int k, int column) {
  return k * kTileN + (column ^ k % 4 * 8);
}
__device__ __forceinline__ int sum_at(int row, int column) {
  return row * kTileN + (column ^ row % 4 * 8);
}

__global__ void __launch_bounds__(kThreads)
dense_4(const float* __restrict__ params_down_b,
        const float* __restrict__ params_down_w,
        const float* __restrict__ x_2,
        const float* __restrict__ gelu,
        float* __restrict__ sum_out) {
  Shared& shared = block_shared<Shared>();
  const int thread = threadIdx.x, lane = thread % kWarp, group = lane / 4;
  const int tile_row = blockIdx.y * kTileM;
  const int tile_column = blockIdx.x * kTileN;
  const int warp_row = thread / kWarp / kWarpsN * kWarpM;
  const int warp_column = thread / kWarp % kWarpsN * kWarpN;

  // one k tile of both operands to shared memory, as one group of copies, zeros outside
  const int lhs_row = thread / kLhsChunks, lhs_k = thread % kLhsChunks * kChunk;
  const int rhs_k = thread / kRhsChunks, rhs_column = thread % kRhsChunks * kChunk;
  const auto copy_tile = [&](int tile) {
    Shared::Stage& stage = shared.stage[tile % kStages];
    if (tile < kTiles) {
      for (int i = 0; i < kLhsCopies; ++i) {
        const int place = lhs_row + i * (kThreads / kLhsChunks);
        const int row = tile_row + place;
        const int k = tile * kTileK + lhs_k;
        copy_async(&stage.lhs[lhs_at(place, lhs_k)], &gelu[row * kK + k]);
      }
      for (int i = 0; i < kRhsCopies; ++i) {
        const int place = rhs_k + i * (kThreads / kRhsChunks);
        const int column = tile_column + rhs_column;
        const int k = tile * kTileK + place;
        copy_async(&stage.rhs[rhs_at(place, rhs_column)], &params_down_w[k * kN + column],
                   column < kN);
      }
    }
    commit_copies();
  };

  // one step of K from shared memory to registers
  uint32_t a[2][kMmasM][4];
  uint32_t b[2][kMmasN][2];
  const auto load_step = [&](int tile, int step) {
    const Shared::Stage& stage = shared.stage[tile % kStages];
    for (int i = 0; i < kMmasM; ++i) {
      const int row = warp_row + i * kMmaM;
      const int place = lhs_at(row + lane % 16, (step * 2 + lane / 16) * kChunk);
      ldmatrix_x4(a[step % 2][i], &stage.lhs[place]);
    }
    for (int j = 0; j < kMmasN; ++j) {
      for (int r = 0; r < 2; ++r) {
        const int place =
            rhs_at(step * kMmaK + r * 4 + lane % 4, warp_column + j * kMmaN + group);
        b[step % 2][j][r] = __float_as_uint(stage.rhs[place]);
      }
    }
  };

  // dot: while one step is multiplied, the next is loaded, and the tile kStages - 1 ahead is on its
  // way
  float sums[kMmasM][kMmasN][4] = {};
  float of_tile[kMmasM][kMmasN][4] = {};
  for (int tile = 0; tile < kStages - 1; ++tile) copy_tile(tile);
  wait_copies<kStages - 2>();
  __syncthreads();
  load_step(0, 0);
  for (int tile = 0; tile < kTiles; ++tile) {
#pragma unroll
    for (int step = 0; step < kStepsK; ++step) {
      if (step + 1 < kStepsK) {
        load_step(tile, step + 1);
        if (step == 0) copy_tile(tile + kStages - 1);
      } else {
        wait_copies<kStages - 2>();
        __syncthreads();
        load_step(tile + 1, 0);
      }
      uint32_t b_big[kMmasN][2], b_small[kMmasN][2];
      for (int j = 0; j < kMmasN; ++j) {
        for (int r = 0; r < 2; ++r) split_tf32(b[step % 2][j][r], b_big[j][r], b_small[j][r]);
      }
      for (int i = 0; i < kMmasM; ++i) {
        uint32_t a_big[4], a_small[4];
        for (int r = 0; r < 4; ++r) split_tf32(a[step % 2][i][r], a_big[r], a_small[r]);
        for (int j = 0; j < kMmasN; ++j) mma_tf32(of_tile[i][j], a_small, b_big[j]);
        for (int j = 0; j < kMmasN; ++j) mma_tf32(of_tile[i][j], a_big, b_small[j]);
        for (int j = 0; j < kMmasN; ++j) mma_tf32(of_tile[i][j], a_big, b_big[j]);
      }
    }
    add_and_clear(sums, of_tile);
  }

  // to shared memory, which the stages no longer need, so that what follows has rows of neighbours
  wait_copies<0>();
  __syncthreads();
  for (int i = 0; i < kMmasM; ++i) {
    for (int j = 0; j < kMmasN; ++j) {
      for (int r = 0; r < 4; r += 2) {
        const int row = warp_row + i * kMmaM + r / 2 * 8 + group;
        const int column = warp_column + j * kMmaN + lane % 4 * 2;
        const Vector<float, 2> pair = {sums[i][j][r], sums[i][j][r + 1]};
        store_vector(&shared.sums[sum_at(row, column)], pair);
      }
    }
  }
  __syncthreads();

  // results: kWidth side by side a thread
  const int j = thread % kRowThreads * kWidth;
  const int first_column = tile_column + j;
#pragma unroll 4
  for (int i = thread / kRowThreads; i < kTileM; i += kThreads / kRowThreads) {
    const int row = tile_row + i;
    if (first_column >= kN) break;
    const Vector<float, kWidth> sums_values = load_vector<kWidth>(&shared.sums[sum_at(i, j)]);
    const Vector<float, kWidth> x_2_values = load_vector<kWidth>(x_2 + (row * kN + first_column));
    const Vector<float, kWidth> params_down_b_values =
        load_vector<kWidth>(params_down_b + first_column);
    Vector<float, kWidth> sum_out_values;
#pragma unroll
    for (int e = 0; e < kWidth; ++e) {
      const int column = first_column + e;
      float dot = sums_values[e];
      // what is not finite is computed again, in f32
      if (!(fabsf(dot) < INFINITY)) {
        dot = 0.0f;
        for (int k = 0; k < kK; ++k) {
          dot = fmaf(gelu[row * kK + k], params_down_w[k * kN + column], dot);
        }
      }

      sum_out_values[e] = x_2_values[e] + (dot + params_down_b_values[e]);
    }
    store_vector(sum_out + (row * kN + first_column), sum_out_values);
  }
}

}  // namespace

cudaError_t
enqueue(const float* params_down_b, const float* params_down_w, const float* x_2, const float* gelu,
        float* sum_out, cudaStream_t stream) {
  return launch(dense_4, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_down_b, params_down_w, x_2, gelu, sum_out);
}

}  // namespace gpt2_block_kernels::dense_4
