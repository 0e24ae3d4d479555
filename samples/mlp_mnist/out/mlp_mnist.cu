// mlp_mnist.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "mlp_mnist/mlp_mnist.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = mlp_mnist_kernels;

const char* mlp_mnist_range(const char* step);  // for profilers, see ranges.cpp

struct MlpMnistInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct MlpMnistGraph {
  MlpMnistInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const MlpMnistTensor kMlpMnistInputTable[] = {
    {"params_0_b", "f32", 1, kMlpMnistInParams0B, 192},
    {"params_0_w", "f32", 2, kMlpMnistInParams0W, 12288},
    {"params_1_b", "f32", 1, kMlpMnistInParams1B, 128},
    {"params_1_w", "f32", 2, kMlpMnistInParams1W, 6144},
    {"params_2_b", "f32", 1, kMlpMnistInParams2B, 40},
    {"params_2_w", "f32", 2, kMlpMnistInParams2W, 1280},
    {"images", "f32", 2, kMlpMnistInImages, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const MlpMnistTensor kMlpMnistOutputTable[] = {
    {"probability", "f32", 2, kMlpMnistOutProbability, 640},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr MlpMnistOptions kDefaults = MLP_MNIST_OPTIONS;

thread_local constinit LastError last_error("mlp_mnist");

// True if the step did not succeed; then mlp_mnist_last_error() says why.
bool failed(const Step<mlp_mnist_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

MlpMnistStatus mlp_mnist_create_with(MlpMnistInstance** instance, const MlpMnistOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

MlpMnistStatus mlp_mnist_run(MlpMnistInstance* instance, const MlpMnistInputs* in,
                             const MlpMnistOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kMlpMnistInputTable, out, kMlpMnistOutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<mlp_mnist_range> range("mlp_mnist_run");

  // network  (vision.py:28)
  if (failed({"mlp_mnist", kernels::mlp_mnist::enqueue(in->params_0_b, in->params_0_w,
                                                       in->params_1_b, in->params_1_w,
                                                       in->params_2_b, in->params_2_w, in->images,
                                                       out->probability, stream)})) {
    return kMlpMnistCudaError;
  }

  return kMlpMnistOk;
}

void mlp_mnist_destroy(MlpMnistInstance* instance) {
  destroy_instance(instance);
}

MlpMnistStatus mlp_mnist_capture(MlpMnistGraph** graph, MlpMnistInstance* instance,
                                 const MlpMnistInputs* in, const MlpMnistOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return mlp_mnist_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

MlpMnistStatus mlp_mnist_graph_launch(const MlpMnistGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

MlpMnistStatus mlp_mnist_graph_update(MlpMnistGraph* graph, const MlpMnistInputs* in,
                                      const MlpMnistOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return mlp_mnist_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t mlp_mnist_graph_exec(const MlpMnistGraph* graph) { return exec_of(graph); }

void mlp_mnist_graph_destroy(MlpMnistGraph* graph) { destroy_graph(graph); }

int64_t mlp_mnist_workspace_bytes() { return kWorkspaceBytes; }

const char* mlp_mnist_last_error() { return last_error.text(); }

const char* mlp_mnist_status_text(MlpMnistStatus status) { return status_text(status); }
