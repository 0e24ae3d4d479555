// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace embedding_lookup_places_kernels {

namespace embedding_lookup_places {
cudaError_t
enqueue(const int* tokens, int* place, cudaStream_t stream);
}  // namespace embedding_lookup_places

}  // namespace embedding_lookup_places_kernels
