// mandelbrot.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "mandelbrot/mandelbrot.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = mandelbrot_kernels;

const char* mandelbrot_range(const char* step);  // for profilers, see ranges.cpp

struct MandelbrotInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct MandelbrotGraph {
  MandelbrotInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const MandelbrotTensor kMandelbrotInputTable[] = {
    {"xs", "f32", 1, kMandelbrotInXs, 128},
    {"ys", "f32", 1, kMandelbrotInYs, 128},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const MandelbrotTensor kMandelbrotOutputTable[] = {
    {"n", "s32", 2, kMandelbrotOutN, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr MandelbrotOptions kDefaults = MANDELBROT_OPTIONS;

thread_local constinit LastError last_error("mandelbrot");

// True if the step did not succeed; then mandelbrot_last_error() says why.
bool failed(const Step<mandelbrot_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

MandelbrotStatus mandelbrot_create_with(MandelbrotInstance** instance,
                                        const MandelbrotOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

MandelbrotStatus mandelbrot_run(MandelbrotInstance* instance, const MandelbrotInputs* in,
                                const MandelbrotOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kMandelbrotInputTable, out, kMandelbrotOutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<mandelbrot_range> range("mandelbrot_run");

  // n.2  (mandelbrot.grain:7)
  if (failed({"escape", kernels::escape::enqueue(in->xs, in->ys, out->n, stream)})) {
    return kMandelbrotCudaError;
  }

  return kMandelbrotOk;
}

void mandelbrot_destroy(MandelbrotInstance* instance) {
  destroy_instance(instance);
}

MandelbrotStatus mandelbrot_capture(MandelbrotGraph** graph, MandelbrotInstance* instance,
                                    const MandelbrotInputs* in, const MandelbrotOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return mandelbrot_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

MandelbrotStatus mandelbrot_graph_launch(const MandelbrotGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

MandelbrotStatus mandelbrot_graph_update(MandelbrotGraph* graph, const MandelbrotInputs* in,
                                         const MandelbrotOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return mandelbrot_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t mandelbrot_graph_exec(const MandelbrotGraph* graph) { return exec_of(graph); }

void mandelbrot_graph_destroy(MandelbrotGraph* graph) { destroy_graph(graph); }

int64_t mandelbrot_workspace_bytes() { return kWorkspaceBytes; }

const char* mandelbrot_last_error() { return last_error.text(); }

const char* mandelbrot_status_text(MandelbrotStatus status) { return status_text(status); }
