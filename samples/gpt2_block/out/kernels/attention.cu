// attention: attention over f32[2,4,16,12].
//
//   in   dense           f32[2,16,144]
//   out  attention_out   f32[2,4,16,12]
//
//   dense_part      = reshape(dense[:,:,48:96], [2,16,4,12])
//   unscaled_scores = dot(reshape(dense[:,:,0:48], [2,16,4,12]), dense_part),
//                     einsum=abcd,aecd->acbe
//   mask            = broadcast(broadcast(iota(), {0}) >= broadcast(iota(), {1}))
//   scores          = select(mask, unscaled_scores * 0.28867513, -1e+09)
//   scores_max      = reduce(scores, -inf), dimensions={3}, to_apply=maximum
//   weight          = exponential(scores - broadcast(scores_max, {0,1,2}))
//   weight_sum      = reduce(weight, 0), dimensions={3}, to_apply=add
//   probability     = weight / broadcast(weight_sum, {0,1,2})
//   attention_out   = dot(probability, reshape(dense[:,:,96:144], [2,16,4,12])),
//                     einsum=abcd,adbe->abce
//
// 64 queries a block of 4 warps, 16 each, and 32 keys at a time: scores stay in registers, products
// are made on tensor cores in 3 terms of TF32 each. Reads 12.3 kB, writes 6.1 kB.

#include "kernels.h"

#include "device/async_copy.cuh"
#include "device/launch.cuh"
#include "device/ldmatrix.cuh"
#include "device/mma.cuh"
#include "device/tf32_split.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

namespace gpt2_block_kernels::attention {
namespace {

constexpr int kBatch = 8;
constexpr int kQueries = 16;
constexpr int kKeys = 16;
constexpr int kFeatures = 12;                                // of a query and a key
constexpr int kValues = 12;                                  // of a key and a result
constexpr int kTileM = 64;                                   // queries of a block
constexpr int kTileN = 32;                                   // keys at a time
constexpr int kRowTiles = (kQueries + kTileM - 1) / kTileM;  // 1
constexpr int kTiles = (kKeys + kTileN - 1) / kTileN;        // 1
constexpr int kWarp = 32;
constexpr int kWarps = 4;
constexpr int kThreads = kWarps * kWarp;  // 128
constexpr int kWarpM = kTileM / kWarps;   // queries of a warp: 16
constexpr int kMmaM = 16;                 // of an instruction, 8 wide
constexpr int kChunk = 4;                 // elements of 16 bytes
constexpr int kMmaK = 2 * kChunk;         // 8
constexpr int kMmasM = kWarpM / kMmaM;    // 1
constexpr int kDepth = 16;                // in shared memory, zeros behind the last
constexpr int kWidth = 16;                // in shared memory, zeros behind the last
constexpr int kSteps = kDepth / kMmaK;    // along features: 2
constexpr int kEights = kTileN / 8;       // of keys: 4
constexpr int kValueEights = kWidth / 8;  // 2
constexpr int kRow = kDepth + kChunk;     // to the next row: eight lie in all 32 banks
constexpr int kValueRow = kWidth + kChunk;
constexpr int kResultRow = kWidth + 8;
constexpr int kQueryCopies = kDepth / kChunk;  // of a row
constexpr int kKeyCopies = kDepth / kChunk;    // of a row
constexpr int kValueCopies = kWidth / kChunk;  // of a row

struct Shared {
  struct Tile {
    float keys[kTileN * kRow];
    float values[kTileN * kValueRow];
  };
  struct Operands {
    float queries[kTileM * kRow];
    Tile tile[2];
  };
  union {
    alignas(128) Operands operands;
    float results[kTileM * kResultRow];
  };
};

__global__ void __launch_bounds__(kThreads)
attention(const float* __restrict__ dense, float* __restrict__ attention_out) {
  Shared& shared = block_shared<Shared>();
  Shared::Operands& operands = shared.operands;
  const int thread = threadIdx.x, lane = thread % kWarp, group = lane / 4;
  const int warp_row = thread / kWarp * kWarpM;
  const int batch = blockIdx.x % kBatch;
  // later queries first, which have more keys
  const int first_query = (kRowTiles - 1 - blockIdx.x / kBatch) * kTileM;

  // queries to shared memory, zeros outside
  for (int i = thread; i < kTileM * kQueryCopies; i += kThreads) {
    const int row = i / (8 * kQueryCopies) * 8 + i % 8;
    const int feature = i / 8 % kQueryCopies * kChunk;
    const int query = first_query + row;
    copy_async(&operands.queries[row * kRow + feature],
               &dense[batch / 4 * 2304 + query * 144 + batch % 4 * 12 + feature],
               query < kQueries && feature < kFeatures);
  }

  // a tile of keys and values, as one group of copies, zeros outside
  const auto copy_tile = [&](int tile) {
    Shared::Tile& to = operands.tile[tile % 2];
    const int first_key = tile * kTileN;
    for (int i = thread; i < kTileN * kKeyCopies; i += kThreads) {
      const int row = i / (8 * kKeyCopies) * 8 + i % 8;
      const int feature = i / 8 % kKeyCopies * kChunk;
      const int key = first_key + row;
      copy_async(&to.keys[row * kRow + feature],
                 &dense[batch / 4 * 2304 + key * 144 + batch % 4 * 12 + feature + 48],
                 key < kKeys && feature < kFeatures);
    }
    for (int i = thread; i < kTileN * kValueCopies; i += kThreads) {
      const int row = i / (8 * kValueCopies) * 8 + i % 8;
      const int value = i / 8 % kValueCopies * kChunk;
      const int key = first_key + row;
      copy_async(&to.values[row * kValueRow + value],
                 &dense[batch / 4 * 2304 + key * 144 + batch % 4 * 12 + value + 96],
                 key < kKeys && value < kValues);
    }
    commit_copies();
  };

  copy_tile(0);
  wait_copies<0>();
  __syncthreads();
  uint32_t a[kMmasM][kSteps][4];
  for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
    for (int c = 0; c < kSteps; ++c) {
      const int row = warp_row + i * kMmaM + lane % 16, feature = c * kMmaK + lane / 16 * kChunk;
      ldmatrix_x4(a[i][c], &operands.queries[row * kRow + feature]);
    }
  }

  // of each query of a lane: the largest score so far, the sum of weights and that of values by
  // weights
  float largest[kMmasM][2], sum[kMmasM][2] = {}, results[kMmasM][kValueEights][4] = {};
  for (int i = 0; i < kMmasM; ++i) largest[i][0] = largest[i][1] = -INFINITY;
  // tiles with keys that a query of the block sees: up to its last one
  const int last = first_query + (kTileM - 1);
  const int seen_tiles = (last + kTileN) / kTileN;
  // tiles that each query of the block sees all of: no mask is looked at
  const int whole_tiles = (first_query + 1) / kTileN;
  const auto take_tile = [&](int tile, bool is_whole) {
    const Shared::Tile& here = operands.tile[tile % 2];
    wait_copies<0>();
    __syncthreads();
    if (tile + 1 < kTiles) copy_tile(tile + 1);

    // scores
    float scores[kMmasM][kEights][4] = {};
#pragma unroll
    for (int c = 0; c < kSteps; c += 2) {
      for (int j = 0; j < kEights; ++j) {
        uint32_t b[4];
        ldmatrix_x4(b, &here.keys[(j * 8 + lane % 8) * kRow + c * kMmaK + lane / 8 * kChunk]);
        uint32_t b_big[4], b_small[4];
        for (int r = 0; r < 4; ++r) split_tf32(b[r], b_big[r], b_small[r]);
        for (int i = 0; i < kMmasM; ++i) {
          float part[4] = {};
          for (int s = 0; s < 2; ++s) {
            uint32_t a_big[4], a_small[4];
            for (int r = 0; r < 4; ++r) split_tf32(a[i][c + s][r], a_big[r], a_small[r]);
            mma_tf32(part, a_small, {b_big[s * 2], b_big[s * 2 + 1]});
            mma_tf32(part, a_big, {b_small[s * 2], b_small[s * 2 + 1]});
            mma_tf32(part, a_big, {b_big[s * 2], b_big[s * 2 + 1]});
          }
          for (int r = 0; r < 4; ++r) scores[i][j][r] += part[r];
        }
      }
    }
    // what is not finite is computed again, in f32
    const auto product_again = [&](int row, int key) {
      float total = 0.0f;
      for (int c = 0; c < kFeatures; ++c)
        total = fmaf(operands.queries[row * kRow + c], here.keys[key * kRow + c], total);
      return total;
    };
    if (is_whole) {
#pragma unroll
      for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
        for (int e = 0; e < kEights * 4; ++e) {
          float& score = scores[i][e / 4][e % 4];
          const int row = warp_row + i * kMmaM + e % 4 / 2 * 8 + group;
          const int column = e / 4 * 8 + lane % 4 * 2 + e % 2;
          if (!(fabsf(score) < INFINITY)) score = product_again(row, column);
          score = score * 0.28867513f;
        }
      }
    } else {
#pragma unroll
      for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
        for (int e = 0; e < kEights * 4; ++e) {
          float& score = scores[i][e / 4][e % 4];
          const int row = warp_row + i * kMmaM + e % 4 / 2 * 8 + group;
          const int column = e / 4 * 8 + lane % 4 * 2 + e % 2;
          const int query = first_query + row;
          const int key = tile * kTileN + column;
          if (!(fabsf(score) < INFINITY)) score = product_again(row, column);
          if (key < kKeys) {
            score = query >= key ? score * 0.28867513f : -1e9f;
          } else {
            score = -INFINITY;
          }
        }
      }
    }

    // weights, beside the largest score so far; what was summed beside a smaller one shrinks
#pragma unroll
    for (int i = 0; i < kMmasM; ++i) {
      for (int half = 0; half < 2; ++half) {
        float most = scores[i][0][half * 2];
        for (int e = 1; e < kEights * 2; ++e)
          most = fmaxf(most, scores[i][e / 2][half * 2 + e % 2]);
        most = warp_reduce<4>(most, [](float x, float y) { return fmaxf(x, y); });
        most = fmaxf(largest[i][half], most);
        const float base = most == -INFINITY ? 0.0f : most;  // all scores are -infinity: no weight
        const float shrink = expf(largest[i][half] - base);
        largest[i][half] = most;
        sum[i][half] *= shrink;
        for (int e = 0; e < kValueEights * 2; ++e) results[i][e / 2][half * 2 + e % 2] *= shrink;
        for (int e = 0; e < kEights * 2; ++e) {
          float& weight = scores[i][e / 2][half * 2 + e % 2];
          weight = expf(weight - base);
          sum[i][half] += weight;
        }
      }
    }

    // values by weights: of 8 keys, of which a lane has two
#pragma unroll
    for (int j = 0; j < kEights; ++j) {
      uint32_t w_big[kMmasM][4], w_small[kMmasM][4];
      for (int i = 0; i < kMmasM; ++i) {
        for (int r = 0; r < 4; ++r) {
          const float weight = scores[i][j][r % 2 * 2 + r / 2];
          split_tf32(__float_as_uint(weight), w_big[i][r], w_small[i][r]);
        }
      }
      for (int f = 0; f < kValueEights; ++f) {
        const float* value = &here.values[(j * 8 + lane % 4 * 2) * kValueRow + f * 8 + group];
        uint32_t b_big[2], b_small[2], b_finite[2];
        for (int r = 0; r < 2; ++r) {
          split_tf32(__float_as_uint(value[r * kValueRow]), b_big[r], b_small[r]);
          const bool infinite = fabsf(value[r * kValueRow]) == INFINITY;  // times any weight: infinite
          b_finite[r] = infinite ? 0 : b_big[r];
          if (infinite) b_small[r] = 0;
        }
        for (int i = 0; i < kMmasM; ++i) {
          float part[4] = {};
          mma_tf32(part, w_small[i], b_finite);
          mma_tf32(part, w_big[i], b_small);
          mma_tf32(part, w_big[i], b_big);
          for (int r = 0; r < 4; ++r) results[i][f][r] += part[r];
        }
      }
    }
  };
  for (int tile = 0; tile < whole_tiles; ++tile) {
    take_tile(tile, true);
  }
  for (int tile = whole_tiles; tile < kTiles; ++tile) {
    if (tile == seen_tiles) {
      // keys from here on are masked: beside a score that is larger by 104 they have no weight,
      // exp(-104) is 0, and their values are not read
      bool more = false;
#pragma unroll
      for (int e = 0; e < kMmasM * 2; ++e) {
        const float most = largest[e / 2][e % 2];
        const int query = first_query + (warp_row + e / 2 * kMmaM + e % 2 * 8 + group);
        more |= query < kQueries && !(most > -999999872.0f);
      }
      if (!__syncthreads_or(more)) break;
    }
    take_tile(tile, false);
  }

  // results, to shared memory, which the tiles no longer need: then a row's are neighbours
  wait_copies<0>();
  __syncthreads();
  for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float total = warp_reduce<4>(sum[i][half], [](float x, float y) { return x + y; });
      const int row = warp_row + i * kMmaM + half * 8 + group;
      for (int f = 0; f < kValueEights; ++f) {
        const Vector<float, 2> pair = {results[i][f][half * 2] / total,
                                       results[i][f][half * 2 + 1] / total};
        store_vector(&shared.results[row * kResultRow + f * 8 + lane % 4 * 2], pair);
      }
    }
  }
  __syncwarp();

#pragma unroll 4
  for (int e = lane; e < kWarpM * kValues; e += kWarp) {
    const int row = warp_row + e / kValues;
    const int column = e % kValues;
    const int query = first_query + row;
    if (query >= kQueries) break;
    attention_out[batch * 192 + query * 12 + column] = shared.results[row * kResultRow + column];
  }
}

}  // namespace

cudaError_t
enqueue(const float* dense, float* attention_out, cudaStream_t stream) {
  return launch(attention, {.grid = kBatch * kRowTiles, .block = kThreads}, stream,
                dense, attention_out);
}

}  // namespace gpt2_block_kernels::attention
