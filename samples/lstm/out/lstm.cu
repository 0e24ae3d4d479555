// lstm.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 18.4 kB; the largest live set is 18.4 kB.

#include "lstm/lstm.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = lstm_kernels;

const char* lstm_range(const char* step);  // for profilers, see ranges.cpp

struct LstmInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: arena
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct LstmGraph {
  LstmInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const LstmTensor kLstmInputTable[] = {
    {"params_h_w", "f32", 2, kLstmInParamsHW, 9216},
    {"params_x_b", "f32", 1, kLstmInParamsXB, 384},
    {"params_x_w", "f32", 2, kLstmInParamsXW, 6144},
    {"xs", "f32", 3, kLstmInXs, 3072},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const LstmTensor kLstmOutputTable[] = {
    {"h", "f32", 2, kLstmOutH, 384},
    {"c", "f32", 2, kLstmOutC, 384},
    {"hs", "f32", 3, kLstmOutHs, 4608},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 18432;
constexpr LstmOptions kDefaults = LSTM_OPTIONS;

thread_local constinit LastError last_error("lstm");

// True if the step did not succeed; then lstm_last_error() says why.
bool failed(const Step<lstm_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

LstmStatus lstm_create_with(LstmInstance** instance, const LstmOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

LstmStatus lstm_run(LstmInstance* instance, const LstmInputs* in, const LstmOutputs* out,
                    cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kLstmInputTable, out, kLstmOutputTable, nullptr,
                                  last_error);
  if (wrong) return wrong;
  const Range<lstm_range> range("lstm_run");

  float* const xs_w = at<float>(instance->workspace, 0);  // f32[12,4,96]

  // dot_general.6  (language.py:139)
  if (failed({"step", kernels::step::enqueue(in->params_x_w, in->xs, xs_w, stream)})) {
    return kLstmCudaError;
  }

  // while.9, while.10, while.11  (language.py:146)
  if (failed({"step_2", kernels::step_2::enqueue(in->params_h_w, in->params_x_b, xs_w, out->h,
                                                 out->c, out->hs, stream)})) {
    return kLstmCudaError;
  }

  return kLstmOk;
}

void lstm_destroy(LstmInstance* instance) {
  destroy_instance(instance);
}

LstmStatus lstm_capture(LstmGraph** graph, LstmInstance* instance, const LstmInputs* in,
                        const LstmOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return lstm_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

LstmStatus lstm_graph_launch(const LstmGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

LstmStatus lstm_graph_update(LstmGraph* graph, const LstmInputs* in, const LstmOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return lstm_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t lstm_graph_exec(const LstmGraph* graph) { return exec_of(graph); }

void lstm_graph_destroy(LstmGraph* graph) { destroy_graph(graph); }

int64_t lstm_workspace_bytes() { return kWorkspaceBytes; }

const char* lstm_last_error() { return last_error.text(); }

const char* lstm_status_text(LstmStatus status) { return status_text(status); }
