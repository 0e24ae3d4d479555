// captured.cuh: a stream that is captured, and the place in its graph where it is. CUDA tells, and
// lets it be set, from 12.0 on.

#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

// The graph that a stream is captured to, and the nodes that its next one comes after.
struct CapturePlace {
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* last = nullptr;
  size_t count = 0;
};

#if defined(CUDART_VERSION) && CUDART_VERSION < 12000

inline bool is_captured(cudaStream_t) { return false; }
inline cudaError_t find_place(cudaStream_t, CapturePlace*) { return cudaErrorNotSupported; }
inline cudaError_t go_on_after(cudaStream_t, cudaGraphNode_t*, size_t) {
  return cudaErrorNotSupported;
}

#else

inline bool is_captured(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(stream, &status) != cudaSuccess) cudaGetLastError();
  return status == cudaStreamCaptureStatusActive;
}

// What it says is true until the stream is given something.
inline cudaError_t find_place(cudaStream_t stream, CapturePlace* place) {
  cudaStreamCaptureStatus status;
#if defined(CUDART_VERSION) && CUDART_VERSION < 13000
  return cudaStreamGetCaptureInfo(stream, &status, nullptr, &place->graph, &place->last,
                                  &place->count);
#else
  return cudaStreamGetCaptureInfo(stream, &status, nullptr, &place->graph, &place->last, nullptr,
                                  &place->count);
#endif
}

// The stream's next node comes after these alone.
inline cudaError_t go_on_after(cudaStream_t stream, cudaGraphNode_t* nodes, size_t count) {
#if defined(CUDART_VERSION) && CUDART_VERSION < 13000
  return cudaStreamUpdateCaptureDependencies(stream, nodes, count,
                                             cudaStreamSetCaptureDependencies);
#else
  return cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, count,
                                             cudaStreamSetCaptureDependencies);
#endif
}

#endif

}  // namespace sinter_helpers
