// cholesky_solve.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 21.5 kB; the largest live set is 21.5 kB.

#include "cholesky_solve/cholesky_solve.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = cholesky_solve_kernels;

const char* cholesky_solve_range(const char* step);  // for profilers, see ranges.cpp

struct CholeskySolveInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: arena
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct CholeskySolveGraph {
  CholeskySolveInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const CholeskySolveTensor kCholeskySolveInputTable[] = {
    {"x", "f32", 2, kCholeskySolveInX, 576},
    {"y", "f32", 1, kCholeskySolveInY, 192},
    {"queries", "f32", 2, kCholeskySolveInQueries, 192},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CholeskySolveTensor kCholeskySolveOutputTable[] = {
    {"centre", "f32", 1, kCholeskySolveOutCentre, 64},
    {"variance", "f32", 1, kCholeskySolveOutVariance, 64},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 21504;
constexpr CholeskySolveOptions kDefaults = CHOLESKY_SOLVE_OPTIONS;

thread_local constinit LastError last_error("cholesky_solve");

// True if the step did not succeed; then cholesky_solve_last_error() says why.
bool failed(const Step<cholesky_solve_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

CholeskySolveStatus cholesky_solve_create_with(CholeskySolveInstance** instance,
                                               const CholeskySolveOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

CholeskySolveStatus cholesky_solve_run(CholeskySolveInstance* instance,
                                       const CholeskySolveInputs* in,
                                       const CholeskySolveOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kCholeskySolveInputTable, out,
                                  kCholeskySolveOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<cholesky_solve_range> range("cholesky_solve_run");

  float* const k = at<float>(instance->workspace, 0);          // f32[48,48]
  float* const k_2 = at<float>(instance->workspace, 18432);    // f32[16,48]
  float* const factor = at<float>(instance->workspace, 9216);  // f32[48,48]
  float* const half = at<float>(instance->workspace, 0);       // f32[48,17]
  float* const full = at<float>(instance->workspace, 3328);    // f32[48,17]

  // reduce  (gaussian_process.grain:5), and 1 more
  const kernels::kernel::KernelArrays kernel_arrays = {
      .kernel_2 = {in->x, k},
      .kernel_3 = {in->x, in->queries, k_2},
  };
  if (failed({"kernel", kernels::kernel::enqueue(kernel_arrays, stream)})) {
    return kCholeskySolveCudaError;
  }

  // cholesky  (gaussian_process.grain:11)
  if (failed({"factor", kernels::factor::enqueue(k, factor, stream)})) {
    return kCholeskySolveCudaError;
  }

  // half  (gaussian_process.grain:14)
  if (failed({"half", kernels::half::enqueue(in->y, factor, k_2, half, stream)})) {
    return kCholeskySolveCudaError;
  }

  // full  (gaussian_process.grain:15)
  if (failed({"full", kernels::full::enqueue(factor, half, full, stream)})) {
    return kCholeskySolveCudaError;
  }

  // centre, variance  (gaussian_process.grain:16)
  if (failed({"variance", kernels::variance::enqueue(k_2, full, out->centre, out->variance,
                                                     stream)})) {
    return kCholeskySolveCudaError;
  }

  return kCholeskySolveOk;
}

void cholesky_solve_destroy(CholeskySolveInstance* instance) {
  destroy_instance(instance);
}

CholeskySolveStatus cholesky_solve_capture(CholeskySolveGraph** graph,
                                           CholeskySolveInstance* instance,
                                           const CholeskySolveInputs* in,
                                           const CholeskySolveOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return cholesky_solve_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

CholeskySolveStatus cholesky_solve_graph_launch(const CholeskySolveGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

CholeskySolveStatus cholesky_solve_graph_update(CholeskySolveGraph* graph,
                                                const CholeskySolveInputs* in,
                                                const CholeskySolveOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return cholesky_solve_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t cholesky_solve_graph_exec(const CholeskySolveGraph* graph) { return exec_of(graph); }

void cholesky_solve_graph_destroy(CholeskySolveGraph* graph) { destroy_graph(graph); }

int64_t cholesky_solve_workspace_bytes() { return kWorkspaceBytes; }

const char* cholesky_solve_last_error() { return last_error.text(); }

const char* cholesky_solve_status_text(CholeskySolveStatus status) { return status_text(status); }
