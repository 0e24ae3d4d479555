// detections: 32 steps of 32 elements; one element a thread, its state in registers; a block's
// threads take each step together.
//
//   in   logits           f32[300,5]
//   in   score_indices    s32[32]
//   in   boxes_left       f32[300]
//   in   boxes_top        f32[300]
//   in   boxes_right      f32[300]
//   in   boxes_bottom     f32[300]
//   out  box_left_out     f32[32]
//   out  box_top_out      f32[32]
//   out  box_right_out    f32[32]
//   out  box_bottom_out   f32[32]
//   out  class_out        s32[32]
//   out  kept_out         pred[32]
//
//   detections  score_indices_value_1, class_2, kept_1
//   area        boxes_left_value_1, boxes_top_value_1, boxes_right_value_1, boxes_bottom_value_1,
//               area_2
//   ratio_1 = area_5 / maximum(ratio - area_5, 1e-06)
//   loop t in [0, 32), carrying kept_1:
//     kept_2      = ratio_1[t,:] > 0.5
//     next_kept_1 = kept_1 and not(kept_1[t] and iota() > t and kept_2)
//
// One block of 32 threads. Reads 1.8 kB, writes 672 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace detections_kernels::detections {
namespace {

constexpr int kElements = 32;
constexpr int kSteps = 32;
constexpr int kThreads = 32;

static_assert(kElements == kThreads, "a thread of the one block has an element");

struct Shared {
  bool kept_1[kThreads];
};

__global__ void __launch_bounds__(kThreads)
detections(const float* __restrict__ logits,
           const int* __restrict__ score_indices,
           const float* __restrict__ boxes_left,
           const float* __restrict__ boxes_top,
           const float* __restrict__ boxes_right,
           const float* __restrict__ boxes_bottom,
           float* __restrict__ box_left_out,
           float* __restrict__ box_top_out,
           float* __restrict__ box_right_out,
           float* __restrict__ box_bottom_out,
           int* __restrict__ class_out,
           bool* __restrict__ kept_out) {
  Shared& shared = block_shared<Shared>();
  const int element = threadIdx.x;

  const int score_indices_value_1 = score_indices[element];
  float class_1 = -INFINITY;
  int class_2 = 0;
  for (int k = 0; k < 5; ++k) {
    const float logits_value = logits[score_indices_value_1 * 5 + k];
    const bool either = class_1 >= logits_value || isnan(class_1);
    const float next_1 = either ? class_1 : logits_value;
    const int next_2 = either ? class_2 : k;
    class_1 = next_1;
    class_2 = next_2;
  }

  // area
  const float boxes_left_value_1 = boxes_left[score_indices_value_1];
  const float boxes_top_value_1 = boxes_top[score_indices_value_1];
  const float boxes_right_value_1 = boxes_right[score_indices_value_1];
  const float boxes_bottom_value_1 = boxes_bottom[score_indices_value_1];
  const float area_1_1 = maximum(boxes_right_value_1 - boxes_left_value_1, 0.0f);
  const float area_2 = area_1_1 * maximum(boxes_bottom_value_1 - boxes_top_value_1, 0.0f);

  bool kept_1 = true;

#pragma unroll 8
  for (int t = 0; t < kSteps; ++t) {
    __syncthreads();
    shared.kept_1[threadIdx.x] = kept_1;
    __syncthreads();

    const int score_indices_value_2 = score_indices[t];

    // iou
    const float boxes_right_value_2 = boxes_right[score_indices_value_2];
    const float shared_1 = minimum(boxes_right_value_2, boxes_right_value_1);
    const float boxes_bottom_value_2 = boxes_bottom[score_indices_value_2];
    const float shared_2 = minimum(boxes_bottom_value_2, boxes_bottom_value_1);

    // area
    const float boxes_left_value_2 = boxes_left[score_indices_value_2];
    const float area_3 = maximum(shared_1 - maximum(boxes_left_value_2, boxes_left_value_1), 0.0f);
    const float boxes_top_value_2 = boxes_top[score_indices_value_2];
    const float area_4 = maximum(shared_2 - maximum(boxes_top_value_2, boxes_top_value_1), 0.0f);
    const float area_5 = area_3 * area_4;
    const float area_1_2 = maximum(boxes_right_value_2 - boxes_left_value_2, 0.0f);

    // iou
    const float ratio = area_1_2 * maximum(boxes_bottom_value_2 - boxes_top_value_2, 0.0f) + area_2;

    const bool kept_2 = area_5 / maximum(ratio - area_5, 1e-6f) > 0.5f;
    kept_1 &= !(shared.kept_1[t] && element > t && kept_2);
  }

  box_left_out[element] = boxes_left_value_1;
  box_top_out[element] = boxes_top_value_1;
  box_right_out[element] = boxes_right_value_1;
  box_bottom_out[element] = boxes_bottom_value_1;
  class_out[element] = class_2;
  kept_out[element] = kept_1;
}

}  // namespace

cudaError_t
enqueue(const float* logits, const int* score_indices, const float* boxes_left,
        const float* boxes_top, const float* boxes_right, const float* boxes_bottom,
        float* box_left_out, float* box_top_out, float* box_right_out, float* box_bottom_out,
        int* class_out, bool* kept_out, cudaStream_t stream) {
  return launch(detections, {.grid = 1, .block = kThreads}, stream,
                logits, score_indices, boxes_left, boxes_top, boxes_right, boxes_bottom,
                box_left_out, box_top_out, box_right_out, box_bottom_out, class_out, kept_out);
}

}  // namespace detections_kernels::detections
