// cumsum.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cumsum/cumsum.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = cumsum_kernels;

const char* cumsum_range(const char* step);  // for profilers, see ranges.cpp

struct CumsumInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct CumsumGraph {
  CumsumInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const CumsumTensor kCumsumInputTable[] = {
    {"x", "f32", 2, kCumsumInX, 9600},
    {"p", "f32", 2, kCumsumInP, 9600},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CumsumTensor kCumsumOutputTable[] = {
    {"running_sum", "f32", 2, kCumsumOutRunningSum, 9600},
    {"running_product", "f32", 2, kCumsumOutRunningProduct, 9600},
    {"running_max", "f32", 2, kCumsumOutRunningMax, 9600},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr CumsumOptions kDefaults = CUMSUM_OPTIONS;

thread_local constinit LastError last_error("cumsum");

// True if the step did not succeed; then cumsum_last_error() says why.
bool failed(const Step<cumsum_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

CumsumStatus cumsum_create_with(CumsumInstance** instance, const CumsumOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

CumsumStatus cumsum_run(CumsumInstance* instance, const CumsumInputs* in, const CumsumOutputs* out,
                        cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kCumsumInputTable, out, kCumsumOutputTable, nullptr,
                                  last_error);
  if (wrong) return wrong;
  const Range<cumsum_range> range("cumsum_run");

  // reduce_window.5  (arrays.py:15), and 2 more
  const kernels::cumsum::CumsumArrays cumsum_arrays = {
      .running_product = {in->p, out->running_product},
      .running_sum = {in->x, out->running_sum},
      .running_max = {in->x, out->running_max},
  };
  if (failed({"cumsum", kernels::cumsum::enqueue(cumsum_arrays, stream)})) return kCumsumCudaError;

  return kCumsumOk;
}

void cumsum_destroy(CumsumInstance* instance) {
  destroy_instance(instance);
}

CumsumStatus cumsum_capture(CumsumGraph** graph, CumsumInstance* instance, const CumsumInputs* in,
                            const CumsumOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return cumsum_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

CumsumStatus cumsum_graph_launch(const CumsumGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

CumsumStatus cumsum_graph_update(CumsumGraph* graph, const CumsumInputs* in,
                                 const CumsumOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return cumsum_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t cumsum_graph_exec(const CumsumGraph* graph) { return exec_of(graph); }

void cumsum_graph_destroy(CumsumGraph* graph) { destroy_graph(graph); }

int64_t cumsum_workspace_bytes() { return kWorkspaceBytes; }

const char* cumsum_last_error() { return last_error.text(); }

const char* cumsum_status_text(CumsumStatus status) { return status_text(status); }
