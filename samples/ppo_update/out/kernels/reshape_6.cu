// reshape_6: compare, add, select over s32[4,32].
//
//   in   sort      s32[128]
//   in   reshape   s32[128]
//   in   reshape   f32[128]
//   in   reshape   f32[128]
//   in   reshape   f32[128]
//   out  reshape   s32[4,32]
//   out  reshape   f32[4,32]
//   out  reshape   f32[4,32]
//   out  reshape   f32[4,32]
//
//   lt     = compare(sort, 0)
//   add    = add(sort, 128)
//   select = select(lt, add, sort)
//
// 4 blocks of 32 threads. Reads 2.6 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 128;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
reshape_6(const int* __restrict__ sort,
          const int* __restrict__ reshape_in,
          const float* __restrict__ reshape_in_1,
          const float* __restrict__ reshape_in_2,
          const float* __restrict__ reshape_in_3,
          int* __restrict__ reshape_out,
          float* __restrict__ reshape_out_1,
          float* __restrict__ reshape_out_2,
          float* __restrict__ reshape_out_3) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  const int sort_value = sort[element];
  const int select = sort_value < 0 ? sort_value + 128 : sort_value;
  const int start = minimum(maximum(select, 0), 127);

  reshape_out[element] = reshape_in[start];
  reshape_out_1[element] = reshape_in_1[start];
  reshape_out_2[element] = reshape_in_2[start];
  reshape_out_3[element] = reshape_in_3[start];
}

}  // namespace

cudaError_t
launch_reshape_6(const int* sort,
                 const int* reshape_in,
                 const float* reshape_in_1,
                 const float* reshape_in_2,
                 const float* reshape_in_3,
                 int* reshape_out,
                 float* reshape_out_1,
                 float* reshape_out_2,
                 float* reshape_out_3,
                 cudaStream_t stream) {
  return launch(reshape_6, {.grid = kElements / kThreads, .block = kThreads}, stream,
                sort, reshape_in, reshape_in_1, reshape_in_2, reshape_in_3, reshape_out,
                reshape_out_1, reshape_out_2, reshape_out_3);
}

}  // namespace ppo_update_kernels
