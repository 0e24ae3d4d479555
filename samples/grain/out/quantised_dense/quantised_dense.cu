// quantised_dense.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 256 bytes; the largest live set is 256 bytes.

#include "quantised_dense/quantised_dense.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = quantised_dense_kernels;

const char* quantised_dense_range(const char* step);  // for profilers, see ranges.cpp

struct QuantisedDenseInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: arena
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct QuantisedDenseGraph {
  QuantisedDenseInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const QuantisedDenseTensor kQuantisedDenseInputTable[] = {
    {"x", "f32", 2, kQuantisedDenseInX, 8192},
    {"w", "s8", 2, kQuantisedDenseInW, 3072},
    {"w_scale", "f32", 1, kQuantisedDenseInWScale, 192},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const QuantisedDenseTensor kQuantisedDenseOutputTable[] = {
    {"y", "f32", 2, kQuantisedDenseOutY, 6144},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 256;
constexpr QuantisedDenseOptions kDefaults = QUANTISED_DENSE_OPTIONS;

thread_local constinit LastError last_error("quantised_dense");

// True if the step did not succeed; then quantised_dense_last_error() says why.
bool failed(const Step<quantised_dense_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

QuantisedDenseStatus quantised_dense_create_with(QuantisedDenseInstance** instance,
                                                 const QuantisedDenseOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

QuantisedDenseStatus quantised_dense_run(QuantisedDenseInstance* instance,
                                         const QuantisedDenseInputs* in,
                                         const QuantisedDenseOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kQuantisedDenseInputTable, out,
                                  kQuantisedDenseOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<quantised_dense_range> range("quantised_dense_run");

  float* const scale = at<float>(instance->workspace, 0);  // f32[32]

  // reduce  (quantised_dense.grain:6)
  if (failed({"scale", kernels::scale::enqueue(in->x, scale, stream)})) {
    return kQuantisedDenseCudaError;
  }

  // y  (quantised_dense.grain:9)
  if (failed({"product", kernels::product::enqueue(in->x, in->w, in->w_scale, scale, out->y,
                                                   stream)})) {
    return kQuantisedDenseCudaError;
  }

  return kQuantisedDenseOk;
}

void quantised_dense_destroy(QuantisedDenseInstance* instance) {
  destroy_instance(instance);
}

QuantisedDenseStatus quantised_dense_capture(QuantisedDenseGraph** graph,
                                             QuantisedDenseInstance* instance,
                                             const QuantisedDenseInputs* in,
                                             const QuantisedDenseOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return quantised_dense_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

QuantisedDenseStatus quantised_dense_graph_launch(const QuantisedDenseGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

QuantisedDenseStatus quantised_dense_graph_update(QuantisedDenseGraph* graph,
                                                  const QuantisedDenseInputs* in,
                                                  const QuantisedDenseOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return quantised_dense_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t quantised_dense_graph_exec(const QuantisedDenseGraph* graph) { return exec_of(graph); }

void quantised_dense_graph_destroy(QuantisedDenseGraph* graph) { destroy_graph(graph); }

int64_t quantised_dense_workspace_bytes() { return kWorkspaceBytes; }

const char* quantised_dense_last_error() { return last_error.text(); }

const char* quantised_dense_status_text(QuantisedDenseStatus status) { return status_text(status); }
