// steps: the steps of while, in one launch.
//
//   alive     6 blocks   reduce, gather, subtract, convert, compare, ... over u8[64,96]
//   alive_2   1 block    reduce, dynamic-update-slice over s32[1]
//
// At most 6 blocks of 256 threads, all of them on the device at the same time: each does a part's
// blocks in turn, and waits for the others where a step needs what they have stored. What comes out
// does not depend on how many there are.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/grid_barrier.cuh"
#include "device/launch.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

namespace life_kernels::steps {
namespace {

// alive: reduce, gather, subtract, convert, compare, ... over u8[64,96].
//
//   in   world_in      u8[64,96]
//   out  world_out     u8[64,96]
//   out  alive_3_out   s32[48]
//
//   around      = remainder(broadcast(iota()) + broadcast(iota() + -1) + 64, 64)
//   around_4    = remainder(broadcast(iota()) + broadcast(iota() + -1) + 96, 96)
//   around_5    = concatenate(broadcast(around, {0,2}), broadcast(around_4, {1,3})), dimensions={4}
//   around_1    = s32(gather(world_in, around_5))
//   around_2    = reduce(around_1, 0), dimensions={2,3}, to_apply=add
//   around_3    = around_2 - s32(world_in)
//   world       = around_3 == 3 or around_3 == 2 and world_in == 1
//   world_out   = u8(world)
//   alive_3_out = reduce(reshape(s32(world), [48,128]), 0), dimensions={1}, to_apply=add
//
// A row a warp, 8 rows a block of 256 threads. Reads 6.1 kB, writes 6.3 kB.
namespace alive {

constexpr int kRows = 48;
constexpr int kColumns = 128;
constexpr int kThreads = 256;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kWidth = 4;  // neighbours, in one access
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kColumns % (kWarp * kWidth) == 0, "the threads cover a row exactly");
static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__device__ void run(int block, const uint8_t* world_in, uint8_t* world_out, int* alive_3_out) {
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // alive_3, world_out
  int alive_3 = 0;
  for (int first_column = lane * kWidth; first_column < kColumns; first_column += kWarp * kWidth) {
    const Vector<uint8_t, kWidth> world_in_vector =
        load_vector<kWidth>(world_in + (row * kColumns + first_column));
    Vector<uint8_t, kWidth> world_out_vector;
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      const int column = first_column + i;
      const int index = row * kColumns + column;
      const uint8_t world_value_1 = world_in[(index / 96 + 63) % 64 * 96 + (index % 96 + 95) % 96];
      const uint8_t world_value_2 = world_in_vector[i];
      const int around_1_1 = int(world_in[(index + 6048) % 6144]);
      const int around_1_2 = int(world_in[(index / 96 + 63) % 64 * 96 + (index % 96 + 1) % 96]);
      const int around_1_3 = int(world_in[index / 96 * 96 + (index % 96 + 95) % 96]);
      const int around_1_4 = int(world_in[index / 96 * 96 + (index % 96 + 1) % 96]);
      const int around_1_5 = int(world_in[(index / 96 + 1) % 64 * 96 + (index % 96 + 95) % 96]);
      const int around_1_6 = int(world_in[(index + 96) % 6144]);
      const int around_1_7 = int(world_in[(index / 96 + 1) % 64 * 96 + (index % 96 + 1) % 96]);
      const int around_2 = int(world_value_1) + around_1_1 + around_1_2 + around_1_3 +
                           int(world_value_2) + around_1_4 + around_1_5 + around_1_6 + around_1_7;
      const int around_3 = around_2 - int(world_value_2);
      const bool world = around_3 == 3 || (around_3 == 2 && world_value_2 == 1u);
      world_out_vector[i] = uint8_t(world);
      alive_3 += world;
    }
    store_vector(world_out + (row * kColumns + first_column), world_out_vector);
  }
  alive_3 = warp_reduce(alive_3, Add());

  if (lane == 0) alive_3_out[row] = alive_3;
}

}  // namespace alive

// alive_2: reduce, dynamic-update-slice over s32[1].
//
//   in   alive_3     s32[48]
//   out  alive_out   s32[100]
//
//   alive        = reduce(alive_3, 0), dimensions={0}, to_apply=add
//   alive_out[t] = alive
//
// One block of 256 threads. Reads 192 B, writes 4 B.
namespace alive_2 {

constexpr int kColumns = 48;
constexpr int kThreads = 256;

__device__ void run(const int* alive_3, int* alive_out, int t) {
  const int column = threadIdx.x;

  // alive
  int alive = 0;
  if (column < kColumns) alive += alive_3[column];
  alive = block_reduce<kThreads>(alive, Add());

  if (column == 0) alive_out[t] = alive;
}

}  // namespace alive_2

constexpr int kThreads = 256;
constexpr int kSteps = 100;  // while; its last step writes world

// What steps write, and what they may read in its place, has no __restrict__: other blocks write it
// while this one runs.
__global__ void __launch_bounds__(kThreads, 1)
steps(const uint8_t* start,
      uint8_t* world,
      uint8_t* world_2,
      int* alive_3,
      int* alive,
      uint32_t* barrier_counts) {
  GridBarrier barrier(barrier_counts);
  const uint8_t* world_current = start;
  uint8_t* world_next = world_2;
  uint8_t* world_spare = world;

  // while; its last step writes world
  for (int t = 0; t < kSteps; ++t) {
    for (int block = blockIdx.x; block < alive::kBlocks; block += gridDim.x) {
      alive::run(block, world_current, world_next, alive_3);
    }
    // One block goes on when alive_3 is stored.
    if (barrier.arrives_last()) alive_2::run(alive_3, alive, t);
    barrier.wait_for_last();
    world_current = world_next;
    swap_pointers(world_next, world_spare);
  }
}

}  // namespace

cudaError_t
enqueue(const uint8_t* start, uint8_t* world, uint8_t* world_2, int* alive_3, int* alive,
        uint32_t* barrier_counts, cudaStream_t stream) {
  return launch_resident(steps, {.grid = alive::kBlocks, .block = kThreads}, stream,
                         start, world, world_2, alive_3, alive, barrier_counts);
}

}  // namespace life_kernels::steps
