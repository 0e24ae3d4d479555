// by_group: sort over s32[6,100].
//
//   in   x              f32[6,100]
//   in   group          s32[6,100]
//   out  by_group_out   s32[6,100]
//   out  by_group_2     f32[6,100]
//
//   by_group_out, by_group_2 = sort(group, x)
//
// A row a block of 32 threads. Reads 4.8 kB, writes 4.8 kB.

#include "kernels.h"

#include "device/block_sort.cuh"
#include "device/launch.cuh"
#include "device/total_order.cuh"

namespace sort_argsort_kernels::by_group {
namespace {

constexpr int kRows = 6;
constexpr int kColumns = 100;
constexpr int kThreads = 32;
constexpr int kItems = (kColumns + kThreads - 1) / kThreads;  // 4, elements a thread

struct Element {
  int group;
  float x;
};

// Whether a must stand before b.
struct Before {
  __device__ bool operator()(const Element& a, const Element& b) const {
    const float by_group_1 = isnan(a.x) ? NAN : (a.x == 0.0f ? 0.0f : a.x);
    const float by_group_3 = isnan(b.x) ? NAN : (b.x == 0.0f ? 0.0f : b.x);
    const bool by_group_4 = total_order_key(by_group_1) < total_order_key(by_group_3);
    return a.group < b.group || (a.group == b.group && by_group_4);
  }
};

struct Shared {
  Element elements[kColumns];
};

__global__ void __launch_bounds__(kThreads)
by_group(const float* __restrict__ x,
         const int* __restrict__ group,
         int* __restrict__ by_group_out,
         float* __restrict__ by_group_2) {
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
    by_group_2[i] = shared.elements[column].x;
  }
}

}  // namespace

cudaError_t
enqueue(const float* x, const int* group, int* by_group_out, float* by_group_2,
        cudaStream_t stream) {
  return launch(by_group, {.grid = kRows, .block = kThreads}, stream,
                x, group, by_group_out, by_group_2);
}

}  // namespace sort_argsort_kernels::by_group
