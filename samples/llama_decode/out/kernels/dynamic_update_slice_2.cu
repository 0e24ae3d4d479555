// dynamic_update_slice_2: compare, add, select over bf16[2,32,2,16].
//
//   in   cache_0_v                bf16[2,32,2,16]
//   in   position                 s32[]
//   in   dot                      bf16[2,32]
//   out  dynamic_update_slice_2   bf16[2,32,2,16]
//
//   lt     = compare(position, 0)
//   add    = add(position, 32)
//   select = select(lt, add, position)
//
// 64 blocks of 32 threads. Reads 4.2 kB, writes 4.1 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace llama_decode_kernels {
namespace {

constexpr int kElements = 2048;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
dynamic_update_slice_2(const __nv_bfloat16* cache_0_v,
                       const int* __restrict__ position,
                       const __nv_bfloat16* __restrict__ dot,
                       __nv_bfloat16* dynamic_update_slice_2_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / 1024;
  const int j = element / 32 % 32;
  const int k = element % 32;

  const int position_value = position[0];
  const int select = position_value < 0 ? position_value + 32 : position_value;
  const int start = minimum(maximum(select, 0), 31);

  dynamic_update_slice_2_out[element] = start == j ? dot[i * 32 + k] : cache_0_v[element];
}

}  // namespace

cudaError_t
launch_dynamic_update_slice_2(const __nv_bfloat16* cache_0_v,
                              const int* position,
                              const __nv_bfloat16* dot,
                              __nv_bfloat16* dynamic_update_slice_2_out,
                              cudaStream_t stream) {
  return launch(dynamic_update_slice_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                cache_0_v, position, dot, dynamic_update_slice_2_out);
}

}  // namespace llama_decode_kernels
