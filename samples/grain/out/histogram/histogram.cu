// histogram.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "histogram/histogram.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = histogram_kernels;

const char* histogram_range(const char* step);  // for profilers, see ranges.cpp

struct HistogramInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct HistogramGraph {
  HistogramInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const HistogramTensor kHistogramInputTable[] = {
    {"values", "f32", 1, kHistogramInValues, 8000},
    {"weights_in", "f32", 1, kHistogramInWeightsIn, 8000},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const HistogramTensor kHistogramOutputTable[] = {
    {"counts", "s32", 1, kHistogramOutCounts, 128},
    {"sums", "f32", 1, kHistogramOutSums, 128},
    {"peaks", "f32", 1, kHistogramOutPeaks, 128},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr HistogramOptions kDefaults = HISTOGRAM_OPTIONS;

thread_local constinit LastError last_error("histogram");

// True if the step did not succeed; then histogram_last_error() says why.
bool failed(const Step<histogram_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

HistogramStatus histogram_create_with(HistogramInstance** instance, const HistogramOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

HistogramStatus histogram_run(HistogramInstance* instance, const HistogramInputs* in,
                              const HistogramOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kHistogramInputTable, out, kHistogramOutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<histogram_range> range("histogram_run");

  // counts, sums, peaks  (histogram.grain:6)
  if (failed({"histogram", kernels::histogram::enqueue(in->values, in->weights_in, out->counts,
                                                       out->sums, out->peaks, stream)})) {
    return kHistogramCudaError;
  }

  return kHistogramOk;
}

void histogram_destroy(HistogramInstance* instance) {
  destroy_instance(instance);
}

HistogramStatus histogram_capture(HistogramGraph** graph, HistogramInstance* instance,
                                  const HistogramInputs* in, const HistogramOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return histogram_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

HistogramStatus histogram_graph_launch(const HistogramGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

HistogramStatus histogram_graph_update(HistogramGraph* graph, const HistogramInputs* in,
                                       const HistogramOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return histogram_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t histogram_graph_exec(const HistogramGraph* graph) { return exec_of(graph); }

void histogram_graph_destroy(HistogramGraph* graph) { destroy_graph(graph); }

int64_t histogram_workspace_bytes() { return kWorkspaceBytes; }

const char* histogram_last_error() { return last_error.text(); }

const char* histogram_status_text(HistogramStatus status) { return status_text(status); }
