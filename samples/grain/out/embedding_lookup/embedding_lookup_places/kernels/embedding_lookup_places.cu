// embedding_lookup_places: reduce-window, subtract, compare, convert over s32[4,24].
//
//   in   tokens   s32[4,24]
//   out  place    s32[4,24]
//
//   sum   = reduce-window(s32(tokens != 0), 0), window={size=1x24 pad=0_0x23_0}, to_apply=add
//   place = sum - s32(tokens != 0)
//
// A row a block of 32 threads. Reads 384 B, writes 384 B.

#include "kernels.h"

#include "device/block_scan.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace embedding_lookup_places_kernels::embedding_lookup_places {
namespace {

constexpr int kRows = 4;
constexpr int kColumns = 24;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
embedding_lookup_places(const int* __restrict__ tokens, int* __restrict__ place) {
  const int row = blockIdx.x;

  int carry = 0;
  const int column = threadIdx.x;
  int value = 0;
  if (column < kColumns) value = int(tokens[row * kColumns + column] != 0);
  const int sum = block_scan<kThreads>(value, Add(), &carry);
  if (column < kColumns) {
    const int index = row * kColumns + column;
    place[index] = sum - int(tokens[index] != 0);
  }
}

}  // namespace

cudaError_t
enqueue(const int* tokens, int* place, cudaStream_t stream) {
  return launch(embedding_lookup_places, {.grid = kRows, .block = kThreads}, stream, tokens, place);
}

}  // namespace embedding_lookup_places_kernels::embedding_lookup_places
