// cumsum_cumsum_rows.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cumsum_cumsum_rows/cumsum_cumsum_rows.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = cumsum_cumsum_rows_kernels;

const char* cumsum_cumsum_rows_range(const char* step);  // for profilers, see ranges.cpp

struct CumsumCumsumRowsInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct CumsumCumsumRowsGraph {
  CumsumCumsumRowsInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const CumsumCumsumRowsTensor kCumsumCumsumRowsInputTable[] = {
    {"x", "f32", 2, kCumsumCumsumRowsInX, 9600},
    {"p", "f32", 2, kCumsumCumsumRowsInP, 9600},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CumsumCumsumRowsTensor kCumsumCumsumRowsOutputTable[] = {
    {"sums", "f32", 2, kCumsumCumsumRowsOutSums, 9600},
    {"products", "f32", 2, kCumsumCumsumRowsOutProducts, 9600},
    {"peaks", "f32", 2, kCumsumCumsumRowsOutPeaks, 9600},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr CumsumCumsumRowsOptions kDefaults = CUMSUM_CUMSUM_ROWS_OPTIONS;

thread_local constinit LastError last_error("cumsum_cumsum_rows");

// True if the step did not succeed; then cumsum_cumsum_rows_last_error() says why.
bool failed(const Step<cumsum_cumsum_rows_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

CumsumCumsumRowsStatus cumsum_cumsum_rows_create_with(CumsumCumsumRowsInstance** instance,
                                                      const CumsumCumsumRowsOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

CumsumCumsumRowsStatus cumsum_cumsum_rows_run(CumsumCumsumRowsInstance* instance,
                                              const CumsumCumsumRowsInputs* in,
                                              const CumsumCumsumRowsOutputs* out,
                                              cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kCumsumCumsumRowsInputTable, out,
                                  kCumsumCumsumRowsOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<cumsum_cumsum_rows_range> range("cumsum_cumsum_rows_run");

  // peaks  (cumsum.grain:8), and 2 more
  const kernels::cumsum_cumsum_rows::CumsumCumsumRowsArrays cumsum_cumsum_rows_arrays = {
      .peaks = {in->x, out->peaks},
      .running_product = {in->p, out->products},
      .sums = {in->x, out->sums},
  };
  if (failed({"cumsum_cumsum_rows", kernels::cumsum_cumsum_rows::enqueue(cumsum_cumsum_rows_arrays,
                                                                         stream)})) {
    return kCumsumCumsumRowsCudaError;
  }

  return kCumsumCumsumRowsOk;
}

void cumsum_cumsum_rows_destroy(CumsumCumsumRowsInstance* instance) {
  destroy_instance(instance);
}

CumsumCumsumRowsStatus cumsum_cumsum_rows_capture(CumsumCumsumRowsGraph** graph,
                                                  CumsumCumsumRowsInstance* instance,
                                                  const CumsumCumsumRowsInputs* in,
                                                  const CumsumCumsumRowsOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return cumsum_cumsum_rows_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

CumsumCumsumRowsStatus cumsum_cumsum_rows_graph_launch(const CumsumCumsumRowsGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

CumsumCumsumRowsStatus cumsum_cumsum_rows_graph_update(CumsumCumsumRowsGraph* graph,
                                                       const CumsumCumsumRowsInputs* in,
                                                       const CumsumCumsumRowsOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return cumsum_cumsum_rows_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t cumsum_cumsum_rows_graph_exec(const CumsumCumsumRowsGraph* graph) { return exec_of(graph); }

void cumsum_cumsum_rows_graph_destroy(CumsumCumsumRowsGraph* graph) { destroy_graph(graph); }

int64_t cumsum_cumsum_rows_workspace_bytes() { return kWorkspaceBytes; }

const char* cumsum_cumsum_rows_last_error() { return last_error.text(); }

const char* cumsum_cumsum_rows_status_text(CumsumCumsumRowsStatus status) { return status_text(status); }
