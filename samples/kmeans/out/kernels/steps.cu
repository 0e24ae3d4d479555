// steps: the steps of while.7, in one launch.
//
//   update           1 block    reduce, compare, select over f32[8]
//   update_2         1 block    scatter over f32[8,3]
//   nearest_2        2 blocks   reduce, maximum, divide, subtract, multiply, ... over s32[400]
//   goes_on_kernel   1 block    reduce, add, compare, and over s32[]
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

// update: reduce, compare, select over f32[8].
//
//   in   assignment   s32[400]
//   out  count_out    f32[8]
//
//   count_out = reduce(select(iota({0}) == assignment, 1, 0), 0), dimensions={1}, to_apply=add
//
// A row a warp, 8 rows a block of 256 threads. Reads 1.6 kB, writes 32 B.
namespace update {

constexpr int kRows = 8;
constexpr int kColumns = 400;
constexpr int kThreads = 256;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kWidth = 2;  // neighbours, in one access

static_assert(kColumns % kWidth == 0, "a row is made of whole groups of neighbours");
static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__device__ void run(int block, const int* assignment, float* count_out) {
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // count
  float count = 0.0f;
  for (int first_column = lane * kWidth; first_column < kColumns; first_column += kWarp * kWidth) {
    const Vector<int, kWidth> assignment_vector = load_vector<kWidth>(assignment + first_column);
#pragma unroll
    for (int i = 0; i < kWidth; ++i) count += row == assignment_vector[i] ? 1.0f : 0.0f;
  }
  count = warp_reduce(count, Add());

  if (lane == 0) count_out[row] = count;
}

}  // namespace update

// update_2: scatter over f32[8,3].
//
//   in   assignment   s32[400]
//   in   points       f32[400,3]
//   out  sums_out     f32[8,3]
//
//   sums_out = scatter(0, assignment, points), to_apply=add
//
// One block of 256 threads. Reads 6.4 kB, writes 96 B.
namespace update_2 {

constexpr int kRows = 8;
constexpr int kColumns = 3;
constexpr int kElements = kRows * kColumns;  // 24
constexpr int kTerms = 400;
constexpr int kThreads = 256;

static_assert(kElements <= kThreads, "the one block has all elements");

__device__ void run(const int* assignment, const float* __restrict__ points, float* sums_out) {
  const int element = threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float sums = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    const int assignment_value = assignment[k];
    if (assignment_value == row) sums += points[k * kColumns + column];
  }

  sums_out[element] = sums;
}

}  // namespace update_2

// nearest_2: reduce, maximum, divide, subtract, multiply, ... over s32[400].
//
//   in   centres_in       f32[8,3]
//   in   points           f32[400,3]
//   in   count            f32[8]
//   in   sums             f32[8,3]
//   out  centres_out      f32[8,3]
//   out  assignment_out   s32[400]
//
//   is_positive      = count > 0
//   denominator      = maximum(count, 1)
//   ratio            = sums / broadcast(denominator)
//   centres_out      = select(broadcast(is_positive), ratio, centres_in)
//   difference       = broadcast(points) - broadcast(centres_out)
//   distance_squared = reduce(difference * difference, 0), dimensions={2}, to_apply=add
//   assignment_out   = reduce(distance_squared, broadcast(iota()), inf, 0), dimensions={1}
//
// 2 blocks of 256 threads. Reads 5.0 kB, writes 1.7 kB.
namespace nearest_2 {

constexpr int kElements = 400;
constexpr int kTerms = 8;
constexpr int kThreads = 256;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const float* centres_in, const float* __restrict__ points,
                    const float* count, const float* sums, float* centres_out,
                    int* assignment_out) {
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float points_value_1 = points[element * 3];
  const float points_value_2 = points[element * 3 + 1];
  const float points_value_3 = points[element * 3 + 2];
  float best = INFINITY;
  int assignment = 0;
  for (int k = 0; k < kTerms; ++k) {
    // update
    const float count_value_1 = count[k];
    const bool is_positive = count_value_1 > 0.0f;
    const float denominator = maximum(count_value_1, 1.0f);
    const float chosen = is_positive ? sums[k * 3] / denominator : centres_in[k * 3];
    const float ratio_1 = sums[k * 3 + 1] / denominator;
    const float ratio_2 = sums[k * 3 + 2] / denominator;

    const float difference_1 = points_value_1 - chosen;
    const float difference_2 = points_value_2 - (is_positive ? ratio_1 : centres_in[k * 3 + 1]);
    const float difference_3 = points_value_3 - (is_positive ? ratio_2 : centres_in[k * 3 + 2]);
    const float distance_squared =
        difference_1 * difference_1 + difference_2 * difference_2 + difference_3 * difference_3;
    const bool either = best <= distance_squared || isnan(best);
    const float next_1 = either ? best : distance_squared;
    const int next_2 = either ? assignment : k;
    best = next_1;
    assignment = next_2;
  }

  assignment_out[element] = assignment;
  if (element < 24) {
    const float count_value_2 = count[element / 3];
    const float ratio_3 = sums[element] / maximum(count_value_2, 1.0f);
    centres_out[element] = count_value_2 > 0.0f ? ratio_3 : centres_in[element];
  }
}

}  // namespace nearest_2

// goes_on_kernel: reduce, add, compare, and over s32[].
//
//   in   steps_in       s32[]
//   in   assignment     s32[400]
//   in   assignment_1   s32[400]
//   out  steps_out      s32[]
//   out  more           pred[]
//
//   steps_out = steps_in + 1
//   any       = reduce(assignment_1 != assignment, false), dimensions={0}, to_apply=or
//   more      = steps_out < 50 and any
//
// One block of 256 threads. Reads 3.2 kB, writes 5 B.
namespace goes_on_kernel {

constexpr int kColumns = 400;
constexpr int kThreads = 256;
constexpr int kWidth = 2;  // neighbours, in one access

static_assert(kColumns % kWidth == 0, "a row is made of whole groups of neighbours");

__device__ void run(const int* steps_in, const int* assignment, const int* assignment_1,
                    int* steps_out, bool* more) {
  const int steps_value = steps_in[0];
  const int steps_next = wrapping_add(steps_value, 1);

  // any
  bool any = false;
  for (int first_column = threadIdx.x * kWidth;
       first_column < kColumns;
       first_column += kThreads * kWidth) {
    const Vector<int, kWidth> assignment_1_vector =
        load_vector<kWidth>(assignment_1 + first_column);
    const Vector<int, kWidth> assignment_vector = load_vector<kWidth>(assignment + first_column);
#pragma unroll
    for (int i = 0; i < kWidth; ++i) any |= assignment_1_vector[i] != assignment_vector[i];
  }
  any = block_reduce<kThreads>(any, Or());

  if (threadIdx.x == 0) {
    steps_out[0] = steps_next;
    more[0] = steps_next < 50 && any;
  }
}

}  // namespace goes_on_kernel

constexpr int kThreads = 256;

// What steps write, and what they may read in its place, has no __restrict__: other blocks write it
// while this one runs.
__global__ void __launch_bounds__(kThreads, 1)
steps(const int* steps_start,
      const float* centres_in,
      const bool* more_start,
      const float* __restrict__ points,
      int* steps_2,
      float* centres_out,
      float* centres_2,
      bool* both,
      int* assignment,
      int* first_1,
      float* count,
      float* sums,
      uint32_t* barrier_counts) {
  GridBarrier barrier(barrier_counts);
  const int* steps_current = steps_start;
  const float* centres_current = centres_in;
  const bool* more_current = more_start;
  float* centres_next = centres_out;
  float* centres_spare = centres_2;
  int* assignment_next = assignment;
  int* assignment_current = first_1;

  // while.7
  while (*more_current) {
    if (blockIdx.x == 0) update::run(0, assignment_current, count);
    if (blockIdx.x == gridDim.x - 1) update_2::run(assignment_current, points, sums);
    // One block goes on when count and sums are stored, and no block reads assignment_next or both
    // any more.
    if (barrier.arrives_last()) {
      for (int block = 0; block < nearest_2::kBlocks; ++block) {
        nearest_2::run(block, centres_current, points, count, sums, centres_next, assignment_next);
      }
      __syncthreads();  // until assignment_next and assignment_current are stored
      goes_on_kernel::run(steps_current, assignment_next, assignment_current, steps_2, both);
    }
    barrier.wait_for_last();
    steps_current = steps_2;
    centres_current = centres_next;
    more_current = both;
    swap_pointers(centres_next, centres_spare);
    swap_pointers(assignment_next, assignment_current);
  }

  // The loop may end in either place.
  if (steps_current != steps_2) copy_elements(steps_current, steps_2, 1);
  if (centres_current != centres_out) copy_elements(centres_current, centres_out, 24);
  if (assignment_current != assignment) copy_elements(assignment_current, assignment, 400);
}

}  // namespace

cudaError_t
enqueue(const int* steps_start, const float* centres_in, const bool* more_start,
        const float* points, int* steps_2, float* centres_out, float* centres_2, bool* both,
        int* assignment, int* first_1, float* count, float* sums, uint32_t* barrier_counts,
        cudaStream_t stream) {
  return launch_resident(steps, {.grid = nearest_2::kBlocks, .block = kThreads}, stream,
                         steps_start, centres_in, more_start, points, steps_2, centres_out,
                         centres_2, both, assignment, first_1, count, sums, barrier_counts);
}

}  // namespace kmeans_kernels::steps
