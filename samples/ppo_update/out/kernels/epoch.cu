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

#include "kernels.h"

#include "device/block_sort.cuh"
#include "device/launch.cuh"
#include "device/threefry2x32.cuh"

namespace ppo_update_kernels::epoch {
namespace {

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

__global__ void __launch_bounds__(kThreads)
epoch(const uint32_t* __restrict__ threefry_split, int* __restrict__ sorted, int t) {
  Shared& shared = block_shared<Shared>();

  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    // ppo_update
    const Threefry2x32 threefry_split_1 =
        threefry2x32(threefry_split[t * 2], threefry_split[t * 2 + 1], 0u, 1u);

    // epoch
    const Threefry2x32 shuffle =
        threefry2x32(threefry_split_1.first, threefry_split_1.second, 0u, uint32_t(column));
    shared.elements[column] = {shuffle.first ^ shuffle.second, column};
  }

  block_sort<kThreads, kItems>(shared.elements, kColumns, Before());

  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    sorted[column] = shared.elements[column].value;
  }
}

}  // namespace

cudaError_t
enqueue(const uint32_t* threefry_split, int* sorted, int t, cudaStream_t stream) {
  return launch(epoch, {.grid = 1, .block = kThreads}, stream, threefry_split, sorted, t);
}

}  // namespace ppo_update_kernels::epoch
