// matmul_epilogue.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "matmul_epilogue/matmul_epilogue.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = matmul_epilogue_kernels;

const char* matmul_epilogue_range(const char* step);  // for profilers, see ranges.cpp

struct MatmulEpilogueInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct MatmulEpilogueGraph {
  MatmulEpilogueInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const MatmulEpilogueTensor kMatmulEpilogueInputTable[] = {
    {"a", "f32", 2, kMatmulEpilogueInA, 32768},
    {"b", "f32", 2, kMatmulEpilogueInB, 24576},
    {"bias", "f32", 1, kMatmulEpilogueInBias, 384},
    {"scale", "f32", 0, nullptr, 4},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const MatmulEpilogueTensor kMatmulEpilogueOutputTable[] = {
    {"c", "f32", 2, kMatmulEpilogueOutC, 49152},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr MatmulEpilogueOptions kDefaults = MATMUL_EPILOGUE_OPTIONS;

thread_local constinit LastError last_error("matmul_epilogue");

// True if the step did not succeed; then matmul_epilogue_last_error() says why.
bool failed(const Step<matmul_epilogue_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

MatmulEpilogueStatus matmul_epilogue_create_with(MatmulEpilogueInstance** instance,
                                                 const MatmulEpilogueOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

MatmulEpilogueStatus matmul_epilogue_run(MatmulEpilogueInstance* instance,
                                         const MatmulEpilogueInputs* in,
                                         const MatmulEpilogueOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kMatmulEpilogueInputTable, out,
                                  kMatmulEpilogueOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<matmul_epilogue_range> range("matmul_epilogue_run");

  // c  (matmul_epilogue.grain:8)
  if (failed({"matmul_epilogue", kernels::matmul_epilogue::enqueue(in->a, in->b, in->bias,
                                                                   in->scale, out->c, stream)})) {
    return kMatmulEpilogueCudaError;
  }

  return kMatmulEpilogueOk;
}

void matmul_epilogue_destroy(MatmulEpilogueInstance* instance) {
  destroy_instance(instance);
}

MatmulEpilogueStatus matmul_epilogue_capture(MatmulEpilogueGraph** graph,
                                             MatmulEpilogueInstance* instance,
                                             const MatmulEpilogueInputs* in,
                                             const MatmulEpilogueOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return matmul_epilogue_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

MatmulEpilogueStatus matmul_epilogue_graph_launch(const MatmulEpilogueGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

MatmulEpilogueStatus matmul_epilogue_graph_update(MatmulEpilogueGraph* graph,
                                                  const MatmulEpilogueInputs* in,
                                                  const MatmulEpilogueOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return matmul_epilogue_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t matmul_epilogue_graph_exec(const MatmulEpilogueGraph* graph) { return exec_of(graph); }

void matmul_epilogue_graph_destroy(MatmulEpilogueGraph* graph) { destroy_graph(graph); }

int64_t matmul_epilogue_workspace_bytes() { return kWorkspaceBytes; }

const char* matmul_epilogue_last_error() { return last_error.text(); }

const char* matmul_epilogue_status_text(MatmulEpilogueStatus status) { return status_text(status); }
