// run_graph.cuh: runs that are launches of a graph, where the options of an instance ask for it:
// what decides about loops and branches are then nodes of it, and the host waits for none of them;
// launches that need nothing of each other are branches of it.

#pragma once

#include <cstring>

#include "launcher/graph.cuh"

inline namespace sinter_helpers {

// The option.
enum GraphChoice : int32_t {
  kNoGraph = 0,
  kGraphIfPossible = 1,
  kGraphOnly = 2,
};

// What is said of a program whose loops or branches can be no nodes.
inline Failure refuse_graph(int32_t choice, const char* why, LastError& last_error) {
  if (choice != kGraphOnly) return {};
  return last_error.say(Failure::kCannotCapture, "no graph of a run: %s", why);
}

// `In` and `Out` are a program's arrays.
template <class In, class Out>
struct RunGraph {
  int32_t choice = kNoGraph;
  In in = {};  // that it is made for
  Out out = {};
  cudaGraphExec_t exec = nullptr;
  cudaGraph_t recorded = nullptr;

  // Of a program about whose steps data decides: `has_nodes` tells whether CUDA has
  // nodes for that.
  Failure choose(int32_t wanted, bool (*has_nodes)(), LastError& last_error) {
    choice = wanted != kNoGraph && has_nodes() ? wanted : kNoGraph;
    if (choice == wanted) return {};
    return refuse_graph(wanted, "what data decides takes CUDA 12.4", last_error);
  }
  bool is_of(const In& other_in, const Out& other_out) const {
    return exec != nullptr && std::memcmp(&in, &other_in, sizeof in) == 0 &&
           std::memcmp(&out, &other_out, sizeof out) == 0;
  }
};

// Makes the graph for other arrays. Launches of the one before may be on their way.
template <class In, class Out, class Run>
Failure make_run_graph(RunGraph<In, Out>* graph, const In& in, const Out& out, cudaStream_t stream,
                       Run run, LastError& last_error) {
  if (graph->exec != nullptr) {
    const cudaError_t error = cudaStreamSynchronize(stream);
    if (error != cudaSuccess) return last_error.say("graph", error);
    end_graph(graph);
  }
  cudaGraph_t recorded = nullptr;
  if (const Failure failure = record_run(&recorded, run, last_error)) return failure;
  const cudaError_t error = instantiate_graph(graph, recorded);
  if (error != cudaSuccess) return last_error.say("graph", error);
  graph->in = in;
  graph->out = out;
  return {};
}

// True if the run is a launch of its graph, or has failed; else its steps are to be done. `run` puts
// them on a stream.
template <class In, class Out, class Run>
bool run_as_graph(RunGraph<In, Out>* graph, const In& in, const Out& out, cudaStream_t stream,
                  Run run, Failure* failure, LastError& last_error) {
  if (graph->choice == kNoGraph || step_listener.told != nullptr) return false;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaError_t error = cudaStreamIsCapturing(stream, &status);
  if (error == cudaSuccess && status != cudaStreamCaptureStatusNone) return false;
  if (error == cudaSuccess && !graph->is_of(in, out)) {
    *failure = make_run_graph(graph, in, out, stream, run, last_error);
    if (*failure && graph->choice == kGraphIfPossible) {
      graph->choice = kNoGraph;
      *failure = {};
      last_error.clear();
      return false;
    }
    if (*failure) return true;
  }
  if (error == cudaSuccess) error = cudaGraphLaunch(graph->exec, stream);
  if (error != cudaSuccess) *failure = last_error.say("graph", error);
  return true;
}

}  // namespace sinter_helpers
