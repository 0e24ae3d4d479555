// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace detections_kernels {

namespace detections {
cudaError_t
enqueue(const float* logits, const int* score_indices, const float* boxes_left,
        const float* boxes_top, const float* boxes_right, const float* boxes_bottom,
        float* box_left_out, float* box_top_out, float* box_right_out, float* box_bottom_out,
        int* class_out, bool* kept_out, cudaStream_t stream);
}  // namespace detections

namespace score {
cudaError_t
enqueue(const float* strength, float* score_out, int* score_indices, cudaStream_t stream);
}  // namespace score

namespace strength {
cudaError_t
enqueue(const float* logits, float* strength_out, cudaStream_t stream);
}  // namespace strength

}  // namespace detections_kernels
