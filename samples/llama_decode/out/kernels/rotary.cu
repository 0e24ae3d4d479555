// rotary: power, cosine, sine, negate, divide, ... over f32[8].
//
//   in   position   s32[]
//   out  cosine     f32[8]
//   out  sine       f32[8]
//
//   mul    = f32(position) * power(10000, -iota() / 8)
//   cosine = cosine(mul)
//   sine   = sine(mul)
//
// One block of 32 threads. Reads 4 B, writes 64 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace llama_decode_kernels {
namespace {

constexpr int kElements = 8;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
rotary(const int* __restrict__ position, float* __restrict__ cosine, float* __restrict__ sine) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float mul = float(position[0]) * powf(10000.0f, -float(element) / 8.0f);

  cosine[element] = cosf(mul);
  sine[element] = sinf(mul);
}

}  // namespace

cudaError_t
launch_rotary(const int* position, float* cosine, float* sine, cudaStream_t stream) {
  return launch(rotary, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                position, cosine, sine);
}

}  // namespace llama_decode_kernels
