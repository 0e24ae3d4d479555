// layernorm.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "layernorm/layernorm.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = layernorm_kernels;

const char* layernorm_range(const char* step);  // for profilers, see ranges.cpp

struct LayernormInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct LayernormGraph {
  LayernormInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const LayernormTensor kLayernormInputTable[] = {
    {"x", "f32", 2, kLayernormInX, 24576},
    {"scale", "f32", 1, kLayernormInScale, 384},
    {"bias", "f32", 1, kLayernormInBias, 384},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const LayernormTensor kLayernormOutputTable[] = {
    {"normalised", "f32", 2, kLayernormOutNormalised, 24576},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr LayernormOptions kDefaults = LAYERNORM_OPTIONS;

thread_local constinit LastError last_error("layernorm");

// True if the step did not succeed; then layernorm_last_error() says why.
bool failed(const Step<layernorm_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

LayernormStatus layernorm_create_with(LayernormInstance** instance, const LayernormOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

LayernormStatus layernorm_run(LayernormInstance* instance, const LayernormInputs* in,
                              const LayernormOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kLayernormInputTable, out, kLayernormOutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<layernorm_range> range("layernorm_run");

  // add.11  (layers.py:38)
  if (failed({"layernorm", kernels::layernorm::enqueue(in->x, in->scale, in->bias, out->normalised,
                                                       stream)})) {
    return kLayernormCudaError;
  }

  return kLayernormOk;
}

void layernorm_destroy(LayernormInstance* instance) {
  destroy_instance(instance);
}

LayernormStatus layernorm_capture(LayernormGraph** graph, LayernormInstance* instance,
                                  const LayernormInputs* in, const LayernormOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return layernorm_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

LayernormStatus layernorm_graph_launch(const LayernormGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

LayernormStatus layernorm_graph_update(LayernormGraph* graph, const LayernormInputs* in,
                                       const LayernormOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return layernorm_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t layernorm_graph_exec(const LayernormGraph* graph) { return exec_of(graph); }

void layernorm_graph_destroy(LayernormGraph* graph) { destroy_graph(graph); }

int64_t layernorm_workspace_bytes() { return kWorkspaceBytes; }

const char* layernorm_last_error() { return last_error.text(); }

const char* layernorm_status_text(LayernormStatus status) { return status_text(status); }
