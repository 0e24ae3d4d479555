// by_group: sort over s32[6,100].
//
//   in   x              f32[6,100]
//   in   group          s32[6,100]
//   out  by_group_out   s32[6,100]
//   out  x_by           f32[6,100]
//
//   by_group_out, x_by = sort(group, x)
//
// A row a block of 32 threads. Reads 4.8 kB, writes 4.8 kB.

#include "kernels.h"

#include "device/block_sort.cuh"
#include "device/launch.cuh"

namespace sort_argsort_kernels::by_group {
namespace {

constexpr int kRows = 6;
constexpr int kColumns = 100;
constexpr int kThreads = 32;
constexpr int kItems = 5;  // elements a thread

struct Element {
  int group;
  float x;
};

// Whether a must stand before b.
struct Before {
  __device__ bool operator()(const Element& a, const Element& b) const {
    const bool by_group = a.group == b.group && !(a.x >= b.x) && !isnan(a.x);
    return a.group < b.group || by_group;
  }
};

struct Shared {
  Element elements[kColumns];
};

__global__ void __launch_bounds__(kThreads)
by_group(const float* __restrict__ x,
         const int* __restrict__ group,
         int* __restrict__ by_group_out,
         float* __restrict__ x_by) {
  Shared& shared = block_shared<Shared>();
  const int row = blockIdx.x;

  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    const int index = row * kColumns + column;
    shared.elements[column] = {group[index], x[index]};
  }

  block_sort<kThreads, kItems>(shared.elements, kColumns, Before());

  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    const int i = row * kColumns + column;
    by_group_out[i] = shared.elements[column].group;
    x_by[i] = shared.elements[column].x;
  }
}

}  // namespace

cudaError_t
enqueue(const float* x, const int* group, int* by_group_out, float* x_by, cudaStream_t stream) {
  return launch(by_group, {.grid = kRows, .block = kThreads}, stream, x, group, by_group_out, x_by);
}

}  // namespace sort_argsort_kernels::by_group
