// Streams, and their capture. Work is done when the call returns that puts it on a stream. While
// the stream is captured it is recorded instead, and done by each launch of the graph (graphs.h).
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "cpu/errors.h"
#include "cpu/graphs.h"

// A type of the CUDA headers, which emitted C interfaces declare too. Nobody looks into it.
struct CUstream_st;

inline namespace sinter_helpers {

using cudaStream_t = CUstream_st*;

namespace sinter_cpu {

struct Capture {
  Graph* graph;
  bool owned = true;                  // it is the capture's until that ends; else a node's
  bool broken = false;                // by a call that cannot be recorded
  std::vector<cudaGraphNode_t> last;  // which the next node comes after
  Capture(Graph* recorded, bool is_owned) : graph(recorded), owned(is_owned) {}
  Capture(Capture&& other) noexcept
      : graph(std::exchange(other.graph, nullptr)),
        owned(other.owned),
        broken(other.broken),
        last(std::move(other.last)) {}
  ~Capture() {
    if (owned) delete graph;
  }
};

// The streams that this host thread captures.
inline std::map<cudaStream_t, Capture>& captures() {
  thread_local std::map<cudaStream_t, Capture> value;
  return value;
}
inline bool is_captured(cudaStream_t stream) {
  return stream != nullptr && !captures().empty() && captures().contains(stream);
}

inline cudaError_t record(cudaStream_t stream, GraphNode node) {
  Capture& capture = captures().at(stream);
  capture.last = {
      add_node(*capture.graph, std::move(node), capture.last.data(), capture.last.size())};
  return cudaSuccess;
}
template <class Work>
cudaError_t record(cudaStream_t stream, const void* what, Work work) {
  return record(stream, GraphNode{.what = what, .work = std::move(work)});
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
  ++sinter_cpu::counters().waits;
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
  if (sinter_cpu::is_captured(stream)) return sinter_cpu::result(cudaErrorInvalidValue);
  sinter_cpu::captures().try_emplace(stream, new sinter_cpu::Graph, true);
  return cudaSuccess;
}
// Into a graph that is there, after these nodes.
inline cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                 const cudaGraphNode_t* after,
                                                 const cudaGraphEdgeData*, size_t count,
                                                 cudaStreamCaptureMode) {
  if (const cudaError_t error = sinter_cpu::fault("cudaStreamBeginCaptureToGraph")) return error;
  if (stream == nullptr) return sinter_cpu::result(cudaErrorStreamCaptureUnsupported);
  sinter_cpu::Graph* to = sinter_cpu::graph_of(graph);
  if (sinter_cpu::is_captured(stream) || !sinter_cpu::positions_of(*to, after, count))
    return sinter_cpu::result(cudaErrorInvalidValue);
  sinter_cpu::captures().try_emplace(stream, to, false).first->second.last = {after, after + count};
  return cudaSuccess;
}
// The capture is over, whatever comes of it.
inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = nullptr;
  auto ended = sinter_cpu::captures().extract(stream);
  if (const cudaError_t error = sinter_cpu::fault("cudaStreamEndCapture")) return error;
  if (ended.empty()) return sinter_cpu::result(cudaErrorInvalidValue);
  sinter_cpu::Capture& capture = ended.mapped();
  if (capture.broken) return sinter_cpu::result(cudaErrorStreamCaptureInvalidated);
  *graph = reinterpret_cast<cudaGraph_t>(std::exchange(capture.graph, nullptr));
  return cudaSuccess;
}

// `last`: the nodes that come before the next one.
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                            unsigned long long*, cudaGraph_t* graph,
                                            const cudaGraphNode_t** last, const cudaGraphEdgeData**,
                                            size_t* count) {
  if (const cudaError_t error = sinter_cpu::fault("cudaStreamGetCaptureInfo")) return error;
  cudaStreamIsCapturing(stream, status);
  if (!sinter_cpu::is_captured(stream)) return cudaSuccess;
  const sinter_cpu::Capture& capture = sinter_cpu::captures().at(stream);
  *graph = reinterpret_cast<cudaGraph_t>(capture.graph);
  *last = capture.last.data();
  *count = capture.last.size();
  return cudaSuccess;
}

enum cudaStreamUpdateCaptureDependenciesFlags {
  cudaStreamAddCaptureDependencies,
  cudaStreamSetCaptureDependencies,
};
// The next node comes after these alone.
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                       const cudaGraphEdgeData*, size_t count,
                                                       unsigned flags) {
  if (const cudaError_t error = sinter_cpu::fault("cudaStreamUpdateCaptureDependencies"))
    return error;
  if (!sinter_cpu::is_captured(stream) || flags != cudaStreamSetCaptureDependencies)
    return sinter_cpu::result(cudaErrorInvalidValue);
  sinter_cpu::Capture& capture = sinter_cpu::captures().at(stream);
  if (!sinter_cpu::positions_of(*capture.graph, nodes, count))
    return sinter_cpu::result(cudaErrorInvalidValue);
  capture.last = {nodes, nodes + count};
  return cudaSuccess;
}

inline cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  if (const cudaError_t error = sinter_cpu::fault("cudaGraphLaunch")) return error;
  const sinter_cpu::Graph& graph = *sinter_cpu::graph_of(exec);
  if (!sinter_cpu::is_captured(stream)) return sinter_cpu::run_graph(graph);
  static constexpr char what = 'g';
  const auto copy = std::make_shared<sinter_cpu::Graph>(sinter_cpu::copy_of(graph));
  return sinter_cpu::record(stream, &what, [=] { return sinter_cpu::run_graph(*copy); });
}

}  // namespace sinter_helpers
