// sorted: sort over f32[6,100].
//
//   in   x            f32[6,100]
//   out  sorted_out   f32[6,100]
//
//   sorted_out = sort(x)
//
// A row a block of 32 threads. Reads 2.4 kB, writes 2.4 kB.

#include "kernels.h"

#include "device/block_sort.cuh"
#include "device/launch.cuh"

namespace sort_argsort_kernels::sorted {
namespace {

constexpr int kRows = 6;
constexpr int kColumns = 100;
constexpr int kThreads = 32;
constexpr int kItems = 5;  // elements a thread

// Whether a must stand before b.
struct Before {
  __device__ bool operator()(float a, float b) const {
    return !(a >= b) && !isnan(a);
  }
};

struct Shared {
  float elements[kColumns];
};

__global__ void __launch_bounds__(kThreads)
sorted(const float* __restrict__ x, float* __restrict__ sorted_out) {
  Shared& shared = block_shared<Shared>();
  const int row = blockIdx.x;

  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    shared.elements[column] = x[row * kColumns + column];
  }

  block_sort<kThreads, kItems>(shared.elements, kColumns, Before());

  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    sorted_out[row * kColumns + column] = shared.elements[column];
  }
}

}  // namespace

cudaError_t
enqueue(const float* x, float* sorted_out, cudaStream_t stream) {
  return launch(sorted, {.grid = kRows, .block = kThreads}, stream, x, sorted_out);
}

}  // namespace sort_argsort_kernels::sorted
