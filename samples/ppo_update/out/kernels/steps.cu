// steps: the steps of while.136, in one launch.
//
//   epoch         1 block     sort, threefry2x32, xor, convert over s32[128]
//   epoch_2       24 blocks   gather over f32[4,32,6]
//   epoch_3       1 block     gather over s32[4,32]
//   mlp_2         16 blocks   dot, tanh, add over f32[32,16]
//   mlp_3         4 blocks    dot, tanh, add over f32[32,16]
//   dense_2       3 blocks    dot over f32[32,3]
//   dense_3       1 block     dot over f32[32,1]
//   loss          1 block     reduce, gather, dynamic-update-slice, exponential, log, ... over
//   f32[32]
//   loss_2        3 blocks    reduce, gather, exponential, log, sqrt, ... over f32[32,3]
//   minibatch_2   1 block     reduce, sqrt, subtract, multiply, add, ... over f32[3]
//   mlp_5         16 blocks   dot, subtract, multiply, add over f32[32,16]
//   mlp_7         16 blocks   dot, add, subtract, multiply over f32[32,16]
//   minibatch_3   2 blocks    dot, sqrt, subtract, multiply, add, ... over f32[16,3]
//   mlp_6         4 blocks    dot, subtract, multiply, add over f32[32,16]
//   minibatch_4   1 block     dot, reduce, sqrt, multiply, add, ... over f32[16]
//   minibatch_5   1 block     dot, sqrt, subtract, multiply, add, ... over f32[6,16]
//   minibatch     8 blocks    dot, sqrt, subtract, multiply, add, ... over f32[16,16]
//   updated       1 block     dynamic-update-slice over f32[1,4]
//
// At most 24 blocks of 32 threads, all of them on the device at the same time: each does a part's
// blocks in turn, and waits for the others where a step needs what they have stored. What comes out
// does not depend on how many there are.

#include "kernels.h"

#include "device/async_copy.cuh"
#include "device/block_reduce.cuh"
#include "device/block_sort.cuh"
#include "device/combine.cuh"
#include "device/grid_barrier.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/threefry2x32.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

namespace ppo_update_kernels::steps {
namespace {

// epoch: sort, threefry2x32, xor, convert over s32[128].
//
//   in   threefry_split   u32[2,2]
//   out  sorted           s32[128]
//
//   part             = threefry_split[t,:]
//   threefry_split_1 = threefry2x32(part[0], part[1], 0, u32(iota()))
//   joined           = concatenate(threefry_split_1.first, threefry_split_1.second), dimensions={1}
//   shuffle          = threefry2x32(joined[1,:][0], joined[1,:][1], 0, u32(iota()))
//   sorted           = sort(xor(shuffle.first, shuffle.second), iota())
//
// A row a block of 32 threads. Reads 8 B, writes 512 B.
namespace epoch {

constexpr int kColumns = 128;
constexpr int kThreads = 32;
constexpr int kItems = 5;  // elements a thread

struct Element {
  uint32_t key;
  int value;
};

// Whether a must stand before b.
struct Before {
  __device__ bool operator()(const Element& a, const Element& b) const {
    return a.key < b.key;
  }
};

struct Shared {
  Element elements[kColumns];
};

__device__ void run(const uint32_t* __restrict__ threefry_split, int* sorted, int t) {
  Shared& shared = block_shared<Shared>();

  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    const Threefry2x32 threefry_split_1 =
        threefry2x32(threefry_split[t * 2], threefry_split[t * 2 + 1], 0u, 1u);

    const Threefry2x32 shuffle =
        threefry2x32(threefry_split_1.first, threefry_split_1.second, 0u, uint32_t(column));
    shared.elements[column] = {shuffle.first ^ shuffle.second, column};
  }

  block_sort<kThreads, kItems>(shared.elements, kColumns, Before());

  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    sorted[column] = shared.elements[column].value;
  }
}

}  // namespace epoch

// epoch_2: gather over f32[4,32,6].
//
//   in   sorted           s32[128]
//   in   observations_2   f32[128,6]
//   out  rows             f32[4,32,6]
//
//   rows = reshape(gather(observations_2, sorted), [4,32,6])
//
// 24 blocks of 32 threads. Reads 3.6 kB, writes 3.1 kB.
namespace epoch_2 {

constexpr int kRows = 128;
constexpr int kColumns = 6;
constexpr int kElements = kRows * kColumns;  // 768
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const int* sorted, const float* __restrict__ observations_2,
                    float* rows) {
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int sorted_value = sorted[row];

  rows[element] = observations_2[sorted_value * kColumns + column];
}

}  // namespace epoch_2

// epoch_3: gather over s32[4,32].
//
//   in   sorted                 s32[128]
//   in   taken_2                s32[128]
//   in   log_probs_2            f32[128]
//   in   sum                    f32[128]
//   in   sum_2                  f32[128]
//   out  picked                 s32[4,32]
//   out  picked_2 .. picked_4   f32[4,32]
//
//   picked   = reshape(gather(taken_2, sorted), [4,32])
//   picked_2 = reshape(gather(log_probs_2, sorted), [4,32])
//   picked_3 = reshape(gather(sum, sorted), [4,32])
//   picked_4 = reshape(gather(sum_2, sorted), [4,32])
//
// One block of 32 threads. Reads 2.6 kB, writes 2.0 kB.
namespace epoch_3 {

constexpr int kElements = 128;
constexpr int kThreads = 32;
constexpr int kWidth = 4;  // elements a thread

static_assert(kElements % (kThreads * kWidth) == 0, "the grid covers the elements exactly");

__device__ void run(const int* sorted, const int* __restrict__ taken_2,
                    const float* __restrict__ log_probs_2, const float* __restrict__ sum,
                    const float* __restrict__ sum_2, int* picked, float* picked_2, float* picked_3,
                    float* picked_4) {
  const int element = threadIdx.x * kWidth;

  const Vector<int, kWidth> sorted_values = load_vector<kWidth>(sorted + element);
  Vector<int, kWidth> picked_values;
  Vector<float, kWidth> picked_2_values;
  Vector<float, kWidth> picked_3_values;
  Vector<float, kWidth> picked_4_values;
#pragma unroll
  for (int k = 0; k < kWidth; ++k) {
    const int sorted_value = sorted_values[k];
    picked_values[k] = taken_2[sorted_value];
    picked_2_values[k] = log_probs_2[sorted_value];
    picked_3_values[k] = sum[sorted_value];
    picked_4_values[k] = sum_2[sorted_value];
  }
  store_vector(picked + element, picked_values);
  store_vector(picked_2 + element, picked_2_values);
  store_vector(picked_3 + element, picked_3_values);
  store_vector(picked_4 + element, picked_4_values);
}

}  // namespace epoch_3

// mlp_2: dot, tanh, add over f32[32,16].
//
//   in   params_policy_0_b   f32[16]
//   in   params_policy_0_w   f32[6,16]
//   in   params_value_0_b    f32[16]
//   in   params_value_0_w    f32[6,16]
//   in   rows                f32[4,32,6]
//   out  x_2                 f32[32,16]
//   out  x_3                 f32[32,16]
//
//   x_part_1 = dot(rows[t,:,:], params_policy_0_w)
//   x_2      = tanh(x_part_1 + params_policy_0_b)
//   x_part_2 = dot(rows[t,:,:], params_value_0_w)
//   x_3      = tanh(x_part_2 + params_value_0_b)
//
// 16 blocks of 32 threads. Reads 2.4 kB, writes 4.1 kB.
namespace mlp_2 {

constexpr int kRows = 32;
constexpr int kColumns = 16;
constexpr int kElements = kRows * kColumns;  // 512
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const float* params_policy_0_b, const float* params_policy_0_w,
                    const float* params_value_0_b, const float* params_value_0_w, const float* rows,
                    float* x_2, float* x_3, int t) {
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float x_part_1 = 0.0f;
  float x_part_2 = 0.0f;
  for (int k = 0; k < 6; ++k) {
    const float rows_value = rows[(t * kRows + row) * 6 + k];
    x_part_1 = fmaf(rows_value, params_policy_0_w[k * kColumns + column], x_part_1);
    x_part_2 = fmaf(rows_value, params_value_0_w[k * kColumns + column], x_part_2);
  }

  x_2[element] = tanhf(x_part_1 + params_policy_0_b[column]);
  x_3[element] = tanhf(x_part_2 + params_value_0_b[column]);
}

}  // namespace mlp_2

// mlp_3: dot, tanh, add over f32[32,16].
//
//   in   params_1_b   f32[16]
//   in   params_1_w   f32[16,16]
//   in   x_in         f32[32,16]
//   out  x_out        f32[32,16]
//
//   x_part = dot(x_in, params_1_w)
//   x_out  = tanh(x_part + params_1_b)
//
// 16 vectors times a matrix: 8 outputs a block of 32 threads; K in one step. Reads 3.1 kB, writes
// 2.0 kB.
// Called in 2 places, on different arrays; the names here stand for those of each.
namespace mlp_3 {

constexpr int kVectors = 16;
constexpr int kOutputs = 32;
constexpr int kK = 16;
constexpr int kTileN = 8;                   // outputs of a block
constexpr int kTileK = 16;                  // along k, of a step
constexpr int kStages = 1;                  // steps that have slots: all
constexpr int kSteps = kK / kTileK;         // 1
constexpr int kPanelK = kSteps * kTileK;    // 16
constexpr int kBlocks = kOutputs / kTileN;  // 4
constexpr int kThreads = 32;
constexpr int kChunk = 4;                   // elements of a copy of 16 bytes
constexpr int kLanes = kTileK / kChunk;     // threads that share an output: 4
constexpr int kPlaces = kThreads / kLanes;  // 8
constexpr int kRows = kTileN / kPlaces;     // chunks of a thread and step: 1
constexpr int kSums = kRows;                // of a thread and vector
constexpr int kPiece = 4;                   // elements of a vector that are read at once
constexpr int kGroups = 1;                  // of warps that share outputs

static_assert(kOutputs % kTileN == 0 && kK % kTileK == 0, "steps and blocks are whole");

struct Shared {
  Vector<float, kChunk> chunk[kStages][kRows][kThreads];  // that each thread reads itself
  alignas(16) float x[kVectors][kPanelK];
  float sums[kGroups][kVectors][kTileN];
};

__device__ __forceinline__ void run(int block, const float* params_1_b, const float* params_1_w,
                                    const float* x_in, float* x_out) {
  Shared& shared = block_shared<Shared>();
  const int thread = threadIdx.x, place = thread / kLanes, along = thread % kLanes * kChunk;
  const int first_output = block * kTileN;

  // a step's chunks of the matrix, into slots that their own thread reads
  const auto copy_step = [&](int step) {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int output = first_output + (place + r * kPlaces);
      const int k = step * kTileK + along;
      copy_async(&shared.chunk[step % kStages][r][thread], &x_in[output * kK + k]);
    }
    commit_copies();
  };
  copy_step(0);

  float sums[kVectors][kSums] = {};

  // x_part: the vectors in shared memory
  for (int i = thread; i < kVectors * kPanelK; i += kThreads) {
    const int vector = i / kPanelK;
    const int k_of_panel = i % kPanelK;
    const int k = k_of_panel;
    shared.x[vector][k_of_panel] = params_1_w[k * kK + vector];
  }
  __syncthreads();

  for (int step = 0; step < kSteps; ++step) {
    wait_copies<0>();
    float elements[kRows][kChunk];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const Vector<float, kChunk> chunk = shared.chunk[step % kStages][r][thread];
#pragma unroll
      for (int e = 0; e < kChunk; ++e) {
        const float x_in_value = chunk[e];
        elements[r][e] = x_in_value;
      }
    }
#pragma unroll
    for (int vector = 0; vector < kVectors; ++vector) {
#pragma unroll
      for (int first = 0; first < kChunk; first += kPiece) {
        const Vector<float, kPiece> piece =
            load_vector<kPiece>(&shared.x[vector][step * kTileK + along + first]);
#pragma unroll
        for (int e = 0; e < kPiece; ++e) {
          const float x_value = piece[e];
#pragma unroll
          for (int r = 0; r < kRows; ++r) {
            sums[vector][r] = fmaf(x_value, elements[r][first + e], sums[vector][r]);
          }
        }
      }
    }
  }

  // what threads of a warp have of the same outputs, added up
#pragma unroll
  for (int vector = 0; vector < kVectors; ++vector) {
#pragma unroll
    for (int i = 0; i < kSums; ++i) {
      const float sum = warp_reduce<kLanes>(sums[vector][i], Add());
      if (thread % kLanes == 0) shared.sums[0][vector][place + i * kPlaces] = sum;
    }
  }
  __syncthreads();

  // results
  for (int i = thread; i < kVectors * kTileN; i += kThreads) {
    const int vector = i / kTileN;
    const int of_tile = i % kTileN;
    const int output = first_output + of_tile;
    const float x_part = shared.sums[0][vector][of_tile];
    x_out[output * kVectors + vector] = tanhf(x_part + params_1_b[vector]);
  }
}

}  // namespace mlp_3

// dense_2: dot over f32[32,3].
//
//   in   params_policy_2_w   f32[16,3]
//   in   x_4                 f32[32,16]
//   out  dense_2_out         f32[32,3]
//
//   dense_2_out = dot(x_4, params_policy_2_w)
//
// 3 blocks of 32 threads. Reads 2.2 kB, writes 384 B.
namespace dense_2 {

constexpr int kRows = 32;
constexpr int kColumns = 3;
constexpr int kElements = kRows * kColumns;  // 96
constexpr int kTerms = 16;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const float* params_policy_2_w, const float* x_4,
                    float* dense_2_out) {
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float dense_2 = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    dense_2 = fmaf(x_4[row * kTerms + k], params_policy_2_w[k * kColumns + column], dense_2);
  }

  dense_2_out[element] = dense_2;
}

}  // namespace dense_2

// dense_3: dot over f32[32,1].
//
//   in   params_value_2_w   f32[16,1]
//   in   x_5                f32[32,16]
//   out  dense_3_out        f32[32,1]
//
//   dense_3_out = dot(x_5, params_value_2_w)
//
// One block of 32 threads. Reads 2.1 kB, writes 128 B.
namespace dense_3 {

constexpr int kElements = 32;
constexpr int kTerms = 16;
constexpr int kThreads = 32;

static_assert(kElements == kThreads, "a thread of the one block has an element");

__device__ void run(const float* params_value_2_w, const float* x_5, float* dense_3_out) {
  const int element = threadIdx.x;

  float dense_3 = 0.0f;
  for (int first_k = 0; first_k < kTerms; first_k += 4) {
    const Vector<float, 4> x_5_values = load_vector<4>(x_5 + (element * kTerms + first_k));
    const Vector<float, 4> params_value_2_w_values = load_vector<4>(params_value_2_w + first_k);
#pragma unroll
    for (int i = 0; i < 4; ++i) dense_3 = fmaf(x_5_values[i], params_value_2_w_values[i], dense_3);
  }

  dense_3_out[element] = dense_3;
}

}  // namespace dense_3

// loss: reduce, gather, dynamic-update-slice, exponential, log, ... over f32[32].
//
//   in   params_policy_2_b       f32[3]
//   in   params_value_2_b_in     f32[1]
//   in   state_m_value_2_b_in    f32[1]
//   in   state_step_in           s32[]
//   in   state_v_value_2_b_in    f32[1]
//   in   picked                  s32[4,32]
//   in   picked_2 .. picked_4    f32[4,32]
//   in   dense_2                 f32[32,3]
//   in   dense_3                 f32[32,1]
//   out  max_out                 f32[32]
//   out  weight_sum_out          f32[32]
//   out  sum_3_out               f32[]
//   out  square_sum_out          f32[]
//   out  state_step_out          s32[]
//   out  power_out               f32[]
//   out  power_2_out             f32[]
//   out  state_m_value_2_b_out   f32[1]
//   out  state_v_value_2_b_out   f32[1]
//   out  params_value_2_b_out    f32[1]
//   out  difference              f32[4]
//
//   max_out               = reduce(sum_1, -inf), dimensions={1}, to_apply=maximum
//   weight_sum_out        = reduce(exponential(shifted), 0), dimensions={1}, to_apply=add
//   sum_3_out             = reduce(picked_3[t,:], 0), dimensions={0}, to_apply=add
//   square_sum_out        = reduce(deviation * deviation, 0), dimensions={0}, to_apply=add
//   state_step_out        = state_step_in + 1
//   power_out             = power(0.9, step_value_float)
//   power_2_out           = power(0.999, step_value_float)
//   product_sum_1         = reduce(difference_1 * 2 * 0.015625, 0), dimensions={0}, to_apply=add
//   state_m_value_2_b_out = state_m_value_2_b_in * 0.9 + product_sum_1 * 0.1
//   state_v_value_2_b_out = v_term + product_sum_1 * 0.001 * product_sum_1
//   params_value_2_b_out  = params_value_2_b_in - sum_5 * 3e-04
//   sum_2                 = reduce(minimum(exponential * ratio_1, product_2), 0), dimensions={0},
//                           to_apply=add
//   distance_squared      = reduce(difference_1 * difference_1, 0), dimensions={0}, to_apply=add
//   partial_product_sum   = reduce(product_1, 0), dimensions={1}, to_apply=add
//   product_sum_2         = reduce(partial_product_sum, 0), dimensions={0}, to_apply=add
//   difference[t]         = sum_4 - -(product_sum_2 / 32) * 0.01
//   Not shown: sum_1 (sum_1_1 .. sum_1_3), shifted (shifted_1 .. shifted_4), exponential,
//   deviation, ratio_1, product_2, step_value_float, difference_1, v_term, sum_5, sum_4, product_1
//   (product_1_1, product_1_2).
//
// One block of 32 threads; the row stays in registers. Reads 1.1 kB (dense_2 twice), writes 292 B.
namespace loss {

constexpr int kColumns = 32;
constexpr int kThreads = 32;

__device__ void run(const float* params_policy_2_b, const float* params_value_2_b_in,
                    const float* state_m_value_2_b_in, const int* state_step_in,
                    const float* state_v_value_2_b_in, const int* picked, const float* picked_2,
                    const float* picked_3, const float* picked_4, const float* dense_2,
                    const float* dense_3, float* max_out, float* weight_sum_out, float* sum_3_out,
                    float* square_sum_out, int* state_step_out, float* power_out,
                    float* power_2_out, float* state_m_value_2_b_out, float* state_v_value_2_b_out,
                    float* params_value_2_b_out, float* difference, int t) {
  const int column = threadIdx.x;

  const float params_policy_2_b_value_1 = params_policy_2_b[0];
  const float params_policy_2_b_value_2 = params_policy_2_b[1];
  const float params_policy_2_b_value_3 = params_policy_2_b[2];
  const float params_value_2_b_value = params_value_2_b_in[0];

  // log_sum_value, sum_3, product_sum_1, distance_squared, product_sum_2, max_out, weight_sum_out
  float sum_3 = 0.0f;
  float product_sum_1 = 0.0f;
  float distance_squared = 0.0f;
  float product_sum_2 = 0.0f;
  const int index_1 = t * kColumns + column;
  const float picked_3_value = picked_3[index_1];
  const float dense_2_value_1 = dense_2[column * 3 + 2];
  const float dense_2_value_2 = dense_2[column * 3 + 1];
  const float dense_2_value_3 = dense_2[column * 3];
  const float sum_1_1 = dense_2_value_3 + params_policy_2_b_value_1;
  const float sum_1_2 = dense_2_value_2 + params_policy_2_b_value_2;
  const float sum_1_3 = dense_2_value_1 + params_policy_2_b_value_3;
  const float max = maximum(sum_1_1, sum_1_2, sum_1_3);
  const float shifted_1 = sum_1_1 - max;
  const float shifted_2 = sum_1_2 - max;
  const float shifted_3 = sum_1_3 - max;
  const float weight_sum = expf(shifted_1) + expf(shifted_2) + expf(shifted_3);
  const float log_sum_value = logf(weight_sum);
  const float log_probability_1 = shifted_1 - log_sum_value;
  const float log_probability_2 = shifted_2 - log_sum_value;
  const float log_probability_3 = shifted_3 - log_sum_value;
  const float difference_1 = dense_3[column] + params_value_2_b_value - picked_4[index_1];
  const float product_1_1 = expf(log_probability_1) * log_probability_1;
  const float product_1_2 = expf(log_probability_2) * log_probability_2;
  max_out[column] = max;
  weight_sum_out[column] = weight_sum;
  sum_3 += picked_3_value;
  product_sum_1 += difference_1 * 2.0f * 0.015625f;
  distance_squared += difference_1 * difference_1;
  product_sum_2 += 0.0f + product_1_1 + product_1_2 + expf(log_probability_3) * log_probability_3;
  sum_3 = block_reduce<kThreads>(sum_3, Add());
  product_sum_1 = block_reduce<kThreads>(product_sum_1, Add());
  distance_squared = block_reduce<kThreads>(distance_squared, Add());
  product_sum_2 = block_reduce<kThreads>(product_sum_2, Add());
  const float mean = sum_3 / 32.0f;

  // square_sum
  float square_sum = 0.0f;
  const float deviation = picked_3_value - mean;
  square_sum += deviation * deviation;
  square_sum = block_reduce<kThreads>(square_sum, Add());
  const float denominator = sqrtf(square_sum / 32.0f) + 1e-8f;

  // sum_2
  float sum_2 = 0.0f;
  const int index_2 = t * kColumns + column;
  const int picked_value = picked[index_2];
  const int wrapped = picked_value < 0 ? picked_value + 3 : picked_value;
  const int start = minimum(maximum(wrapped, 0), 2);
  const float shifted_4 = dense_2[column * 3 + start] + params_policy_2_b[start] - max;
  const float chosen = wrapped >= 0 && wrapped <= 2 ? shifted_4 - log_sum_value : NAN;
  const float exponential = expf(chosen - picked_2[index_2]);
  const float ratio_1 = deviation / denominator;
  const float product_2 = minimum(1.2f, maximum(0.8f, exponential)) * ratio_1;
  sum_2 += minimum(exponential * ratio_1, product_2);
  sum_2 = block_reduce<kThreads>(sum_2, Add());
  const float sum_4 = fmaf(distance_squared / 32.0f, 0.5f, -(sum_2 / 32.0f));
  const int state_step_next = state_step_in[0] + 1;
  const float state_m_value_2_b_next = fmaf(product_sum_1, 0.1f, state_m_value_2_b_in[0] * 0.9f);
  const float v_term = state_v_value_2_b_in[0] * 0.999f;
  const float state_v_value_2_b_next = fmaf(product_sum_1 * 0.001f, product_sum_1, v_term);
  const float step_value_float = float(state_step_next);
  const float power = powf(0.9f, step_value_float);
  const float power_2 = powf(0.999f, step_value_float);
  const float ratio_2 = state_m_value_2_b_next / (1.0f - power) /
                        (sqrtf(state_v_value_2_b_next / (1.0f - power_2)) + 1e-8f);
  const float sum_5 = fmaf(params_value_2_b_value, 0.0f, ratio_2);

  if (column == 0) {
    sum_3_out[0] = sum_3;
    square_sum_out[0] = square_sum;
    state_step_out[0] = state_step_next;
    power_out[0] = power;
    power_2_out[0] = power_2;
    state_m_value_2_b_out[0] = state_m_value_2_b_next;
    state_v_value_2_b_out[0] = state_v_value_2_b_next;
    params_value_2_b_out[0] = fmaf(-sum_5, 0.0003f, params_value_2_b_value);
    difference[t] = fmaf(product_sum_2 / 32.0f, 0.01f, sum_4);
  }
}

}  // namespace loss

// loss_2: reduce, gather, exponential, log, sqrt, ... over f32[32,3].
//
//   in   params_policy_2_b   f32[3]
//   in   picked              s32[4,32]
//   in   picked_2            f32[4,32]
//   in   picked_3            f32[4,32]
//   in   dense_2             f32[32,3]
//   in   max                 f32[32]
//   in   weight_sum          f32[32]
//   in   sum_3               f32[]
//   in   square_sum          f32[]
//   out  loss_2_out          f32[32,3]
//
//   sum        = reduce(negated, 0), dimensions={1}, to_apply=add
//   loss_2_out = sum_2 + broadcast(sum_4) * exponential(shifted)
//   Not shown: shifted (shifted_1, shifted_2), sum_2, negated (negated_1 .. negated_3), sum_4.
//
// 3 blocks of 32 threads. Reads 1.0 kB, writes 384 B.
namespace loss_2 {

constexpr int kRows = 32;
constexpr int kColumns = 3;
constexpr int kElements = kRows * kColumns;  // 96
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const float* params_policy_2_b, const int* picked,
                    const float* picked_2, const float* picked_3, const float* dense_2,
                    const float* max, const float* weight_sum, const float* sum_3,
                    const float* square_sum, float* loss_2_out, int t) {
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int index = t * kRows + row;

  const float max_value = max[row];
  const float shifted_1 = dense_2[element] + params_policy_2_b[column] - max_value;
  const float weight_sum_value = weight_sum[row];
  const float log_sum = logf(weight_sum_value);
  const float log_probability_1 = shifted_1 - log_sum;
  const float log_probability_2 = dense_2[row * 3] + params_policy_2_b[0] - max_value - log_sum;
  const float log_probability_3 = dense_2[row * 3 + 1] + params_policy_2_b[1] - max_value - log_sum;
  const float log_probability_4 = dense_2[row * 3 + 2] + params_policy_2_b[2] - max_value - log_sum;
  const int picked_value = picked[index];
  const int wrapped = picked_value < 0 ? picked_value + 3 : picked_value;
  const int start = minimum(maximum(wrapped, 0), 2);
  const float shifted_2 = dense_2[row * 3 + start] + params_policy_2_b[start] - max_value;
  const float chosen = wrapped >= 0 && wrapped <= 2 ? shifted_2 - log_sum : NAN;
  const float exponential_1 = expf(chosen - picked_2[index]);
  const float denominator = sqrtf(square_sum[0] / 32.0f) + 1e-8f;
  const float ratio = (picked_3[index] - sum_3[0] / 32.0f) / denominator;
  const float product_1 = exponential_1 * ratio;
  const float max_1 = maximum(0.8f, exponential_1);
  const float clipped = minimum(1.2f, max_1);
  const float product_2 = clipped * ratio;
  const float min = minimum(product_1, product_2);
  const bool is_equal_1 = product_2 == min;
  const bool is_equal_2 = product_1 == min;
  const float product_3 =
      (is_equal_1 ? 1.0f : 0.0f) / (is_equal_2 ? 2.0f : 1.0f) * -0.03125f * ratio;
  const float product_4 =
      product_3 * ((max_1 == clipped ? 1.0f : 0.0f) / (1.2f == clipped ? 2.0f : 1.0f));
  const float product_5 =
      product_4 * ((exponential_1 == max_1 ? 1.0f : 0.0f) / (0.8f == max_1 ? 2.0f : 1.0f));
  const float exponential_2_1 = expf(log_probability_1);
  const float exponential_2_2 = expf(log_probability_2);
  const float exponential_2_3 = expf(log_probability_3);
  const float exponential_2_4 = expf(log_probability_4);

  // epoch
  const float scaled_1_1 = log_probability_1 * 0.0003125f;
  const float scaled_2 = (is_equal_2 ? 1.0f : 0.0f) / (is_equal_1 ? 2.0f : 1.0f) * -0.03125f;
  const float scaled_1_2 = log_probability_2 * 0.0003125f;
  const float scaled_1_3 = log_probability_3 * 0.0003125f;
  const float scaled_1_4 = log_probability_4 * 0.0003125f;

  const float product_6 = fmaf(scaled_2, ratio, product_5) * exponential_1;
  const float sum_1_1 = fmaf(scaled_1_1, exponential_2_1, exponential_2_1 * 0.0003125f);
  const float sum_2 = sum_1_1 + (column == wrapped ? 0.0f + product_6 : 0.0f);
  const float sum_1_2 = fmaf(scaled_1_2, exponential_2_2, exponential_2_2 * 0.0003125f);
  const float negated_1 = -(sum_1_2 + (0 == wrapped ? 0.0f + product_6 : 0.0f));
  const float sum_1_3 = fmaf(scaled_1_3, exponential_2_3, exponential_2_3 * 0.0003125f);
  const float negated_2 = -(sum_1_3 + (1 == wrapped ? 0.0f + product_6 : 0.0f));
  const float sum_1_4 = fmaf(scaled_1_4, exponential_2_4, exponential_2_4 * 0.0003125f);
  const float negated_3 = -(sum_1_4 + (2 == wrapped ? 0.0f + product_6 : 0.0f));
  const float sum_4 = 0.0f + (0.0f + negated_1 + negated_2 + negated_3) / weight_sum_value;

  loss_2_out[element] = fmaf(sum_4, expf(shifted_1), sum_2);
}

}  // namespace loss_2

// minibatch_2: reduce, sqrt, subtract, multiply, add, ... over f32[3].
//
//   in   params_policy_2_b_in     f32[3]
//   in   state_m_policy_2_b_in    f32[3]
//   in   state_v_policy_2_b_in    f32[3]
//   in   loss_2                   f32[32,3]
//   in   power                    f32[]
//   in   power_2                  f32[]
//   out  state_m_policy_2_b_out   f32[3]
//   out  state_v_policy_2_b_out   f32[3]
//   out  params_policy_2_b_out    f32[3]
//
//   sum_1                  = reduce(loss_2, 0), dimensions={0}, to_apply=add
//   state_m_policy_2_b_out = state_m_policy_2_b_in * 0.9 + sum_1 * 0.1
//   state_v_policy_2_b_out = state_v_policy_2_b_in * 0.999 + sum_1 * 0.001 * sum_1
//   denominator            = sqrt(state_v_policy_2_b_out / (1 - power_2)) + 1e-08
//   ratio                  = state_m_policy_2_b_out / (1 - power) / denominator
//   sum_2                  = ratio + params_policy_2_b_in * 0
//   params_policy_2_b_out  = params_policy_2_b_in - sum_2 * 3e-04
//
// One block of 32 threads. Reads 428 B, writes 36 B.
namespace minibatch_2 {

constexpr int kElements = 3;
constexpr int kTerms = 32;
constexpr int kThreads = 32;

static_assert(kElements <= kThreads, "the one block has all elements");

__device__ void run(const float* params_policy_2_b_in, const float* state_m_policy_2_b_in,
                    const float* state_v_policy_2_b_in, const float* loss_2, const float* power,
                    const float* power_2, float* state_m_policy_2_b_out,
                    float* state_v_policy_2_b_out, float* params_policy_2_b_out) {
  const int element = threadIdx.x;
  if (element >= kElements) return;

  // dense
  float sum_1 = 0.0f;
  for (int k = 0; k < kTerms; ++k) sum_1 += loss_2[k * kElements + element];

  // adam
  const float state_m_policy_2_b_next = fmaf(sum_1, 0.1f, state_m_policy_2_b_in[element] * 0.9f);
  const float state_v_policy_2_b_next =
      fmaf(sum_1 * 0.001f, sum_1, state_v_policy_2_b_in[element] * 0.999f);

  // update
  const float params_policy_2_b_value = params_policy_2_b_in[element];
  const float ratio = state_m_policy_2_b_next / (1.0f - power[0]) /
                      (sqrtf(state_v_policy_2_b_next / (1.0f - power_2[0])) + 1e-8f);
  const float sum_2 = fmaf(params_policy_2_b_value, 0.0f, ratio);

  state_m_policy_2_b_out[element] = state_m_policy_2_b_next;
  state_v_policy_2_b_out[element] = state_v_policy_2_b_next;
  params_policy_2_b_out[element] = fmaf(-sum_2, 0.0003f, params_policy_2_b_value);
}

}  // namespace minibatch_2

// mlp_5: dot, subtract, multiply, add over f32[32,16].
//
//   in   params_policy_2_w   f32[16,3]
//   in   loss_2              f32[32,3]
//   in   x_4                 f32[32,16]
//   out  mlp_5_out           f32[32,16]
//
//   dot       = dot(loss_2, params_policy_2_w), einsum=ab,cb->ac
//   product   = dot * (1 - x_4)
//   mlp_5_out = product + product * x_4
//
// 16 blocks of 32 threads. Reads 2.6 kB, writes 2.0 kB.
namespace mlp_5 {

constexpr int kRows = 32;
constexpr int kColumns = 16;
constexpr int kElements = kRows * kColumns;  // 512
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const float* params_policy_2_w, const float* loss_2,
                    const float* x_4, float* mlp_5_out) {
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const float x_4_value = x_4[element];

  // dense
  float dot = 0.0f;
  for (int k = 0; k < 3; ++k) {
    dot = fmaf(loss_2[row * 3 + k], params_policy_2_w[column * 3 + k], dot);
  }

  const float product = dot * (1.0f - x_4_value);

  mlp_5_out[element] = fmaf(product, x_4_value, product);
}

}  // namespace mlp_5

// mlp_7: dot, add, subtract, multiply over f32[32,16].
//
//   in   params_value_2_b   f32[1]
//   in   params_value_2_w   f32[16,1]
//   in   picked_4           f32[4,32]
//   in   dense_3            f32[32,1]
//   in   x_5                f32[32,16]
//   out  mlp_7_out          f32[32,16]
//
//   loss      = dense_3 + params_value_2_b - picked_4[t,:]
//   epoch     = loss * 2 * 0.015625
//   dot       = dot(epoch, params_value_2_w), einsum=ab,cb->ac
//   product   = dot * (1 - x_5)
//   mlp_7_out = product + product * x_5
//
// 16 blocks of 32 threads. Reads 2.4 kB, writes 2.0 kB.
namespace mlp_7 {

constexpr int kRows = 32;
constexpr int kColumns = 16;
constexpr int kElements = kRows * kColumns;  // 512
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const float* params_value_2_b, const float* params_value_2_w,
                    const float* picked_4, const float* dense_3, const float* x_5, float* mlp_7_out,
                    int t) {
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  // loss
  const float loss = dense_3[row] + params_value_2_b[0] - picked_4[t * kRows + row];

  const float x_5_value = x_5[element];

  // dense
  const float params_value_2_w_value = params_value_2_w[column];

  // epoch
  const float epoch = loss * 2.0f * 0.015625f;

  // dense
  float dot = 0.0f;
  dot = fmaf(epoch, params_value_2_w_value, dot);

  const float product = dot * (1.0f - x_5_value);

  mlp_7_out[element] = fmaf(product, x_5_value, product);
}

}  // namespace mlp_7

// minibatch_3: dot, sqrt, subtract, multiply, add, ... over f32[16,3].
//
//   in   params_policy_2_w_in     f32[16,3]
//   in   state_m_policy_2_w_in    f32[16,3]
//   in   state_v_policy_2_w_in    f32[16,3]
//   in   loss_2                   f32[32,3]
//   in   x_4                      f32[32,16]
//   in   power                    f32[]
//   in   power_2                  f32[]
//   out  state_m_policy_2_w_out   f32[16,3]
//   out  state_v_policy_2_w_out   f32[16,3]
//   out  params_policy_2_w_out    f32[16,3]
//
//   dot                    = dot(loss_2, x_4), einsum=ab,ac->bc
//   state_m_policy_2_w_out = state_m_policy_2_w_in * 0.9 + transpose(dot) * 0.1
//   state_v_policy_2_w_out = state_v_policy_2_w_in * 0.999 + transpose(dot) * 0.001 *
//                            transpose(dot)
//   denominator            = sqrt(state_v_policy_2_w_out / (1 - power_2)) + 1e-08
//   ratio                  = state_m_policy_2_w_out / (1 - power) / denominator
//   sum                    = ratio + params_policy_2_w_in * 0
//   params_policy_2_w_out  = params_policy_2_w_in - sum * 3e-04
//
// 2 blocks of 32 threads. Reads 3.0 kB, writes 576 B.
namespace minibatch_3 {

constexpr int kRows = 16;
constexpr int kColumns = 3;
constexpr int kElements = kRows * kColumns;  // 48
constexpr int kTerms = 32;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const float* params_policy_2_w_in,
                    const float* state_m_policy_2_w_in, const float* state_v_policy_2_w_in,
                    const float* loss_2, const float* x_4, const float* power, const float* power_2,
                    float* state_m_policy_2_w_out, float* state_v_policy_2_w_out,
                    float* params_policy_2_w_out) {
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  // dense
  float dot = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    dot = fmaf(loss_2[k * kColumns + column], x_4[k * kRows + row], dot);
  }

  // adam
  const float state_m_policy_2_w_next = fmaf(dot, 0.1f, state_m_policy_2_w_in[element] * 0.9f);
  const float state_v_policy_2_w_next =
      fmaf(dot * 0.001f, dot, state_v_policy_2_w_in[element] * 0.999f);

  // update
  const float params_policy_2_w_value = params_policy_2_w_in[element];
  const float ratio = state_m_policy_2_w_next / (1.0f - power[0]) /
                      (sqrtf(state_v_policy_2_w_next / (1.0f - power_2[0])) + 1e-8f);
  const float sum = fmaf(params_policy_2_w_value, 0.0f, ratio);

  state_m_policy_2_w_out[element] = state_m_policy_2_w_next;
  state_v_policy_2_w_out[element] = state_v_policy_2_w_next;
  params_policy_2_w_out[element] = fmaf(-sum, 0.0003f, params_policy_2_w_value);
}

}  // namespace minibatch_3

// mlp_6: dot, subtract, multiply, add over f32[32,16].
//
//   in   params_1_w   f32[16,16]
//   in   mlp_in       f32[32,16]
//   in   x_in         f32[32,16]
//   out  mlp_out      f32[32,16]
//
//   dot     = dot(mlp_in, params_1_w), einsum=ab,cb->ac
//   product = dot * (1 - x_in)
//   mlp_out = product + product * x_in
//
// 16 vectors times a matrix: 8 outputs a block of 32 threads; K in one step. Reads 5.1 kB, writes
// 2.0 kB.
// Called in 2 places, on different arrays; the names here stand for those of each.
namespace mlp_6 {

constexpr int kVectors = 16;
constexpr int kOutputs = 32;
constexpr int kK = 16;
constexpr int kTileN = 8;                   // outputs of a block
constexpr int kTileK = 16;                  // along k, of a step
constexpr int kStages = 1;                  // steps that have slots: all
constexpr int kSteps = kK / kTileK;         // 1
constexpr int kPanelK = kSteps * kTileK;    // 16
constexpr int kBlocks = kOutputs / kTileN;  // 4
constexpr int kThreads = 32;
constexpr int kChunk = 4;                   // elements of a copy of 16 bytes
constexpr int kLanes = kTileK / kChunk;     // threads that share an output: 4
constexpr int kPlaces = kThreads / kLanes;  // 8
constexpr int kRows = kTileN / kPlaces;     // chunks of a thread and step: 1
constexpr int kSums = kRows;                // of a thread and vector
constexpr int kPiece = 4;                   // elements of a vector that are read at once
constexpr int kGroups = 1;                  // of warps that share outputs

static_assert(kOutputs % kTileN == 0 && kK % kTileK == 0, "steps and blocks are whole");

struct Shared {
  Vector<float, kChunk> chunk[kStages][kRows][kThreads];  // that each thread reads itself
  alignas(16) float x[kVectors][kPanelK];
  float sums[kGroups][kVectors][kTileN];
};

__device__ __forceinline__ void run(int block, const float* params_1_w, const float* mlp_in,
                                    const float* x_in, float* mlp_out) {
  Shared& shared = block_shared<Shared>();
  const int thread = threadIdx.x, place = thread / kLanes, along = thread % kLanes * kChunk;
  const int first_output = block * kTileN;

  // a step's chunks of the matrix, into slots that their own thread reads
  const auto copy_step = [&](int step) {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int output = first_output + (place + r * kPlaces);
      const int k = step * kTileK + along;
      copy_async(&shared.chunk[step % kStages][r][thread], &mlp_in[output * kK + k]);
    }
    commit_copies();
  };
  copy_step(0);

  float sums[kVectors][kSums] = {};

  // dot: the vectors in shared memory
  for (int i = thread; i < kVectors * kPanelK; i += kThreads) {
    const int vector = i / kPanelK;
    const int k_of_panel = i % kPanelK;
    const int k = k_of_panel;
    shared.x[vector][k_of_panel] = params_1_w[vector * kK + k];
  }
  __syncthreads();

  for (int step = 0; step < kSteps; ++step) {
    wait_copies<0>();
    float elements[kRows][kChunk];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const Vector<float, kChunk> chunk = shared.chunk[step % kStages][r][thread];
#pragma unroll
      for (int e = 0; e < kChunk; ++e) {
        const float mlp_in_value = chunk[e];
        elements[r][e] = mlp_in_value;
      }
    }
#pragma unroll
    for (int vector = 0; vector < kVectors; ++vector) {
#pragma unroll
      for (int first = 0; first < kChunk; first += kPiece) {
        const Vector<float, kPiece> piece =
            load_vector<kPiece>(&shared.x[vector][step * kTileK + along + first]);
#pragma unroll
        for (int e = 0; e < kPiece; ++e) {
          const float x_value = piece[e];
#pragma unroll
          for (int r = 0; r < kRows; ++r) {
            sums[vector][r] = fmaf(x_value, elements[r][first + e], sums[vector][r]);
          }
        }
      }
    }
  }

  // what threads of a warp have of the same outputs, added up
#pragma unroll
  for (int vector = 0; vector < kVectors; ++vector) {
#pragma unroll
    for (int i = 0; i < kSums; ++i) {
      const float sum = warp_reduce<kLanes>(sums[vector][i], Add());
      if (thread % kLanes == 0) shared.sums[0][vector][place + i * kPlaces] = sum;
    }
  }
  __syncthreads();

  // results
  for (int i = thread; i < kVectors * kTileN; i += kThreads) {
    const int vector = i / kTileN;
    const int of_tile = i % kTileN;
    const int output = first_output + of_tile;
    const float dot = shared.sums[0][vector][of_tile];
    const int index = output * kVectors + vector;
    const float x_value_value = x_in[index];
    const float product = dot * (1.0f - x_value_value);

    mlp_out[index] = fmaf(product, x_value_value, product);
  }
}

}  // namespace mlp_6

// minibatch_4: dot, reduce, sqrt, multiply, add, ... over f32[16].
//
//   in   params_policy_0_b_in     f32[16]
//   in   params_policy_1_b_in     f32[16]
//   in   params_value_0_b_in      f32[16]
//   in   params_value_1_b_in      f32[16]
//   in   params_value_2_b         f32[1]
//   in   params_value_2_w_in      f32[16,1]
//   in   state_m_policy_0_b_in    f32[16]
//   in   state_m_policy_1_b_in    f32[16]
//   in   state_m_value_0_b_in     f32[16]
//   in   state_m_value_1_b_in     f32[16]
//   in   state_m_value_2_w_in     f32[16,1]
//   in   state_v_policy_0_b_in    f32[16]
//   in   state_v_policy_1_b_in    f32[16]
//   in   state_v_value_0_b_in     f32[16]
//   in   state_v_value_1_b_in     f32[16]
//   in   state_v_value_2_w_in     f32[16,1]
//   in   picked_4                 f32[4,32]
//   in   mlp_6                    f32[32,16]
//   in   power                    f32[]
//   in   power_2                  f32[]
//   in   mlp_5                    f32[32,16]
//   in   mlp_8                    f32[32,16]
//   in   mlp_7                    f32[32,16]
//   in   dense_3                  f32[32,1]
//   in   x_5                      f32[32,16]
//   out  state_m_policy_0_b_out   f32[16]
//   out  state_v_policy_0_b_out   f32[16]
//   out  params_policy_0_b_out    f32[16]
//   out  state_m_policy_1_b_out   f32[16]
//   out  state_v_policy_1_b_out   f32[16]
//   out  params_policy_1_b_out    f32[16]
//   out  state_m_value_0_b_out    f32[16]
//   out  state_v_value_0_b_out    f32[16]
//   out  params_value_0_b_out     f32[16]
//   out  state_m_value_1_b_out    f32[16]
//   out  state_v_value_1_b_out    f32[16]
//   out  params_value_1_b_out     f32[16]
//   out  state_m_value_2_w_out    f32[16,1]
//   out  state_v_value_2_w_out    f32[16,1]
//   out  params_value_2_w_out     f32[16,1]
//
//   state_m_policy_0_b_out = state_m_policy_0_b_in * 0.9 + sum_1_1 * 0.1
//   state_v_policy_0_b_out = state_v_policy_0_b_in * 0.999 + sum_1_1 * 0.001 * sum_1_1
//   params_policy_0_b_out  = params_policy_0_b_in - sum_3 * 3e-04
//   state_m_policy_1_b_out = state_m_policy_1_b_in * 0.9 + sum_1_2 * 0.1
//   state_v_policy_1_b_out = state_v_policy_1_b_in * 0.999 + sum_1_2 * 0.001 * sum_1_2
//   params_policy_1_b_out  = params_policy_1_b_in - sum_4 * 3e-04
//   state_m_value_0_b_out  = state_m_value_0_b_in * 0.9 + sum_2_1 * 0.1
//   state_v_value_0_b_out  = state_v_value_0_b_in * 0.999 + sum_2_1 * 0.001 * sum_2_1
//   params_value_0_b_out   = params_value_0_b_in - sum_5 * 3e-04
//   state_m_value_1_b_out  = state_m_value_1_b_in * 0.9 + sum_2_2 * 0.1
//   state_v_value_1_b_out  = state_v_value_1_b_in * 0.999 + sum_2_2 * 0.001 * sum_2_2
//   params_value_1_b_out   = params_value_1_b_in - sum_6 * 3e-04
//   state_m_value_2_w_out  = state_m_value_2_w_in * 0.9 + dot * 0.1
//   state_v_value_2_w_out  = state_v_value_2_w_in * 0.999 + dot * 0.001 * dot
//   params_value_2_w_out   = params_value_2_w_in - sum_7 * 3e-04
//   Not shown: sum_1_1, sum_3, sum_1_2, sum_4, sum_2_1, sum_5, sum_2_2, sum_6, dot, sum_7.
//
// One block of 32 threads. Reads 11.5 kB, writes 960 B.
namespace minibatch_4 {

constexpr int kElements = 16;
constexpr int kTerms = 32;
constexpr int kThreads = 32;

static_assert(kElements <= kThreads, "the one block has all elements");

__device__ void run(const float* params_policy_0_b_in, const float* params_policy_1_b_in,
                    const float* params_value_0_b_in, const float* params_value_1_b_in,
                    const float* params_value_2_b, const float* params_value_2_w_in,
                    const float* state_m_policy_0_b_in, const float* state_m_policy_1_b_in,
                    const float* state_m_value_0_b_in, const float* state_m_value_1_b_in,
                    const float* state_m_value_2_w_in, const float* state_v_policy_0_b_in,
                    const float* state_v_policy_1_b_in, const float* state_v_value_0_b_in,
                    const float* state_v_value_1_b_in, const float* state_v_value_2_w_in,
                    const float* picked_4, const float* mlp_6, const float* power,
                    const float* power_2, const float* mlp_5, const float* mlp_8,
                    const float* mlp_7, const float* dense_3, const float* x_5,
                    float* state_m_policy_0_b_out, float* state_v_policy_0_b_out,
                    float* params_policy_0_b_out, float* state_m_policy_1_b_out,
                    float* state_v_policy_1_b_out, float* params_policy_1_b_out,
                    float* state_m_value_0_b_out, float* state_v_value_0_b_out,
                    float* params_value_0_b_out, float* state_m_value_1_b_out,
                    float* state_v_value_1_b_out, float* params_value_1_b_out,
                    float* state_m_value_2_w_out, float* state_v_value_2_w_out,
                    float* params_value_2_w_out, int t) {
  const int element = threadIdx.x;
  if (element >= kElements) return;

  // dense
  float sum_1_1 = 0.0f;
  for (int k = 0; k < kTerms; ++k) sum_1_1 += mlp_6[k * kElements + element];
  float sum_1_2 = 0.0f;
  for (int k = 0; k < kTerms; ++k) sum_1_2 += mlp_5[k * kElements + element];
  float sum_2_1 = 0.0f;
  for (int k = 0; k < kTerms; ++k) sum_2_1 += mlp_8[k * kElements + element];
  float sum_2_2 = 0.0f;
  for (int k = 0; k < kTerms; ++k) sum_2_2 += mlp_7[k * kElements + element];
  const float params_value_2_b_value = params_value_2_b[0];
  float dot = 0.0f;
  for (int first_k = 0; first_k < kTerms; first_k += 4) {
    const Vector<float, 4> dense_3_values = load_vector<4>(dense_3 + first_k);
    const Vector<float, 4> picked_4_values = load_vector<4>(picked_4 + (t * kTerms + first_k));
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int k_1 = first_k + i;
      const float difference = dense_3_values[i] + params_value_2_b_value - picked_4_values[i];
      dot = fmaf(difference * 2.0f * 0.015625f, x_5[k_1 * kElements + element], dot);
    }
  }

  // adam
  const float state_m_policy_0_b_next = fmaf(sum_1_1, 0.1f, state_m_policy_0_b_in[element] * 0.9f);
  const float state_m_policy_1_b_next = fmaf(sum_1_2, 0.1f, state_m_policy_1_b_in[element] * 0.9f);
  const float state_m_value_0_b_next = fmaf(sum_2_1, 0.1f, state_m_value_0_b_in[element] * 0.9f);
  const float state_m_value_1_b_next = fmaf(sum_2_2, 0.1f, state_m_value_1_b_in[element] * 0.9f);
  const float state_m_value_2_w_next = fmaf(dot, 0.1f, state_m_value_2_w_in[element] * 0.9f);
  const float state_v_policy_0_b_next =
      fmaf(sum_1_1 * 0.001f, sum_1_1, state_v_policy_0_b_in[element] * 0.999f);
  const float state_v_policy_1_b_next =
      fmaf(sum_1_2 * 0.001f, sum_1_2, state_v_policy_1_b_in[element] * 0.999f);
  const float state_v_value_0_b_next =
      fmaf(sum_2_1 * 0.001f, sum_2_1, state_v_value_0_b_in[element] * 0.999f);
  const float state_v_value_1_b_next =
      fmaf(sum_2_2 * 0.001f, sum_2_2, state_v_value_1_b_in[element] * 0.999f);
  const float state_v_value_2_w_next =
      fmaf(dot * 0.001f, dot, state_v_value_2_w_in[element] * 0.999f);
  const float correct1 = 1.0f - power[0];
  const float correct2 = 1.0f - power_2[0];

  // update
  const float params_policy_0_b_value = params_policy_0_b_in[element];
  const float ratio_1 =
      state_m_policy_0_b_next / correct1 / (sqrtf(state_v_policy_0_b_next / correct2) + 1e-8f);
  const float sum_3 = fmaf(params_policy_0_b_value, 0.0f, ratio_1);
  const float params_policy_1_b_value = params_policy_1_b_in[element];
  const float ratio_2 =
      state_m_policy_1_b_next / correct1 / (sqrtf(state_v_policy_1_b_next / correct2) + 1e-8f);
  const float sum_4 = fmaf(params_policy_1_b_value, 0.0f, ratio_2);
  const float params_value_0_b_value = params_value_0_b_in[element];
  const float ratio_3 =
      state_m_value_0_b_next / correct1 / (sqrtf(state_v_value_0_b_next / correct2) + 1e-8f);
  const float sum_5 = fmaf(params_value_0_b_value, 0.0f, ratio_3);
  const float params_value_1_b_value = params_value_1_b_in[element];
  const float ratio_4 =
      state_m_value_1_b_next / correct1 / (sqrtf(state_v_value_1_b_next / correct2) + 1e-8f);
  const float sum_6 = fmaf(params_value_1_b_value, 0.0f, ratio_4);
  const float params_value_2_w_value = params_value_2_w_in[element];
  const float ratio_5 =
      state_m_value_2_w_next / correct1 / (sqrtf(state_v_value_2_w_next / correct2) + 1e-8f);
  const float sum_7 = fmaf(params_value_2_w_value, 0.0f, ratio_5);

  state_m_policy_0_b_out[element] = state_m_policy_0_b_next;
  state_v_policy_0_b_out[element] = state_v_policy_0_b_next;
  params_policy_0_b_out[element] = fmaf(-sum_3, 0.0003f, params_policy_0_b_value);
  state_m_policy_1_b_out[element] = state_m_policy_1_b_next;
  state_v_policy_1_b_out[element] = state_v_policy_1_b_next;
  params_policy_1_b_out[element] = fmaf(-sum_4, 0.0003f, params_policy_1_b_value);
  state_m_value_0_b_out[element] = state_m_value_0_b_next;
  state_v_value_0_b_out[element] = state_v_value_0_b_next;
  params_value_0_b_out[element] = fmaf(-sum_5, 0.0003f, params_value_0_b_value);
  state_m_value_1_b_out[element] = state_m_value_1_b_next;
  state_v_value_1_b_out[element] = state_v_value_1_b_next;
  params_value_1_b_out[element] = fmaf(-sum_6, 0.0003f, params_value_1_b_value);
  state_m_value_2_w_out[element] = state_m_value_2_w_next;
  state_v_value_2_w_out[element] = state_v_value_2_w_next;
  params_value_2_w_out[element] = fmaf(-sum_7, 0.0003f, params_value_2_w_value);
}

}  // namespace minibatch_4

// minibatch_5: dot, sqrt, subtract, multiply, add, ... over f32[6,16].
//
//   in   params_policy_0_w_in     f32[6,16]
//   in   params_value_0_w_in      f32[6,16]
//   in   state_m_policy_0_w_in    f32[6,16]
//   in   state_m_value_0_w_in     f32[6,16]
//   in   state_v_policy_0_w_in    f32[6,16]
//   in   state_v_value_0_w_in     f32[6,16]
//   in   rows                     f32[4,32,6]
//   in   mlp_6                    f32[32,16]
//   in   power                    f32[]
//   in   power_2                  f32[]
//   in   mlp_8                    f32[32,16]
//   out  state_m_policy_0_w_out   f32[6,16]
//   out  state_v_policy_0_w_out   f32[6,16]
//   out  params_policy_0_w_out    f32[6,16]
//   out  state_m_value_0_w_out    f32[6,16]
//   out  state_v_value_0_w_out    f32[6,16]
//   out  params_value_0_w_out     f32[6,16]
//
//   dot_1                  = dot(rows[t,:,:], mlp_6), einsum=ab,ac->bc
//   state_m_policy_0_w_out = state_m_policy_0_w_in * 0.9 + dot_1 * 0.1
//   v_term_1               = state_v_policy_0_w_in * 0.999
//   state_v_policy_0_w_out = v_term_1 + dot_1 * 0.001 * dot_1
//   denominator            = sqrt(state_v_policy_0_w_out / correct2) + 1e-08
//   ratio_1                = state_m_policy_0_w_out / correct1 / denominator
//   sum_1                  = ratio_1 + params_policy_0_w_in * 0
//   params_policy_0_w_out  = params_policy_0_w_in - sum_1 * 3e-04
//   dot_2                  = dot(rows[t,:,:], mlp_8), einsum=ab,ac->bc
//   state_m_value_0_w_out  = state_m_value_0_w_in * 0.9 + dot_2 * 0.1
//   v_term_2               = state_v_value_0_w_in * 0.999
//   state_v_value_0_w_out  = v_term_2 + dot_2 * 0.001 * dot_2
//   denominator_1          = sqrt(state_v_value_0_w_out / correct2) + 1e-08
//   ratio_2                = state_m_value_0_w_out / correct1 / denominator_1
//   sum_2                  = ratio_2 + params_value_0_w_in * 0
//   params_value_0_w_out   = params_value_0_w_in - sum_2 * 3e-04
//   Not shown: correct1, correct2.
//
// One block of 32 threads. Reads 7.9 kB, writes 2.3 kB.
namespace minibatch_5 {

constexpr int kRows = 6;
constexpr int kColumns = 16;
constexpr int kElements = kRows * kColumns;  // 96
constexpr int kTerms = 32;
constexpr int kWidth = 4;  // elements a thread

__device__ void run(const float* params_policy_0_w_in, const float* params_value_0_w_in,
                    const float* state_m_policy_0_w_in, const float* state_m_value_0_w_in,
                    const float* state_v_policy_0_w_in, const float* state_v_value_0_w_in,
                    const float* rows, const float* mlp_6, const float* power, const float* power_2,
                    const float* mlp_8, float* state_m_policy_0_w_out,
                    float* state_v_policy_0_w_out, float* params_policy_0_w_out,
                    float* state_m_value_0_w_out, float* state_v_value_0_w_out,
                    float* params_value_0_w_out, int t) {
  const int element = threadIdx.x * kWidth;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  // dense
  float dot_1_1[kWidth] = {};
  for (int k = 0; k < kTerms; ++k) {
    const float rows_value_1 = rows[(t * kTerms + k) * kRows + row];
    const Vector<float, kWidth> mlp_6_values = load_vector<kWidth>(mlp_6 + (k * kColumns + column));
#pragma unroll
    for (int n = 0; n < kWidth; ++n) dot_1_1[n] = fmaf(rows_value_1, mlp_6_values[n], dot_1_1[n]);
  }
  float dot_2_1[kWidth] = {};
  for (int k = 0; k < kTerms; ++k) {
    const float rows_value_2 = rows[(t * kTerms + k) * kRows + row];
    const Vector<float, kWidth> mlp_8_values = load_vector<kWidth>(mlp_8 + (k * kColumns + column));
#pragma unroll
    for (int n = 0; n < kWidth; ++n) dot_2_1[n] = fmaf(rows_value_2, mlp_8_values[n], dot_2_1[n]);
  }

  // adam
  const float correct1 = 1.0f - power[0];
  const float correct2 = 1.0f - power_2[0];
  const Vector<float, kWidth> state_m_policy_0_w_in_values =
      load_vector<kWidth>(state_m_policy_0_w_in + element);
  const Vector<float, kWidth> state_v_policy_0_w_in_values =
      load_vector<kWidth>(state_v_policy_0_w_in + element);
  const Vector<float, kWidth> params_policy_0_w_in_values =
      load_vector<kWidth>(params_policy_0_w_in + element);
  const Vector<float, kWidth> state_m_value_0_w_in_values =
      load_vector<kWidth>(state_m_value_0_w_in + element);
  const Vector<float, kWidth> state_v_value_0_w_in_values =
      load_vector<kWidth>(state_v_value_0_w_in + element);
  const Vector<float, kWidth> params_value_0_w_in_values =
      load_vector<kWidth>(params_value_0_w_in + element);
  Vector<float, kWidth> state_m_policy_0_w_out_values;
  Vector<float, kWidth> state_v_policy_0_w_out_values;
  Vector<float, kWidth> params_policy_0_w_out_values;
  Vector<float, kWidth> state_m_value_0_w_out_values;
  Vector<float, kWidth> state_v_value_0_w_out_values;
  Vector<float, kWidth> params_value_0_w_out_values;
#pragma unroll
  for (int n = 0; n < kWidth; ++n) {
    // dense
    const float dot_1_2 = dot_1_1[n];
    const float dot_2_2 = dot_2_1[n];

    // adam
    const float state_m_policy_0_w_next =
        fmaf(dot_1_2, 0.1f, state_m_policy_0_w_in_values[n] * 0.9f);
    const float state_m_value_0_w_next = fmaf(dot_2_2, 0.1f, state_m_value_0_w_in_values[n] * 0.9f);
    const float v_term_1 = state_v_policy_0_w_in_values[n] * 0.999f;
    const float state_v_policy_0_w_next = fmaf(dot_1_2 * 0.001f, dot_1_2, v_term_1);
    const float v_term_2 = state_v_value_0_w_in_values[n] * 0.999f;
    const float state_v_value_0_w_next = fmaf(dot_2_2 * 0.001f, dot_2_2, v_term_2);

    // update
    const float params_policy_0_w_value = params_policy_0_w_in_values[n];
    const float ratio_1 =
        state_m_policy_0_w_next / correct1 / (sqrtf(state_v_policy_0_w_next / correct2) + 1e-8f);
    const float sum_1 = fmaf(params_policy_0_w_value, 0.0f, ratio_1);
    const float params_value_0_w_value = params_value_0_w_in_values[n];
    const float ratio_2 =
        state_m_value_0_w_next / correct1 / (sqrtf(state_v_value_0_w_next / correct2) + 1e-8f);
    const float sum_2 = fmaf(params_value_0_w_value, 0.0f, ratio_2);
    state_m_policy_0_w_out_values[n] = state_m_policy_0_w_next;
    state_v_policy_0_w_out_values[n] = state_v_policy_0_w_next;
    params_policy_0_w_out_values[n] = fmaf(-sum_1, 0.0003f, params_policy_0_w_value);
    state_m_value_0_w_out_values[n] = state_m_value_0_w_next;
    state_v_value_0_w_out_values[n] = state_v_value_0_w_next;
    params_value_0_w_out_values[n] = fmaf(-sum_2, 0.0003f, params_value_0_w_value);
  }
  store_vector(state_m_policy_0_w_out + element, state_m_policy_0_w_out_values);
  store_vector(state_v_policy_0_w_out + element, state_v_policy_0_w_out_values);
  store_vector(params_policy_0_w_out + element, params_policy_0_w_out_values);
  store_vector(state_m_value_0_w_out + element, state_m_value_0_w_out_values);
  store_vector(state_v_value_0_w_out + element, state_v_value_0_w_out_values);
  store_vector(params_value_0_w_out + element, params_value_0_w_out_values);
}

}  // namespace minibatch_5

// minibatch: dot, sqrt, subtract, multiply, add, ... over f32[16,16].
//
//   in   params_1_w_in     f32[16,16]
//   in   state_m_1_w_in    f32[16,16]
//   in   state_v_1_w_in    f32[16,16]
//   in   x                 f32[32,16]
//   in   mlp               f32[32,16]
//   in   power             f32[]
//   in   power_2           f32[]
//   out  state_m_1_w_out   f32[16,16]
//   out  state_v_1_w_out   f32[16,16]
//   out  params_1_w_out    f32[16,16]
//
//   dot             = dot(x, mlp), einsum=ab,ac->bc
//   state_m_1_w_out = state_m_1_w_in * 0.9 + dot * 0.1
//   state_v_1_w_out = state_v_1_w_in * 0.999 + dot * 0.001 * dot
//   denominator     = sqrt(state_v_1_w_out / (1 - power_2)) + 1e-08
//   ratio           = state_m_1_w_out / (1 - power) / denominator
//   params_1_w_out  = params_1_w_in - (ratio + params_1_w_in * 0) * 3e-04
//
// 8 blocks of 32 threads. Reads 7.2 kB, writes 3.1 kB.
// Called in 2 places, on different arrays; the names here stand for those of each.
namespace minibatch {

constexpr int kRows = 16;
constexpr int kColumns = 16;
constexpr int kElements = kRows * kColumns;  // 256
constexpr int kTerms = 32;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ __forceinline__ void run(int block, const float* params_1_w_in,
                                    const float* state_m_1_w_in, const float* state_v_1_w_in,
                                    const float* x, const float* mlp, const float* power,
                                    const float* power_2, float* state_m_1_w_out,
                                    float* state_v_1_w_out, float* params_1_w_out) {
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const float params_1_w_value = params_1_w_in[element];

  // dense
  float dot = 0.0f;
  for (int k = 0; k < kTerms; ++k) dot = fmaf(x[k * kRows + row], mlp[k * kColumns + column], dot);

  // adam
  const float state_m_1_w_next = fmaf(dot, 0.1f, state_m_1_w_in[element] * 0.9f);
  const float state_v_1_w_next = fmaf(dot * 0.001f, dot, state_v_1_w_in[element] * 0.999f);

  // update
  const float ratio = state_m_1_w_next / (1.0f - power[0]) /
                      (sqrtf(state_v_1_w_next / (1.0f - power_2[0])) + 1e-8f);

  state_m_1_w_out[element] = state_m_1_w_next;
  state_v_1_w_out[element] = state_v_1_w_next;
  params_1_w_out[element] = fmaf(-fmaf(params_1_w_value, 0.0f, ratio), 0.0003f, params_1_w_value);
}

}  // namespace minibatch

// updated: dynamic-update-slice over f32[1,4].
//
//   in   difference   f32[4]
//   out  result       f32[2,4]
//
//   result[t,:] = difference
//
// One block of 32 threads. Reads 16 B, writes 16 B.
namespace updated {

constexpr int kElements = 4;
constexpr int kThreads = 32;

static_assert(kElements <= kThreads, "the one block has all elements");

__device__ void run(const float* difference, float* result, int t) {
  const int element = threadIdx.x;
  if (element >= kElements) return;

  result[t * kElements + element] = difference[element];
}

}  // namespace updated

constexpr int kThreads = 32;
constexpr int kSteps = 2;   // while.136; its last step writes params_policy_0_b, params_policy_0_w and 35 others
constexpr int kSteps2 = 4;  // while.48; its last step writes params_value_2_b_next, state_m_value_2_b_next and 2 others

// What steps write, and what they may read in its place, has no __restrict__: other blocks write it
// while this one runs.
__global__ void __launch_bounds__(kThreads, 1)
steps(const __grid_constant__ StepsArrays arrays) {
  GridBarrier barrier(arrays.barrier_counts);
  const StepsArrays::State* state_current = &arrays.state_in;
  const StepsArrays::State2* state2_current = &arrays.state2_in;
  const StepsArrays::State* state_next = &arrays.state_2;
  const StepsArrays::State* state_spare = &arrays.state_out;
  const StepsArrays::State2* state2_next = &arrays.state2_3;
  const StepsArrays::State2* state2_spare = &arrays.state2_out;

  // while.136; its last step writes params_policy_0_b, params_policy_0_w and 35 others
  for (int t = 0; t < kSteps; ++t) {
    if (blockIdx.x == 0) epoch::run(arrays.threefry_split, arrays.sorted, t);
    barrier.wait_for_all();  // until sorted is stored
    for (int block = blockIdx.x; block < epoch_2::kBlocks; block += gridDim.x) {
      epoch_2::run(block, arrays.sorted, arrays.observations_2, arrays.rows);
    }
    if (blockIdx.x == 0) {
      epoch_3::run(arrays.sorted, arrays.taken_2, arrays.log_probs_2, arrays.sum, arrays.sum_2,
                   arrays.picked, arrays.picked_2, arrays.picked_3, arrays.picked_4);
    }
    const StepsArrays::State* state_current_2 = state_current;
    const StepsArrays::State2* state2_current_2 = state2_current;
    const StepsArrays::State2* state2_next_2 = &arrays.state2_2;
    const StepsArrays::State2* state2_spare_2 = state2_next;

    // while.48; its last step writes params_value_2_b_next, state_m_value_2_b_next and 2 others
    for (int t_1 = 0; t_1 < kSteps2; ++t_1) {
      // Until rows is stored, and no block reads x_2 or x_3 any more.
      barrier.wait_for_all();
      for (int block = blockIdx.x; block < mlp_2::kBlocks; block += gridDim.x) {
        mlp_2::run(block, state_current_2->params_policy_0_b, state_current_2->params_policy_0_w,
                   state_current_2->params_value_0_b, state_current_2->params_value_0_w,
                   arrays.rows, arrays.x_2, arrays.x_3, t_1);
      }
      barrier.wait_for_all();  // until x_2 and x_3 are stored
      for (int block = blockIdx.x; block < mlp_3::kBlocks; block += gridDim.x) {
        mlp_3::run(block, state_current_2->params_policy_1_b, state_current_2->params_policy_1_w,
                   arrays.x_2, arrays.x_4);
        __syncthreads();
      }
      for (int block = blockIdx.x; block < mlp_3::kBlocks; block += gridDim.x) {
        mlp_3::run(block, state_current_2->params_value_1_b, state_current_2->params_value_1_w,
                   arrays.x_3, arrays.x_5);
        __syncthreads();
      }
      // One block goes on when x_4 and x_5 are stored.
      if (barrier.arrives_last()) {
        for (int block = 0; block < dense_2::kBlocks; ++block) {
          dense_2::run(block, state_current_2->params_policy_2_w, arrays.x_4, arrays.dense_2);
        }
        dense_3::run(state_current_2->params_value_2_w, arrays.x_5, arrays.dense_3);
        __syncthreads();  // until dense_2 and dense_3 are stored
        loss::run(state_current_2->params_policy_2_b, state2_current_2->params_value_2_b,
                  state2_current_2->state_m_value_2_b, state2_current_2->state_step,
                  state2_current_2->state_v_value_2_b, arrays.picked, arrays.picked_2,
                  arrays.picked_3, arrays.picked_4, arrays.dense_2, arrays.dense_3, arrays.max,
                  arrays.weight_sum, arrays.sum_3, arrays.square_sum, state2_next_2->state_step,
                  arrays.power, arrays.power_2, state2_next_2->state_m_value_2_b,
                  state2_next_2->state_v_value_2_b, state2_next_2->params_value_2_b,
                  arrays.difference, t_1);
        __syncthreads();  // until max, weight_sum and 2 others are stored
        for (int block = 0; block < loss_2::kBlocks; ++block) {
          loss_2::run(block, state_current_2->params_policy_2_b, arrays.picked, arrays.picked_2,
                      arrays.picked_3, arrays.dense_2, arrays.max, arrays.weight_sum, arrays.sum_3,
                      arrays.square_sum, arrays.loss_2, t_1);
        }
        // Until loss_2 is stored, and no thread reads state_next->params_policy_2_b any more.
        __syncthreads();
        minibatch_2::run(state_current_2->params_policy_2_b, state_current_2->state_m_policy_2_b,
                         state_current_2->state_v_policy_2_b, arrays.loss_2, arrays.power,
                         arrays.power_2, state_next->state_m_policy_2_b,
                         state_next->state_v_policy_2_b, state_next->params_policy_2_b);
      }
      barrier.wait_for_last();
      for (int block = blockIdx.x; block < mlp_5::kBlocks; block += gridDim.x) {
        mlp_5::run(block, state_current_2->params_policy_2_w, arrays.loss_2, arrays.x_4,
                   arrays.mlp_5);
      }
      for (int block = blockIdx.x; block < mlp_7::kBlocks; block += gridDim.x) {
        mlp_7::run(block, state2_current_2->params_value_2_b, state_current_2->params_value_2_w,
                   arrays.picked_4, arrays.dense_3, arrays.x_5, arrays.mlp_7, t_1);
      }
      // One block goes on when no block reads state_next->params_policy_2_w any more.
      if (barrier.arrives_last()) {
        for (int block = 0; block < minibatch_3::kBlocks; ++block) {
          minibatch_3::run(block, state_current_2->params_policy_2_w,
                           state_current_2->state_m_policy_2_w, state_current_2->state_v_policy_2_w,
                           arrays.loss_2, arrays.x_4, arrays.power, arrays.power_2,
                           state_next->state_m_policy_2_w, state_next->state_v_policy_2_w,
                           state_next->params_policy_2_w);
        }
      }
      barrier.wait_for_last();
      for (int block = blockIdx.x; block < mlp_6::kBlocks; block += gridDim.x) {
        mlp_6::run(block, state_current_2->params_policy_1_w, arrays.mlp_5, arrays.x_2,
                   arrays.mlp_6);
        __syncthreads();
      }
      for (int block = blockIdx.x; block < mlp_6::kBlocks; block += gridDim.x) {
        mlp_6::run(block, state_current_2->params_value_1_w, arrays.mlp_7, arrays.x_3,
                   arrays.mlp_8);
        __syncthreads();
      }
      // One block goes on when mlp_6 and mlp_8 are stored.
      if (barrier.arrives_last()) {
        minibatch_4::run(state_current_2->params_policy_0_b, state_current_2->params_policy_1_b,
                         state_current_2->params_value_0_b, state_current_2->params_value_1_b,
                         state2_current_2->params_value_2_b, state_current_2->params_value_2_w,
                         state_current_2->state_m_policy_0_b, state_current_2->state_m_policy_1_b,
                         state_current_2->state_m_value_0_b, state_current_2->state_m_value_1_b,
                         state_current_2->state_m_value_2_w, state_current_2->state_v_policy_0_b,
                         state_current_2->state_v_policy_1_b, state_current_2->state_v_value_0_b,
                         state_current_2->state_v_value_1_b, state_current_2->state_v_value_2_w,
                         arrays.picked_4, arrays.mlp_6, arrays.power, arrays.power_2, arrays.mlp_5,
                         arrays.mlp_8, arrays.mlp_7, arrays.dense_3, arrays.x_5,
                         state_next->state_m_policy_0_b, state_next->state_v_policy_0_b,
                         state_next->params_policy_0_b, state_next->state_m_policy_1_b,
                         state_next->state_v_policy_1_b, state_next->params_policy_1_b,
                         state_next->state_m_value_0_b, state_next->state_v_value_0_b,
                         state_next->params_value_0_b, state_next->state_m_value_1_b,
                         state_next->state_v_value_1_b, state_next->params_value_1_b,
                         state_next->state_m_value_2_w, state_next->state_v_value_2_w,
                         state_next->params_value_2_w, t_1);
        minibatch_5::run(state_current_2->params_policy_0_w, state_current_2->params_value_0_w,
                         state_current_2->state_m_policy_0_w, state_current_2->state_m_value_0_w,
                         state_current_2->state_v_policy_0_w, state_current_2->state_v_value_0_w,
                         arrays.rows, arrays.mlp_6, arrays.power, arrays.power_2, arrays.mlp_8,
                         state_next->state_m_policy_0_w, state_next->state_v_policy_0_w,
                         state_next->params_policy_0_w, state_next->state_m_value_0_w,
                         state_next->state_v_value_0_w, state_next->params_value_0_w, t_1);
      }
      barrier.wait_for_last();
      for (int block = blockIdx.x; block < minibatch::kBlocks; block += gridDim.x) {
        minibatch::run(block, state_current_2->params_policy_1_w,
                       state_current_2->state_m_policy_1_w, state_current_2->state_v_policy_1_w,
                       arrays.x_2, arrays.mlp_5, arrays.power, arrays.power_2,
                       state_next->state_m_policy_1_w, state_next->state_v_policy_1_w,
                       state_next->params_policy_1_w);
      }
      for (int block = blockIdx.x; block < minibatch::kBlocks; block += gridDim.x) {
        minibatch::run(block, state_current_2->params_value_1_w, state_current_2->state_m_value_1_w,
                       state_current_2->state_v_value_1_w, arrays.x_3, arrays.mlp_7, arrays.power,
                       arrays.power_2, state_next->state_m_value_1_w, state_next->state_v_value_1_w,
                       state_next->params_value_1_w);
      }
      state_current_2 = state_next;
      state2_current_2 = state2_next_2;
      swap_pointers(state2_next_2, state2_spare_2);
    }
    if (blockIdx.x == 0) updated::run(arrays.difference, arrays.result, t);
    state_current = state_next;
    state2_current = state2_next;
    swap_pointers(state_next, state_spare);
    swap_pointers(state2_next, state2_spare);
  }
}

}  // namespace

cudaError_t
enqueue(const StepsArrays& arrays, cudaStream_t stream) {
  return launch_resident(steps, {.grid = epoch_2::kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace ppo_update_kernels::steps
