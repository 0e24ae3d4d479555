// alive: 2 computations, in one launch whose last block to finish goes on alone.
//
//   alive_2   12 blocks    reduce, gather, add, remainder, subtract, ... over u8[64,96]
//   alive_3   last block   reduce, dynamic-update-slice over s32[100]
//
// 12 blocks of 128 threads.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

namespace life_kernels::alive {
namespace {

// alive_2: reduce, gather, add, remainder, subtract, ... over u8[64,96].
//
//   in   world_in      u8[64,96]
//   out  world_out     u8[64,96]
//   out  alive_2_out   s32[48]
//
//   around      = remainder(broadcast(iota()) + broadcast(iota() + -1) + 64, 64)
//   around_4    = remainder(broadcast(iota()) + broadcast(iota() + -1) + 96, 96)
//   around_5    = concatenate(broadcast(around, {0,2}), broadcast(around_4, {1,3})), dimensions={4}
//   around_1    = s32(gather(world_in, around_5))
//   around_2    = reduce(around_1, 0), dimensions={2,3}, to_apply=add
//   around_3    = around_2 - s32(world_in)
//   world       = around_3 == 3 or around_3 == 2 and world_in == 1
//   world_out   = u8(world)
//   alive_2_out = reduce(reshape(s32(world), [48,128]), 0), dimensions={1}, to_apply=add
//
// A row a warp, 4 rows a block of 128 threads. Reads 6.1 kB, writes 6.3 kB.
namespace alive_2 {

constexpr int kRows = 48;
constexpr int kColumns = 128;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kWidth = 4;  // neighbours, in one access
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kColumns % (kWarp * kWidth) == 0, "the threads cover a row exactly");
static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

// Not __restrict__: world_in and world_out may be one array; other parts of the launch read
// alive_2_out.
__device__ void run(int block, const AliveArrays::Alive2Arrays& arrays) {
  const auto& [world_in, world_out, alive_2_out] = arrays;
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // alive_2, world_out
  int alive_2 = 0;
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
      alive_2 += world;
    }
    store_vector(world_out + (row * kColumns + first_column), world_out_vector);
  }
  alive_2 = warp_reduce(alive_2, Add());

  if (lane == 0) alive_2_out[row] = alive_2;
}

}  // namespace alive_2

// alive_3: reduce, dynamic-update-slice over s32[100].
//
//   in   alive_2     s32[48]
//   out  alive_out   s32[100]
//
//   alive     = reduce(alive_2, 0), dimensions={0}, to_apply=add
//   alive_out = alive_out, with [t] replaced by alive
//
// One block of 128 threads. Reads 192 B, writes 4 B.
namespace alive_3 {

constexpr int kColumns = 48;
constexpr int kThreads = 128;

// No pointer is __restrict__: other parts of the launch write alive_2.
__device__ void run(const AliveArrays::Alive3Arrays& arrays) {
  const auto& [alive_2, alive_out, t] = arrays;
  const int column = threadIdx.x;

  // alive
  int alive = 0;
  if (column < kColumns) alive += alive_2[column];
  alive = block_reduce<kThreads>(alive, Add());

  if (column == 0) alive_out[t] = alive;
}

}  // namespace alive_3

constexpr int kThreads = 128;
constexpr int kBlocks = alive_2::kBlocks;

__global__ void __launch_bounds__(kThreads)
alive(const __grid_constant__ AliveArrays arrays) {
  const int block = blockIdx.x;
  alive_2::run(block, arrays.alive_2);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  alive_3::run(arrays.alive_3);
}

}  // namespace

cudaError_t
enqueue(const AliveArrays& arrays, cudaStream_t stream) {
  return launch(alive, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace life_kernels::alive
