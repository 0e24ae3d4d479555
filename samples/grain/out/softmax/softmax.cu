// softmax.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "softmax/softmax.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = softmax_kernels;

const char* softmax_range(const char* step);  // for profilers, see ranges.cpp

struct SoftmaxInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct SoftmaxGraph {
  SoftmaxInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const SoftmaxTensor kSoftmaxInputTable[] = {
    {"x", "f32", 2, kSoftmaxInX, 24832},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const SoftmaxTensor kSoftmaxOutputTable[] = {
    {"probs", "f32", 2, kSoftmaxOutProbs, 24832},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr SoftmaxOptions kDefaults = SOFTMAX_OPTIONS;

thread_local constinit LastError last_error("softmax");

// True if the step did not succeed; then softmax_last_error() says why.
bool failed(const Step<softmax_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

SoftmaxStatus softmax_create_with(SoftmaxInstance** instance, const SoftmaxOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

SoftmaxStatus softmax_run(SoftmaxInstance* instance, const SoftmaxInputs* in,
                          const SoftmaxOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kSoftmaxInputTable, out, kSoftmaxOutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<softmax_range> range("softmax_run");

  // probs  (softmax.grain:7)
  if (failed({"softmax", kernels::softmax::enqueue(in->x, out->probs, stream)})) {
    return kSoftmaxCudaError;
  }

  return kSoftmaxOk;
}

void softmax_destroy(SoftmaxInstance* instance) {
  destroy_instance(instance);
}

SoftmaxStatus softmax_capture(SoftmaxGraph** graph, SoftmaxInstance* instance,
                              const SoftmaxInputs* in, const SoftmaxOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return softmax_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

SoftmaxStatus softmax_graph_launch(const SoftmaxGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

SoftmaxStatus softmax_graph_update(SoftmaxGraph* graph, const SoftmaxInputs* in,
                                   const SoftmaxOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return softmax_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t softmax_graph_exec(const SoftmaxGraph* graph) { return exec_of(graph); }

void softmax_graph_destroy(SoftmaxGraph* graph) { destroy_graph(graph); }

int64_t softmax_workspace_bytes() { return kWorkspaceBytes; }

const char* softmax_last_error() { return last_error.text(); }

const char* softmax_status_text(SoftmaxStatus status) { return status_text(status); }
