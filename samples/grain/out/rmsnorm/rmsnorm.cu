// rmsnorm.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "rmsnorm/rmsnorm.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = rmsnorm_kernels;

const char* rmsnorm_range(const char* step);  // for profilers, see ranges.cpp

struct RmsnormInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct RmsnormGraph {
  RmsnormInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const RmsnormTensor kRmsnormInputTable[] = {
    {"x", "bf16", 2, kRmsnormInX, 12288},
    {"scale", "bf16", 1, kRmsnormInScale, 192},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const RmsnormTensor kRmsnormOutputTable[] = {
    {"y", "bf16", 2, kRmsnormOutY, 12288},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr RmsnormOptions kDefaults = RMSNORM_OPTIONS;

thread_local constinit LastError last_error("rmsnorm");

// True if the step did not succeed; then rmsnorm_last_error() says why.
bool failed(const Step<rmsnorm_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

RmsnormStatus rmsnorm_create_with(RmsnormInstance** instance, const RmsnormOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

RmsnormStatus rmsnorm_run(RmsnormInstance* instance, const RmsnormInputs* in,
                          const RmsnormOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kRmsnormInputTable, out, kRmsnormOutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<rmsnorm_range> range("rmsnorm_run");

  const __nv_bfloat16* const x = reinterpret_cast<const __nv_bfloat16*>(in->x);  // bf16[64,96]
  const __nv_bfloat16* const scale = reinterpret_cast<const __nv_bfloat16*>(in->scale);  // bf16[96]
  __nv_bfloat16* const y = reinterpret_cast<__nv_bfloat16*>(out->y);  // bf16[64,96]

  // y  (rmsnorm.grain:7)
  if (failed({"rmsnorm", kernels::rmsnorm::enqueue(x, scale, y, stream)})) return kRmsnormCudaError;

  return kRmsnormOk;
}

void rmsnorm_destroy(RmsnormInstance* instance) {
  destroy_instance(instance);
}

RmsnormStatus rmsnorm_capture(RmsnormGraph** graph, RmsnormInstance* instance,
                              const RmsnormInputs* in, const RmsnormOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return rmsnorm_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

RmsnormStatus rmsnorm_graph_launch(const RmsnormGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

RmsnormStatus rmsnorm_graph_update(RmsnormGraph* graph, const RmsnormInputs* in,
                                   const RmsnormOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return rmsnorm_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t rmsnorm_graph_exec(const RmsnormGraph* graph) { return exec_of(graph); }

void rmsnorm_graph_destroy(RmsnormGraph* graph) { destroy_graph(graph); }

int64_t rmsnorm_workspace_bytes() { return kWorkspaceBytes; }

const char* rmsnorm_last_error() { return last_error.text(); }

const char* rmsnorm_status_text(RmsnormStatus status) { return status_text(status); }
