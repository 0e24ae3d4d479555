// conditional_nodes.cuh: nodes of a captured stream's graph about which data decides. CUDA has them
// from 12.4 on.

#pragma once

#include "device/launch.cuh"
#include "launcher/captured.cuh"
#include "launcher/failure.cuh"

inline namespace sinter_helpers {

using NodeCondition = unsigned long long;  // a cudaGraphConditionalHandle
enum class NodeKind {
  kIf,
  kWhile,
};

#if defined(CUDART_VERSION) && CUDART_VERSION < 12040

inline bool has_conditional_nodes() { return false; }
__device__ inline void set_condition(NodeCondition, bool) {}
inline cudaError_t create_condition(cudaStream_t, NodeCondition*) { return cudaErrorNotSupported; }
inline cudaError_t add_conditional_node(cudaStream_t, NodeCondition, NodeKind, cudaGraph_t*) {
  return cudaErrorNotSupported;
}
inline cudaError_t capture_to(cudaStream_t, cudaGraph_t) { return cudaErrorNotSupported; }

#else

// The driver may be older than what this was compiled with.
inline bool has_conditional_nodes() {
  int driver = 0;
  if (cudaDriverGetVersion(&driver) == cudaSuccess) return driver >= 12040;
  cudaGetLastError();
  return false;
}

// One thread of a kernel, before the node or in a loop's body.
__device__ inline void set_condition(NodeCondition condition, bool holds) {
  cudaGraphSetConditional(condition, holds ? 1u : 0u);
}

// Of one node of the stream's graph.
inline cudaError_t create_condition(cudaStream_t stream, NodeCondition* condition) {
  CapturePlace place;
  const cudaError_t error = find_place(stream, &place);
  if (error != cudaSuccess) return error;
  return cudaGraphConditionalHandleCreate(condition, place.graph, 0, cudaGraphCondAssignDefault);
}

// Comes after all that the stream was given, and before what it is given next.
inline cudaError_t add_conditional_node(cudaStream_t stream, NodeCondition condition, NodeKind kind,
                                        cudaGraph_t* body) {
  CapturePlace place;
  cudaError_t error = find_place(stream, &place);
  if (error != cudaSuccess) return error;
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = condition;
  parameters.conditional.type =
      kind == NodeKind::kWhile ? cudaGraphCondTypeWhile : cudaGraphCondTypeIf;
  parameters.conditional.size = 1;
  cudaGraphNode_t node = nullptr;
#if defined(CUDART_VERSION) && CUDART_VERSION < 13000
  error = cudaGraphAddNode(&node, place.graph, place.last, place.count, &parameters);
#else
  error = cudaGraphAddNode(&node, place.graph, place.last, nullptr, place.count, &parameters);
#endif
  if (error == cudaSuccess) error = go_on_after(stream, &node, 1);
  if (error == cudaSuccess) *body = parameters.conditional.phGraph_out[0];
  return error;
}

inline cudaError_t capture_to(cudaStream_t stream, cudaGraph_t body) {
  return cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                       cudaStreamCaptureModeRelaxed);
}

#endif

// The body of a node, while it is recorded: what `stream` is given.
class NodeBody {
 public:
  NodeBody() = default;
  NodeBody(const NodeBody&) = delete;
  ~NodeBody() {
    const Ending ending;
    close();
  }

  cudaStream_t stream = nullptr;

  // A node of the stream `around`, which is captured.
  cudaError_t open(cudaStream_t around, NodeCondition condition, NodeKind kind) {
    cudaGraph_t body = nullptr;
    cudaError_t error = add_conditional_node(around, condition, kind, &body);
    if (error == cudaSuccess) error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (error == cudaSuccess) error = capture_to(stream, body);
    is_open_ = error == cudaSuccess;
    return error;
  }

  bool is_open() const { return is_open_; }

  cudaError_t close() {
    cudaGraph_t body = nullptr;
    const cudaError_t error = is_open_ ? cudaStreamEndCapture(stream, &body) : cudaSuccess;
    is_open_ = false;
    if (stream == nullptr) return error;
    const Ending ending;
    cudaStreamDestroy(stream);
    stream = nullptr;
    return error;
  }

 private:
  bool is_open_ = false;
};

}  // namespace sinter_helpers
