// epoch: sort, threefry2x32, xor, convert over s32[128].
//
//   in   joined   u32[2,2]
//   out  sorted   s32[128]
//
//   threefry_split = threefry2x32(joined[t,:][0], joined[t,:][1], 0, u32(iota()))
//   joined_1       = concatenate(threefry_split.first, threefry_split.second), dimensions={1}
//   shuffle        = threefry2x32(joined_1[1,:][0], joined_1[1,:][1], 0, u32(iota()))
//   sorted         = sort(xor(shuffle.first, shuffle.second), iota())
//
// A row a block of 32 threads. Reads 8 B, writes 512 B.

#include "kernels.h"

#include "device/block_sort.cuh"
#include "device/launch.cuh"
#include "device/threefry2x32.cuh"

namespace ppo_update_kernels::epoch {
namespace {

constexpr int kColumns = 128;
constexpr int kThreads = 32;
constexpr int kItems = (kColumns + kThreads - 1) / kThreads;  // 4, elements a thread

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

__global__ void __launch_bounds__(kThreads)
epoch(const uint32_t* __restrict__ joined, int* __restrict__ sorted, int t) {
  Shared& shared = block_shared<Shared>();

  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    // ppo_update
    const Threefry2x32 threefry_split = threefry2x32(joined[t * 2], joined[t * 2 + 1], 0u, 1u);

    // epoch
    const Threefry2x32 shuffle =
        threefry2x32(threefry_split.first, threefry_split.second, 0u, uint32_t(column));
    shared.elements[column] = {shuffle.first ^ shuffle.second, column};
  }

  block_sort<kThreads, kItems>(shared.elements, kColumns, Before());

  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    sorted[column] = shared.elements[column].value;
  }
}

}  // namespace

cudaError_t
enqueue(const uint32_t* joined, int* sorted, int t, cudaStream_t stream) {
  return launch(epoch, {.grid = 1, .block = kThreads}, stream, joined, sorted, t);
}

}  // namespace ppo_update_kernels::epoch
