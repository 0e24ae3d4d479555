// logsumexp.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "logsumexp/logsumexp.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = logsumexp_kernels;

const char* logsumexp_range(const char* step);  // for profilers, see ranges.cpp

struct LogsumexpInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct LogsumexpGraph {
  LogsumexpInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const LogsumexpTensor kLogsumexpInputTable[] = {
    {"x", "f32", 2, kLogsumexpInX, 24832},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const LogsumexpTensor kLogsumexpOutputTable[] = {
    {"y", "f32", 1, kLogsumexpOutY, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr LogsumexpOptions kDefaults = LOGSUMEXP_OPTIONS;

thread_local constinit LastError last_error("logsumexp");

// True if the step did not succeed; then logsumexp_last_error() says why.
bool failed(const Step<logsumexp_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

LogsumexpStatus logsumexp_create_with(LogsumexpInstance** instance, const LogsumexpOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

LogsumexpStatus logsumexp_run(LogsumexpInstance* instance, const LogsumexpInputs* in,
                              const LogsumexpOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kLogsumexpInputTable, out, kLogsumexpOutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<logsumexp_range> range("logsumexp_run");

  // y  (logsumexp.grain:7)
  if (failed({"logsumexp", kernels::logsumexp::enqueue(in->x, out->y, stream)})) {
    return kLogsumexpCudaError;
  }

  return kLogsumexpOk;
}

void logsumexp_destroy(LogsumexpInstance* instance) {
  destroy_instance(instance);
}

LogsumexpStatus logsumexp_capture(LogsumexpGraph** graph, LogsumexpInstance* instance,
                                  const LogsumexpInputs* in, const LogsumexpOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return logsumexp_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

LogsumexpStatus logsumexp_graph_launch(const LogsumexpGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

LogsumexpStatus logsumexp_graph_update(LogsumexpGraph* graph, const LogsumexpInputs* in,
                                       const LogsumexpOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return logsumexp_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t logsumexp_graph_exec(const LogsumexpGraph* graph) { return exec_of(graph); }

void logsumexp_graph_destroy(LogsumexpGraph* graph) { destroy_graph(graph); }

int64_t logsumexp_workspace_bytes() { return kWorkspaceBytes; }

const char* logsumexp_last_error() { return last_error.text(); }

const char* logsumexp_status_text(LogsumexpStatus status) { return status_text(status); }
