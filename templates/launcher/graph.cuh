// graph.cuh: a run as a CUDA graph: recorded once, launched often, and recorded again where its
// arrays are others.

#pragma once

#include <new>

#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/instance.cuh"

inline namespace sinter_helpers {

// What one run puts on a stream. `run` takes the stream, and gives a status.
template <class Run>
Failure record_run(cudaGraph_t* graph, Run run, LastError& last_error) {
  *graph = nullptr;
  cudaStream_t stream = nullptr;
  cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  if (error != cudaSuccess) return last_error.say("capture", error);
  // Relaxed: launches may have to load their kernels first. Nobody else has this stream.
  error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  Failure failure;
  if (error == cudaSuccess) {
    failure.kind = static_cast<Failure::Kind>(run(stream));
    const Ending ending;
    error = cudaStreamEndCapture(stream, graph);
  }
  if (!failure && error != cudaSuccess) failure = last_error.say("capture", error);
  const Ending ending;
  cudaStreamDestroy(stream);
  if (!failure || *graph == nullptr) return failure;
  cudaGraphDestroy(*graph);
  *graph = nullptr;
  return failure;
}

// True of a program's type of graph that keeps what it was made of, which has what its conditional
// nodes read. Other arrays then are another graph: CUDA does not say what becomes of the handles
// that are arguments.
template <class Graph>
constexpr bool kKeepsRecorded = requires(Graph& graph) { graph.recorded; };

template <class Graph>
void end_graph(Graph* graph) {
  const Ending ending;
  if (graph->exec != nullptr) cudaGraphExecDestroy(graph->exec);
  graph->exec = nullptr;
  if constexpr (kKeepsRecorded<Graph>) {
    if (graph->recorded != nullptr) cudaGraphDestroy(graph->recorded);
    graph->recorded = nullptr;
  }
}

template <class Graph>
cudaGraphExec_t exec_of(const Graph* graph) {
  return graph == nullptr ? nullptr : graph->exec;
}

// `Graph` is a program's type of one.
template <class Graph>
void destroy_graph(Graph* graph) {
  if (graph == nullptr) return;
  if (graph->exec != nullptr) {
    const Ending ending;
    const OnDevice on(graph->instance_device);
    end_graph(graph);
  }
  delete graph;
}

// Makes `recorded` what the graph launches; it is the graph's to end from now on.
template <class Graph>
cudaError_t instantiate_graph(Graph* graph, cudaGraph_t recorded) {
  const cudaError_t error = cudaGraphInstantiateWithFlags(&graph->exec, recorded, 0);
  if constexpr (kKeepsRecorded<Graph>) {
    graph->recorded = recorded;
    if (error != cudaSuccess) end_graph(graph);
  } else {
    const Ending ending;
    cudaGraphDestroy(recorded);
  }
  return error;
}

// *graph is null if this fails.
template <class Graph, class Own, class Run>
Failure capture_run(Graph** graph, Own* instance, Run run, LastError& last_error) {
  last_error.clear();
  if (graph == nullptr)
    return last_error.say(Failure::kInvalidArgument, "no place for the graph");
  *graph = nullptr;
  cudaGraph_t recorded = nullptr;
  if (const Failure failure = record_run(&recorded, run, last_error)) return failure;
  auto* created = new (std::nothrow) Graph{instance, instance->device};
  Failure failure;
  if (created == nullptr) {
    failure = last_error.say(Failure::kOutOfMemory, "out of host memory");
    const Ending ending;
    cudaGraphDestroy(recorded);
    return failure;
  }
  const cudaError_t error = instantiate_graph(created, recorded);
  if (error != cudaSuccess) {
    failure = last_error.say("capture", error);
    destroy_graph(created);
  } else {
    *graph = created;
  }
  return failure;
}

// Other arrays are other arguments of the same kernels, copies and clears.
inline cudaError_t replace_arguments(cudaGraphExec_t exec, cudaGraph_t graph) {
#if defined(CUDART_VERSION) && CUDART_VERSION < 12000
  cudaGraphNode_t node;
  cudaGraphExecUpdateResult result;
  return cudaGraphExecUpdate(exec, graph, &node, &result);
#else
  cudaGraphExecUpdateResultInfo result;
  return cudaGraphExecUpdate(exec, graph, &result);
#endif
}

template <class Graph, class Run>
Failure update_graph(Graph* graph, Run run, LastError& last_error) {
  last_error.clear();
  if (graph == nullptr || graph->exec == nullptr)
    return last_error.say(Failure::kInvalidArgument, "no graph to update");
  cudaGraph_t recorded = nullptr;
  if (const Failure failure = record_run(&recorded, run, last_error)) return failure;
  Failure failure;
  if constexpr (kKeepsRecorded<Graph>) {
    end_graph(graph);
    const cudaError_t error = instantiate_graph(graph, recorded);
    if (error != cudaSuccess) failure = last_error.say("graph_update", error);
  } else {
    const cudaError_t error = replace_arguments(graph->exec, recorded);
    if (error != cudaSuccess) failure = last_error.say("graph_update", error);
    const Ending ending;
    cudaGraphDestroy(recorded);
    if (failure) end_graph(graph);  // of some nodes the arguments may be others
  }
  return failure;
}

template <class Graph>
Failure launch_graph(const Graph* graph, cudaStream_t stream, LastError& last_error) {
  last_error.clear();
  if (graph == nullptr || graph->exec == nullptr)
    return last_error.say(Failure::kInvalidArgument, "no graph to launch");
  if (const Failure failure = check_device(graph->instance_device, last_error)) return failure;
  const cudaError_t error = cudaGraphLaunch(graph->exec, stream);
  return error == cudaSuccess ? Failure() : last_error.say("graph_launch", error);
}

// What is said of a program whose runs cannot be recorded.
template <class Graph>
Failure refuse_capture(Graph** graph, const char* why, LastError& last_error) {
  last_error.clear();
  if (graph != nullptr) *graph = nullptr;
  return last_error.say(Failure::kCannotCapture, "no graph of a run: %s", why);
}

}  // namespace sinter_helpers
