// conjugate_gradient.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "conjugate_gradient/conjugate_gradient.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = conjugate_gradient_kernels;

const char* conjugate_gradient_range(const char* step);  // for profilers, see ranges.cpp

struct ConjugateGradientInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct ConjugateGradientGraph {
  ConjugateGradientInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const ConjugateGradientTensor kConjugateGradientInputTable[] = {
    {"b", "f32", 2, kConjugateGradientInB, 2304},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const ConjugateGradientTensor kConjugateGradientOutputTable[] = {
    {"n", "s32", 0, nullptr, 4},
    {"x", "f32", 2, kConjugateGradientOutX, 2304},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr ConjugateGradientOptions kDefaults = CONJUGATE_GRADIENT_OPTIONS;

thread_local constinit LastError last_error("conjugate_gradient");

// True if the step did not succeed; then conjugate_gradient_last_error() says why.
bool failed(const Step<conjugate_gradient_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

ConjugateGradientStatus conjugate_gradient_create_with(ConjugateGradientInstance** instance,
                                                       const ConjugateGradientOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

ConjugateGradientStatus conjugate_gradient_run(ConjugateGradientInstance* instance,
                                               const ConjugateGradientInputs* in,
                                               const ConjugateGradientOutputs* out,
                                               cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kConjugateGradientInputTable, out,
                                  kConjugateGradientOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<conjugate_gradient_range> range("conjugate_gradient_run");

  // while.9, while.10  (simulation.py:128)
  if (failed({"step", kernels::step::enqueue(in->b, out->n, out->x, stream)})) {
    return kConjugateGradientCudaError;
  }

  return kConjugateGradientOk;
}

void conjugate_gradient_destroy(ConjugateGradientInstance* instance) {
  destroy_instance(instance);
}

ConjugateGradientStatus conjugate_gradient_capture(ConjugateGradientGraph** graph,
                                                   ConjugateGradientInstance* instance,
                                                   const ConjugateGradientInputs* in,
                                                   const ConjugateGradientOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return conjugate_gradient_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

ConjugateGradientStatus conjugate_gradient_graph_launch(const ConjugateGradientGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

ConjugateGradientStatus conjugate_gradient_graph_update(ConjugateGradientGraph* graph,
                                                        const ConjugateGradientInputs* in,
                                                        const ConjugateGradientOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return conjugate_gradient_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t conjugate_gradient_graph_exec(const ConjugateGradientGraph* graph) { return exec_of(graph); }

void conjugate_gradient_graph_destroy(ConjugateGradientGraph* graph) { destroy_graph(graph); }

int64_t conjugate_gradient_workspace_bytes() { return kWorkspaceBytes; }

const char* conjugate_gradient_last_error() { return last_error.text(); }

const char* conjugate_gradient_status_text(ConjugateGradientStatus status) { return status_text(status); }
