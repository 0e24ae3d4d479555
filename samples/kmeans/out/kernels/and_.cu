// and_: compare, reduce, and over pred[].
//
//   in   sum                s32[]
//   in   broadcast_in_dim   s32[400]
//   in   result             s32[400]
//   out  and_               pred[]
//
//   lt   = compare(sum, 50)
//   ne   = compare(broadcast_in_dim, result)
//   any  = reduce(ne, false), dimensions={0}, to_apply=or
//   and_ = and(lt, any)
//
// One block of 256 threads a row. Reads 3.2 kB, writes 1 B.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace kmeans_kernels {
namespace {

constexpr int kRows = 1;
constexpr int kColumns = 400;
constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
and_(const int* __restrict__ sum,
     const int* __restrict__ broadcast_in_dim,
     const int* __restrict__ result,
     bool* __restrict__ and_out) {
  // any
  bool any = false;
  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    any = any || broadcast_in_dim[column] != result[column];
  }
  any = block_reduce<kThreads>(any, Or());

  if (threadIdx.x == 0) and_out[0] = sum[0] < 50 && any;
}

}  // namespace

cudaError_t
launch_and_(const int* sum,
            const int* broadcast_in_dim,
            const int* result,
            bool* and_out,
            cudaStream_t stream) {
  return launch(and_, {.grid = kRows, .block = kThreads}, stream,
                sum, broadcast_in_dim, result, and_out);
}

}  // namespace kmeans_kernels
