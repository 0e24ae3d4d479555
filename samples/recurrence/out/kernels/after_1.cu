// after_1: multiply, add over f32[8,32,4].
//
//   in   decay   f32[8,512,4]
//   in   value   f32[8,512,4]
//   out  add     f32[8,32,4]
//   out  mul     f32[8,32,4]
//
//   add_1 = decay[:,1:512:2,:] * value[:,0:511:2,:] + value[:,1:512:2,:]
//   mul_1 = decay[:,0:511:2,:] * decay[:,1:512:2,:]
//   add_2 = mul_1[:,1:256:2,:] * add_1[:,0:255:2,:] + add_1[:,1:256:2,:]
//   mul_3 = mul_1[:,0:255:2,:] * mul_1[:,1:256:2,:]
//   add_9 = mul_3[:,1:128:2,:] * add_2[:,0:127:2,:] + add_2[:,1:128:2,:]
//   mul_4 = mul_3[:,0:127:2,:] * mul_3[:,1:128:2,:]
//   add   = mul_4[:,1:64:2,:] * add_9[:,0:63:2,:] + add_9[:,1:64:2,:]
//   mul   = mul_4[:,0:63:2,:] * mul_4[:,1:64:2,:]
//
// 32 blocks of 32 threads. Reads 131 kB, writes 8.2 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace recurrence_kernels::after_1 {
namespace {

constexpr int kElements = 1024;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
after_1(const float* __restrict__ decay,
        const float* __restrict__ value,
        float* __restrict__ add,
        float* __restrict__ mul) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 4;
  const int column = element % 4;

  const int index = row * 64 + column;
  const float decay_value_1 = decay[index + 36];
  const float decay_value_2 = decay[index + 44];
  const float mul_1 = decay[index + 40] * decay_value_2;
  const float decay_value_3 = decay[index + 52];
  const float decay_value_4 = decay[index + 60];
  const float mul_2 = decay[index + 56] * decay_value_4;
  const float mul_3 = decay[index + 48] * decay_value_3 * mul_2;
  const float mul_4 = decay[index + 32] * decay_value_1 * mul_1 * mul_3;
  const float decay_value_5 = decay[index + 20];
  const float decay_value_6 = decay[index + 28];
  const float mul_5 = decay[index + 24] * decay_value_6;
  const float mul_6 = decay[index + 16] * decay_value_5 * mul_5;
  const float decay_value_7 = decay[index + 12];
  const float mul_7 = decay[index + 8] * decay_value_7;
  const float decay_value_8 = decay[index + 4];
  const float add_1 = fmaf(decay_value_7, value[index + 8], value[index + 12]);
  const float add_2 = fmaf(mul_7, fmaf(decay_value_8, value[index], value[index + 4]), add_1);
  const float add_3 = fmaf(decay_value_5, value[index + 16], value[index + 20]);
  const float add_4 = fmaf(decay_value_6, value[index + 24], value[index + 28]);
  const float add_5 = fmaf(decay_value_1, value[index + 32], value[index + 36]);
  const float add_6 = fmaf(decay_value_2, value[index + 40], value[index + 44]);
  const float add_7 = fmaf(decay_value_3, value[index + 48], value[index + 52]);
  const float add_8 = fmaf(decay_value_4, value[index + 56], value[index + 60]);
  const float add_9 = fmaf(mul_3, fmaf(mul_1, add_5, add_6), fmaf(mul_2, add_7, add_8));

  add[element] = fmaf(mul_4, fmaf(mul_6, add_2, fmaf(mul_5, add_3, add_4)), add_9);
  mul[element] = decay[index] * decay_value_8 * mul_7 * mul_6 * mul_4;
}

}  // namespace

cudaError_t
enqueue(const float* decay, const float* value, float* add, float* mul, cudaStream_t stream) {
  return launch(after_1, {.grid = kElements / kThreads, .block = kThreads}, stream,
                decay, value, add, mul);
}

}  // namespace recurrence_kernels::after_1
