// dropout.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "dropout/dropout.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = dropout_kernels;

const char* dropout_range(const char* step);  // for profilers, see ranges.cpp

struct DropoutInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct DropoutGraph {
  DropoutInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const DropoutTensor kDropoutInputTable[] = {
    {"x", "f32", 2, kDropoutInX, 24576},
    {"key", "u32", 1, kDropoutInKey, 8},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const DropoutTensor kDropoutOutputTable[] = {
    {"masked", "f32", 2, kDropoutOutMasked, 24576},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr DropoutOptions kDefaults = DROPOUT_OPTIONS;

thread_local constinit LastError last_error("dropout");

// True if the step did not succeed; then dropout_last_error() says why.
bool failed(const Step<dropout_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

DropoutStatus dropout_create_with(DropoutInstance** instance, const DropoutOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

DropoutStatus dropout_run(DropoutInstance* instance, const DropoutInputs* in,
                          const DropoutOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kDropoutInputTable, out, kDropoutOutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<dropout_range> range("dropout_run");

  // select_n.1  (elementwise.py:64)
  if (failed({"dropout", kernels::dropout::enqueue(in->x, in->key, out->masked, stream)})) {
    return kDropoutCudaError;
  }

  return kDropoutOk;
}

void dropout_destroy(DropoutInstance* instance) {
  destroy_instance(instance);
}

DropoutStatus dropout_capture(DropoutGraph** graph, DropoutInstance* instance,
                              const DropoutInputs* in, const DropoutOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return dropout_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

DropoutStatus dropout_graph_launch(const DropoutGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

DropoutStatus dropout_graph_update(DropoutGraph* graph, const DropoutInputs* in,
                                   const DropoutOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return dropout_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t dropout_graph_exec(const DropoutGraph* graph) { return exec_of(graph); }

void dropout_graph_destroy(DropoutGraph* graph) { destroy_graph(graph); }

int64_t dropout_workspace_bytes() { return kWorkspaceBytes; }

const char* dropout_last_error() { return last_error.text(); }

const char* dropout_status_text(DropoutStatus status) { return status_text(status); }
