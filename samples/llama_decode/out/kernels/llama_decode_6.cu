// llama_decode_6: reduce, convert over f32[2,128].
//
//   in   dot                    bf16[2,128]
//   out  reduce_out             s32[2]
//   out  convert_element_type   f32[2,128]
//
//   convert_element_type = f32(dot)
//   reduce_out           = reduce(convert_element_type, broadcast(iota()), -inf, 0), dimensions={1}
//
// 8 blocks of 32 threads. Reads 512 B, writes 1.0 kB.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"

namespace llama_decode_kernels {
namespace {

constexpr int kElements = 256;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
llama_decode_6(const __nv_bfloat16* __restrict__ dot,
               int* __restrict__ reduce_out,
               float* __restrict__ convert_element_type) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 128;
  const int column = element % 128;

  float reduce_1 = -INFINITY;
  int reduce_2 = 0;
  for (int k = 0; k < 128; ++k) {
    const float convert_element_type_1 = to_float(dot[row * 128 + k]);
    const bool or_ = reduce_1 > convert_element_type_1 || reduce_1 != reduce_1;
    const float next_1 = or_ ? reduce_1 : convert_element_type_1;
    const int next_2 = or_ || (reduce_1 == convert_element_type_1 && reduce_2 < k) ? reduce_2 : k;
    reduce_1 = next_1;
    reduce_2 = next_2;
  }

  convert_element_type[element] = to_float(dot[element]);
  if (column == 0) reduce_out[row] = reduce_2;
}

}  // namespace

cudaError_t
launch_llama_decode_6(const __nv_bfloat16* dot,
                      int* reduce_out,
                      float* convert_element_type,
                      cudaStream_t stream) {
  return launch(llama_decode_6, {.grid = kElements / kThreads, .block = kThreads}, stream,
                dot, reduce_out, convert_element_type);
}

}  // namespace llama_decode_kernels
