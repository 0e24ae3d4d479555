// steps: the steps of while, in one launch.
//
//   sums        1 block    scatter over f32[8,3]
//   count       1 block    reduce, compare, select over f32[8]
//   nearest_2   2 blocks   reduce, maximum, divide, subtract, multiply, ... over s32[400]
//   any         1 block    reduce, add, compare, and over s32[]
//
// At most 2 blocks of 256 threads, all of them on the device at the same time: each does a part's
// blocks in turn, and waits for the others where a step needs what they have stored. What comes out
// does not depend on how many there are.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/grid_barrier.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"
#include "device/wrapping.cuh"

namespace kmeans_kernels::steps {
namespace {

// sums: scatter over f32[8,3].
//
//   in   cluster    s32[400]
//   in   x          f32[400,3]
//   out  sums_out   f32[8,3]
//
//   sums_out = scatter(0, cluster, x), to_apply=add
//
// One block of 256 threads. Reads 6.4 kB, writes 96 B.
namespace sums {

constexpr int kRows = 8;
constexpr int kColumns = 3;
constexpr int kElements = kRows * kColumns;  // 24
constexpr int kTerms = 400;
constexpr int kThreads = 256;

static_assert(kElements <= kThreads, "the one block has all elements");

__device__ void run(const int* cluster, const float* __restrict__ x, float* sums_out) {
  const int element = threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float sums = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    const int cluster_value = cluster[k];
    if (cluster_value == row) sums += x[k * kColumns + column];
  }

  sums_out[element] = sums;
}

}  // namespace sums

// count: reduce, compare, select over f32[8].
//
//   in   cluster     s32[400]
//   out  count_out   f32[8]
//
//   count_out = reduce(select(iota({0}) == cluster, 1, 0), 0), dimensions={1}, to_apply=add
//
// A row a warp, 8 rows a block of 256 threads. Reads 1.6 kB, writes 32 B.
namespace count {

constexpr int kRows = 8;
constexpr int kColumns = 400;
constexpr int kThreads = 256;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kWidth = 2;  // neighbours, in one access

static_assert(kColumns % kWidth == 0, "a row is made of whole groups of neighbours");
static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__device__ void run(int block, const int* cluster, float* count_out) {
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // count
  float count = 0.0f;
  for (int first_column = lane * kWidth; first_column < kColumns; first_column += kWarp * kWidth) {
    const Vector<int, kWidth> cluster_vector = load_vector<kWidth>(cluster + first_column);
#pragma unroll
    for (int i = 0; i < kWidth; ++i) count += row == cluster_vector[i] ? 1.0f : 0.0f;
  }
  count = warp_reduce(count, Add());

  if (lane == 0) count_out[row] = count;
}

}  // namespace count

// nearest_2: reduce, maximum, divide, subtract, multiply, ... over s32[400].
//
//   in   centres_in    f32[8,3]
//   in   x             f32[400,3]
//   in   count         f32[8]
//   in   sums          f32[8,3]
//   out  centres_out   f32[8,3]
//   out  cluster_out   s32[400]
//
//   moved_1     = count > 0
//   moved_2     = maximum(count, 1)
//   moved_4     = sums / broadcast(moved_2)
//   centres_out = select(broadcast(moved_1), moved_4, centres_in)
//   far_1       = broadcast(x) - broadcast(centres_out)
//   far_2       = reduce(far_1 * far_1, 0), dimensions={2}, to_apply=add
//   cluster_out = reduce(far_2, iota({1}), inf, 0), dimensions={1}, to_apply=j
//
// 2 blocks of 256 threads. Reads 5.0 kB, writes 1.7 kB.
namespace nearest_2 {

constexpr int kElements = 400;
constexpr int kTerms = 8;
constexpr int kThreads = 256;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const float* centres_in, const float* __restrict__ x,
                    const float* count, const float* sums, float* centres_out, int* cluster_out) {
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float x_value_1 = x[element * 3];
  const float x_value_2 = x[element * 3 + 1];
  const float x_value_3 = x[element * 3 + 2];
  float j = INFINITY;
  int cluster = 0;
  for (int k = 0; k < kTerms; ++k) {
    const float count_value_1 = count[k];
    const bool moved_1 = count_value_1 > 0.0f;
    const float moved_2 = maximum(count_value_1, 1.0f);
    const float moved_3_1 = moved_1 ? sums[k * 3 + 1] / moved_2 : centres_in[k * 3 + 1];
    const float moved_3_2 = moved_1 ? sums[k * 3 + 2] / moved_2 : centres_in[k * 3 + 2];

    const float far_1_1 = x_value_1 - (moved_1 ? sums[k * 3] / moved_2 : centres_in[k * 3]);
    const float far_1_2 = x_value_2 - moved_3_1;
    const float far_1_3 = x_value_3 - moved_3_2;
    const float far_2 = far_1_1 * far_1_1 + far_1_2 * far_1_2 + far_1_3 * far_1_3;
    const bool either = j <= far_2 || isnan(j);
    const float next_1 = either ? j : far_2;
    const int next_2 = either ? cluster : k;
    j = next_1;
    cluster = next_2;
  }

  cluster_out[element] = cluster;
  if (element < 24) {
    const float count_value_2 = count[element / 3];
    const float moved_4 = sums[element] / maximum(count_value_2, 1.0f);
    centres_out[element] = count_value_2 > 0.0f ? moved_4 : centres_in[element];
  }
}

}  // namespace nearest_2

// any: reduce, add, compare, and over s32[].
//
//   in   steps_in    s32[]
//   in   cluster     s32[400]
//   in   cluster_1   s32[400]
//   out  steps_out   s32[]
//   out  more        pred[]
//
//   steps_out = steps_in + 1
//   any       = reduce(cluster_1 != cluster, false), dimensions={0}, to_apply=or
//   more      = steps_out < 50 and any
//
// One block of 256 threads. Reads 3.2 kB, writes 5 B.
namespace any {

constexpr int kColumns = 400;
constexpr int kThreads = 256;
constexpr int kWidth = 2;  // neighbours, in one access

static_assert(kColumns % kWidth == 0, "a row is made of whole groups of neighbours");

__device__ void run(const int* steps_in, const int* cluster, const int* cluster_1, int* steps_out,
                    bool* more) {
  const int steps_value = steps_in[0];

  // any
  bool any = false;
  for (int first_column = threadIdx.x * kWidth;
       first_column < kColumns;
       first_column += kThreads * kWidth) {
    const Vector<int, kWidth> cluster_1_vector = load_vector<kWidth>(cluster_1 + first_column);
    const Vector<int, kWidth> cluster_vector = load_vector<kWidth>(cluster + first_column);
#pragma unroll
    for (int i = 0; i < kWidth; ++i) any |= cluster_1_vector[i] != cluster_vector[i];
  }
  any = block_reduce<kThreads>(any, Or());
  const int steps_next = wrapping_add(steps_value, 1);

  if (threadIdx.x == 0) {
    steps_out[0] = steps_next;
    more[0] = steps_next < 50 && any;
  }
}

}  // namespace any

constexpr int kThreads = 256;

// What steps write, and what they may read in its place, has no __restrict__: other blocks write it
// while this one runs.
__global__ void __launch_bounds__(kThreads, 1)
steps(const int* steps_start,
      const float* start,
      const bool* more_start,
      const float* __restrict__ x,
      int* steps_2,
      float* centres,
      float* centres_2,
      bool* both,
      int* cluster,
      int* j,
      float* sums,
      float* count,
      uint32_t* barrier_counts) {
  GridBarrier barrier(barrier_counts);
  const int* steps_current = steps_start;
  const float* centres_current = start;
  const bool* more_current = more_start;
  float* centres_next = centres;
  float* centres_spare = centres_2;
  int* cluster_next = cluster;
  int* cluster_current = j;

  // while
  while (*more_current) {
    if (blockIdx.x == 0) sums::run(cluster_current, x, sums);
    if (blockIdx.x == gridDim.x - 1) count::run(0, cluster_current, count);
    // One block goes on when count and sums are stored, and no block reads cluster_next or both any
    // more.
    if (barrier.arrives_last()) {
      for (int block = 0; block < nearest_2::kBlocks; ++block) {
        nearest_2::run(block, centres_current, x, count, sums, centres_next, cluster_next);
      }
      __syncthreads();  // until cluster_next and cluster_current are stored
      any::run(steps_current, cluster_next, cluster_current, steps_2, both);
    }
    barrier.wait_for_last();
    steps_current = steps_2;
    centres_current = centres_next;
    more_current = both;
    swap_pointers(centres_next, centres_spare);
    swap_pointers(cluster_next, cluster_current);
  }

  // The loop may end in either place.
  if (steps_current != steps_2) copy_elements(steps_current, steps_2, 1);
  if (centres_current != centres) copy_elements(centres_current, centres, 24);
  if (cluster_current != cluster) copy_elements(cluster_current, cluster, 400);
}

}  // namespace

cudaError_t
enqueue(const int* steps_start, const float* start, const bool* more_start, const float* x,
        int* steps_2, float* centres, float* centres_2, bool* both, int* cluster, int* j,
        float* sums, float* count, uint32_t* barrier_counts, cudaStream_t stream) {
  return launch_resident(steps, {.grid = nearest_2::kBlocks, .block = kThreads}, stream,
                         steps_start, start, more_start, x, steps_2, centres, centres_2, both,
                         cluster, j, sums, count, barrier_counts);
}

}  // namespace kmeans_kernels::steps
