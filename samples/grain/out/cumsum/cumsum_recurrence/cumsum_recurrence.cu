// cumsum_recurrence.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 2.0 kB; the largest live set is 2.0 kB.

#include "cumsum_recurrence/cumsum_recurrence.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = cumsum_recurrence_kernels;

const char* cumsum_recurrence_range(const char* step);  // for profilers, see ranges.cpp

struct CumsumRecurrenceInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: arena
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct CumsumRecurrenceGraph {
  CumsumRecurrenceInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const CumsumRecurrenceTensor kCumsumRecurrenceInputTable[] = {
    {"a", "f32", 2, kCumsumRecurrenceInA, 9600},
    {"b", "f32", 2, kCumsumRecurrenceInB, 9600},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CumsumRecurrenceTensor kCumsumRecurrenceOutputTable[] = {
    {"h", "f32", 2, kCumsumRecurrenceOutH, 9600},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 2048;
constexpr CumsumRecurrenceOptions kDefaults = CUMSUM_RECURRENCE_OPTIONS;

thread_local constinit LastError last_error("cumsum_recurrence");

// True if the step did not succeed; then cumsum_recurrence_last_error() says why.
bool failed(const Step<cumsum_recurrence_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

CumsumRecurrenceStatus cumsum_recurrence_create_with(CumsumRecurrenceInstance** instance,
                                                     const CumsumRecurrenceOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

CumsumRecurrenceStatus cumsum_recurrence_run(CumsumRecurrenceInstance* instance,
                                             const CumsumRecurrenceInputs* in,
                                             const CumsumRecurrenceOutputs* out,
                                             cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kCumsumRecurrenceInputTable, out,
                                  kCumsumRecurrenceOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<cumsum_recurrence_range> range("cumsum_recurrence_run");

  float* const h_2 = at<float>(instance->workspace, 0);     // f32[8,30]
  float* const h_3 = at<float>(instance->workspace, 1024);  // f32[8,30]

  // get-tuple-element.8, get-tuple-element.9  (cumsum.grain:18)
  if (failed({"compose", kernels::compose::enqueue(in->a, in->b, h_2, h_3, stream)})) {
    return kCumsumRecurrenceCudaError;
  }

  // reshape.12  (cumsum.grain:18)
  if (failed({"compose_2", kernels::compose_2::enqueue(in->a, in->b, h_2, h_3, out->h, stream)})) {
    return kCumsumRecurrenceCudaError;
  }

  return kCumsumRecurrenceOk;
}

void cumsum_recurrence_destroy(CumsumRecurrenceInstance* instance) {
  destroy_instance(instance);
}

CumsumRecurrenceStatus cumsum_recurrence_capture(CumsumRecurrenceGraph** graph,
                                                 CumsumRecurrenceInstance* instance,
                                                 const CumsumRecurrenceInputs* in,
                                                 const CumsumRecurrenceOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return cumsum_recurrence_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

CumsumRecurrenceStatus cumsum_recurrence_graph_launch(const CumsumRecurrenceGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

CumsumRecurrenceStatus cumsum_recurrence_graph_update(CumsumRecurrenceGraph* graph,
                                                      const CumsumRecurrenceInputs* in,
                                                      const CumsumRecurrenceOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return cumsum_recurrence_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t cumsum_recurrence_graph_exec(const CumsumRecurrenceGraph* graph) { return exec_of(graph); }

void cumsum_recurrence_graph_destroy(CumsumRecurrenceGraph* graph) { destroy_graph(graph); }

int64_t cumsum_recurrence_workspace_bytes() { return kWorkspaceBytes; }

const char* cumsum_recurrence_last_error() { return last_error.text(); }

const char* cumsum_recurrence_status_text(CumsumRecurrenceStatus status) { return status_text(status); }
