// step: 40 steps of 4096 independent elements; one element a thread, its state in registers.
//
//   in   x_in                    f32[4096]
//   in   v_in                    f32[4096]
//   out  x_out                   f32[4096]
//   out  v_out                   f32[4096]
//   out  push_v_sum_out          f32[40]
//   out  product_sum_out         f32[40]
//   out  max_out                 f32[40]
//   out  count_out               s32[40]
//   tmp  push_v_sum_of_blocks    f32[32,40]
//   tmp  product_sum_of_blocks   f32[32,40]
//   tmp  max_of_blocks           f32[32,40]
//   tmp  count_of_blocks         s32[32,40]
//
//   loop t in [0, 40), carrying x, v:
//     push               = sine(f32(t) * 0.3) * 0.5
//     next_v             = v + (push - x - v * 0.1) * 0.05
//     next_x             = x + next_v * 0.05
//     push_v_sum         = reduce(push * next_v, 0), dimensions={0}, to_apply=add
//     push_v_sum_out[t]  = push_v_sum
//     product_sum        = reduce((next_x * next_x + next_v * next_v) * 0.5, 0), dimensions={0},
//                          to_apply=add
//     product_sum_out[t] = product_sum
//     max                = reduce(abs(next_x), -inf), dimensions={0}, to_apply=maximum
//     max_out[t]         = max
//     count              = reduce(s32(next_x > 1), 0), dimensions={0}, to_apply=add
//     count_out[t]       = count
//
// 32 blocks of 128 threads. Reads 53.2 kB, writes 53.9 kB.

#include "kernels.h"

#include "device/block_tree.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/reduce_batch.cuh"

namespace oscillators_kernels::step {
namespace {

constexpr int kElements = 4096;
constexpr int kSteps = 40;
constexpr int kThreads = 128;
constexpr int kBatch = 4;  // steps whose values a block reduces at a time

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

struct Shared {
  float push_v_sum[kBatch][kThreads];
  float product_sum[kBatch][kThreads];
  float max[kBatch][kThreads];
  int count[kBatch][kThreads];
};

// Not __restrict__: other blocks of the launch write finished, push_v_sum_of_blocks,
// product_sum_of_blocks and 2 more, too.
__global__ void __launch_bounds__(kThreads)
step(const float* __restrict__ x_in,
     const float* __restrict__ v_in,
     float* __restrict__ x_out,
     float* __restrict__ v_out,
     float* __restrict__ push_v_sum_out,
     float* __restrict__ product_sum_out,
     float* __restrict__ max_out,
     int* __restrict__ count_out,
     float* push_v_sum_of_blocks,
     float* product_sum_of_blocks,
     float* max_of_blocks,
     int* count_of_blocks,
     uint32_t* finished) {
  Shared& shared = block_shared<Shared>();
  const int element = blockIdx.x * kThreads + threadIdx.x;

  float x = x_in[element];
  float v = v_in[element];

#pragma unroll 8
  for (int t = 0; t < kSteps; ++t) {
    const float push = sinf(float(t) * 0.3f) * 0.5f;
    const float next_v = fmaf(fmaf(-v, 0.1f, push - x), 0.05f, v);
    const float next_x = fmaf(next_v, 0.05f, x);
    v = next_v;
    x = next_x;

    shared.push_v_sum[t % kBatch][threadIdx.x] = push * next_v;
    shared.product_sum[t % kBatch][threadIdx.x] = fmaf(next_v, next_v, next_x * next_x) * 0.5f;
    shared.max[t % kBatch][threadIdx.x] = fabsf(next_x);
    shared.count[t % kBatch][threadIdx.x] = int(next_x > 1.0f);
    // A batch of steps is there: the block reduces what its threads have of each.
    if (t % kBatch == kBatch - 1) {
      __syncthreads();
      reduce_batch(shared.push_v_sum, t, push_v_sum_of_blocks + blockIdx.x * kSteps, Add());
      reduce_batch(shared.product_sum, t, product_sum_of_blocks + blockIdx.x * kSteps, Add());
      reduce_batch(shared.max, t, max_of_blocks + blockIdx.x * kSteps, Maximum());
      reduce_batch(shared.count, t, count_of_blocks + blockIdx.x * kSteps, Add());
      __syncthreads();
    }
  }

  x_out[element] = x;
  v_out[element] = v;

  // The block that ends last of 16 reduces what they have come to, of 16 such groups the last one,
  // and so on.
  auto tree = BlockTree<kThreads>(blockIdx.x, kElements / kThreads, finished);
  while (tree.climb()) {
    tree.reduce(push_v_sum_of_blocks, kSteps, 0.0f, push_v_sum_out, Add());
    tree.reduce(product_sum_of_blocks, kSteps, 0.0f, product_sum_out, Add());
    tree.reduce(max_of_blocks, kSteps, -INFINITY, max_out, Maximum());
    tree.reduce(count_of_blocks, kSteps, 0, count_out, Add());
  }
}

}  // namespace

cudaError_t
enqueue(const float* x_in, const float* v_in, float* x_out, float* v_out, float* push_v_sum_out,
        float* product_sum_out, float* max_out, int* count_out, float* push_v_sum_of_blocks,
        float* product_sum_of_blocks, float* max_of_blocks, int* count_of_blocks,
        uint32_t* finished, cudaStream_t stream) {
  return launch(step, {.grid = kElements / kThreads, .block = kThreads}, stream,
                x_in, v_in, x_out, v_out, push_v_sum_out, product_sum_out, max_out, count_out,
                push_v_sum_of_blocks, product_sum_of_blocks, max_of_blocks, count_of_blocks,
                finished);
}

}  // namespace oscillators_kernels::step
