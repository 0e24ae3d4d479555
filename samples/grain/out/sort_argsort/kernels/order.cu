// order: sort over s32[6,100].
//
//   in   group       s32[6,100]
//   out  order_out   s32[6,100]
//
//   order_out = sort(group, iota({1}))
//
// A row a block of 32 threads. Reads 2.4 kB, writes 2.4 kB.

#include "kernels.h"

#include "device/block_sort.cuh"
#include "device/launch.cuh"

namespace sort_argsort_kernels::order {
namespace {

constexpr int kRows = 6;
constexpr int kColumns = 100;
constexpr int kThreads = 32;
constexpr int kItems = 5;  // elements a thread

struct Element {
  int group;
  int value;
};

// Whether a must stand before b.
struct Before {
  __device__ bool operator()(const Element& a, const Element& b) const {
    return a.group < b.group;
  }
};

struct Shared {
  Element elements[kColumns];
};

__global__ void __launch_bounds__(kThreads)
order(const int* __restrict__ group, int* __restrict__ order_out) {
  Shared& shared = block_shared<Shared>();
  const int row = blockIdx.x;

  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    shared.elements[column] = {group[row * kColumns + column], column};
  }

  block_sort<kThreads, kItems>(shared.elements, kColumns, Before());

  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    order_out[row * kColumns + column] = shared.elements[column].value;
  }
}

}  // namespace

cudaError_t
enqueue(const int* group, int* order_out, cudaStream_t stream) {
  return launch(order, {.grid = kRows, .block = kThreads}, stream, group, order_out);
}

}  // namespace sort_argsort_kernels::order
