// Streams, and graphs of what they are given. Work is done when the call returns that puts it on a
// stream. While the stream is captured it is recorded instead, and done by each launch of the
// graph.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "cpu/errors.h"

// Types of the CUDA headers, which emitted C interfaces declare too. Nobody looks into them.
struct CUstream_st;
struct CUgraph_st;
struct CUgraphExec_st;

inline namespace sinter_helpers {

using cudaStream_t = CUstream_st*;
using cudaGraph_t = CUgraph_st*;
using cudaGraphExec_t = CUgraphExec_st*;

namespace sinter_cpu {

struct GraphNode {
  const void* what;  // the kernel, or what stands for copies or clears
  std::function<cudaError_t()> work;
};
using GraphNodes = std::vector<GraphNode>;  // in order; behind cudaGraph_t and cudaGraphExec_t

inline GraphNodes& nodes_of(void* graph) { return *static_cast<GraphNodes*>(graph); }

struct Capture {
  GraphNodes nodes;
  bool broken = false;  // by a call that cannot be recorded
};

// The streams that this host thread captures.
inline std::map<cudaStream_t, Capture>& captures() {
  thread_local std::map<cudaStream_t, Capture> value;
  return value;
}
inline bool is_captured(cudaStream_t stream) {
  return stream != nullptr && !captures().empty() && captures().contains(stream);
}

template <class Work>
cudaError_t record(cudaStream_t stream, const void* what, Work work) {
  captures().at(stream).nodes.push_back({what, std::move(work)});
  return cudaSuccess;
}

// What waits for the stream cannot be recorded.
inline cudaError_t wait(cudaStream_t stream) {
  if (!is_captured(stream)) return cudaSuccess;
  captures().at(stream).broken = true;
  return result(cudaErrorStreamCaptureUnsupported);
}

}  // namespace sinter_cpu

inline constexpr unsigned cudaStreamDefault = 0, cudaStreamNonBlocking = 1;

inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = nullptr;
  if (const cudaError_t error = sinter_cpu::fault("cudaStreamCreate")) return error;
  return *stream = reinterpret_cast<cudaStream_t>(new char), cudaSuccess;
}
inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  sinter_cpu::captures().erase(stream);
  delete reinterpret_cast<char*>(stream);
  return sinter_cpu::fault("cudaStreamDestroy");
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (const cudaError_t error = sinter_cpu::fault("cudaStreamSynchronize")) return error;
  return sinter_cpu::wait(stream);
}
inline cudaError_t cudaStreamQuery(cudaStream_t stream) { return sinter_cpu::wait(stream); }

enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone,
  cudaStreamCaptureStatusActive,
  cudaStreamCaptureStatusInvalidated,
};
inline cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  *status = cudaStreamCaptureStatusNone;
  if (!sinter_cpu::is_captured(stream)) return cudaSuccess;
  const bool broken = sinter_cpu::captures().at(stream).broken;
  *status = broken ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureModeRelaxed,
};
inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (const cudaError_t error = sinter_cpu::fault("cudaStreamBeginCapture")) return error;
  if (stream == nullptr) return sinter_cpu::result(cudaErrorStreamCaptureUnsupported);
  const bool begun = sinter_cpu::captures().try_emplace(stream).second;
  return begun ? cudaSuccess : sinter_cpu::result(cudaErrorInvalidValue);
}
// The capture is over, whatever comes of it.
inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = nullptr;
  auto ended = sinter_cpu::captures().extract(stream);
  if (const cudaError_t error = sinter_cpu::fault("cudaStreamEndCapture")) return error;
  if (ended.empty()) return sinter_cpu::result(cudaErrorInvalidValue);
  sinter_cpu::Capture& capture = ended.mapped();
  if (capture.broken) return sinter_cpu::result(cudaErrorStreamCaptureInvalidated);
  auto* nodes = new sinter_cpu::GraphNodes(std::move(capture.nodes));
  return *graph = reinterpret_cast<cudaGraph_t>(nodes), cudaSuccess;
}

inline cudaError_t cudaGraphGetNodes(cudaGraph_t graph, void*, size_t* count) {
  return *count = sinter_cpu::nodes_of(graph).size(), cudaSuccess;
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete &sinter_cpu::nodes_of(graph);
  return sinter_cpu::fault("cudaGraphDestroy");
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                 unsigned long long) {
  *exec = nullptr;
  if (const cudaError_t error = sinter_cpu::fault("cudaGraphInstantiate")) return error;
  auto* nodes = new sinter_cpu::GraphNodes(sinter_cpu::nodes_of(graph));
  return *exec = reinterpret_cast<cudaGraphExec_t>(nodes), cudaSuccess;
}
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  delete &sinter_cpu::nodes_of(exec);
  return sinter_cpu::fault("cudaGraphExecDestroy");
}

// Arguments may differ, and nothing else.
struct cudaGraphExecUpdateResultInfo {};
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                       cudaGraphExecUpdateResultInfo*) {
  if (const cudaError_t error = sinter_cpu::fault("cudaGraphExecUpdate")) return error;
  sinter_cpu::GraphNodes &now = sinter_cpu::nodes_of(exec), &then = sinter_cpu::nodes_of(graph);
  bool same = now.size() == then.size();
  for (size_t i = 0; same && i < now.size(); ++i) same = now[i].what == then[i].what;
  if (!same) return sinter_cpu::result(cudaErrorGraphExecUpdateFailure);
  return now = then, cudaSuccess;
}

inline cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  if (const cudaError_t error = sinter_cpu::fault("cudaGraphLaunch")) return error;
  for (const sinter_cpu::GraphNode& node : sinter_cpu::nodes_of(exec)) {
    const cudaError_t error = sinter_cpu::is_captured(stream)
                                  ? sinter_cpu::record(stream, node.what, node.work)
                                  : node.work();
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace sinter_helpers
