// classifier.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 512 bytes; the largest live set is 512 bytes.
// Constants: 1.3 kB.

#include "classifier/classifier.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = classifier_kernels;

extern "C" const unsigned char classifier_constants[];  // constants.bin, see constants.cpp

const char* classifier_range(const char* step);  // for profilers, see ranges.cpp

struct ClassifierInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: arena, constants
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
  void* constants = nullptr;   // constants.bin, in the workspace
};

struct ClassifierGraph {
  ClassifierInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const ClassifierTensor kClassifierInputTable[] = {
    {"x", "f32", 2, kClassifierInX, 2048},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const ClassifierTensor kClassifierOutputTable[] = {
    {"probs", "f32", 2, kClassifierOutProbs, 512},
    {"best", "s32", 1, kClassifierOutBest, 128},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 2048;
constexpr size_t kConstantsBytes = 1296;
constexpr ClassifierOptions kDefaults = CLASSIFIER_OPTIONS;

thread_local constinit LastError last_error("classifier");

// True if the step did not succeed; then classifier_last_error() says why.
bool failed(const Step<classifier_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(ClassifierInstance& created) {
  created.constants = at<void>(created.workspace, 512);
  cudaError_t error = copy_to_device(created.constants, classifier_constants, kConstantsBytes);
  return error;
}

}  // namespace

ClassifierStatus classifier_create_with(ClassifierInstance** instance,
                                        const ClassifierOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error,
                         {.prepare = prepare});
}

ClassifierStatus classifier_run(ClassifierInstance* instance, const ClassifierInputs* in,
                                const ClassifierOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kClassifierInputTable, out, kClassifierOutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<classifier_range> range("classifier_run");

  float* const y = at<float>(instance->workspace, 0);                            // f32[32,4]
  const float* const net_first_w = at<const float>(instance->constants, 0);      // f32[16,12]
  const float* const net_first_b = at<const float>(instance->constants, 768);    // f32[12]
  const float* const net_second_w = at<const float>(instance->constants, 1024);  // f32[12,4]
  const float* const net_second_b = at<const float>(instance->constants, 1280);  // f32[4]

  // dot.1  (nn.grain:20)
  if (failed({"dense", kernels::dense::enqueue(in->x, net_first_w, net_first_b, net_second_w, y,
                                               stream)})) {
    return kClassifierCudaError;
  }

  // best  (classifier.grain:17), and 1 more
  const kernels::best::BestArrays best_arrays = {
      .best_2 = {y, net_second_b, out->best},
      .softmax = {y, net_second_b, out->probs},
  };
  if (failed({"best", kernels::best::enqueue(best_arrays, stream)})) return kClassifierCudaError;

  return kClassifierOk;
}

void classifier_destroy(ClassifierInstance* instance) {
  destroy_instance(instance);
}

ClassifierStatus classifier_capture(ClassifierGraph** graph, ClassifierInstance* instance,
                                    const ClassifierInputs* in, const ClassifierOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return classifier_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

ClassifierStatus classifier_graph_launch(const ClassifierGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

ClassifierStatus classifier_graph_update(ClassifierGraph* graph, const ClassifierInputs* in,
                                         const ClassifierOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return classifier_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t classifier_graph_exec(const ClassifierGraph* graph) { return exec_of(graph); }

void classifier_graph_destroy(ClassifierGraph* graph) { destroy_graph(graph); }

int64_t classifier_workspace_bytes() { return kWorkspaceBytes; }

const char* classifier_last_error() { return last_error.text(); }

const char* classifier_status_text(ClassifierStatus status) { return status_text(status); }
