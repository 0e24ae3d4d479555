// recurrence.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 8.2 kB; the largest live set is 8.2 kB.

#include "recurrence/recurrence.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = recurrence_kernels;

const char* recurrence_range(const char* step);  // for profilers, see ranges.cpp

struct RecurrenceInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: arena
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct RecurrenceGraph {
  RecurrenceInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const RecurrenceTensor kRecurrenceInputTable[] = {
    {"decay", "f32", 3, kRecurrenceInDecay, 65536},
    {"value", "f32", 3, kRecurrenceInValue, 65536},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const RecurrenceTensor kRecurrenceOutputTable[] = {
    {"sum", "f32", 3, kRecurrenceOutSum, 65536},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 8192;
constexpr RecurrenceOptions kDefaults = RECURRENCE_OPTIONS;

thread_local constinit LastError last_error("recurrence");

// True if the step did not succeed; then recurrence_last_error() says why.
bool failed(const Step<recurrence_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

RecurrenceStatus recurrence_create_with(RecurrenceInstance** instance,
                                        const RecurrenceOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

RecurrenceStatus recurrence_run(RecurrenceInstance* instance, const RecurrenceInputs* in,
                                const RecurrenceOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kRecurrenceInputTable, out, kRecurrenceOutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<recurrence_range> range("recurrence_run");

  float* const sum_2 = at<float>(instance->workspace, 0);       // f32[8,32,4]
  float* const product = at<float>(instance->workspace, 4096);  // f32[8,32,4]

  // get-tuple-element.8, get-tuple-element.9  (make_samples.py:97)
  if (failed({"after", kernels::after::enqueue(in->decay, in->value, sum_2, product, stream)})) {
    return kRecurrenceCudaError;
  }

  // reshape.11  (make_samples.py:97)
  if (failed({"after_2", kernels::after_2::enqueue(in->decay, in->value, sum_2, product, out->sum,
                                                   stream)})) {
    return kRecurrenceCudaError;
  }

  return kRecurrenceOk;
}

void recurrence_destroy(RecurrenceInstance* instance) {
  destroy_instance(instance);
}

RecurrenceStatus recurrence_capture(RecurrenceGraph** graph, RecurrenceInstance* instance,
                                    const RecurrenceInputs* in, const RecurrenceOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return recurrence_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

RecurrenceStatus recurrence_graph_launch(const RecurrenceGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

RecurrenceStatus recurrence_graph_update(RecurrenceGraph* graph, const RecurrenceInputs* in,
                                         const RecurrenceOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return recurrence_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t recurrence_graph_exec(const RecurrenceGraph* graph) { return exec_of(graph); }

void recurrence_graph_destroy(RecurrenceGraph* graph) { destroy_graph(graph); }

int64_t recurrence_workspace_bytes() { return kWorkspaceBytes; }

const char* recurrence_last_error() { return last_error.text(); }

const char* recurrence_status_text(RecurrenceStatus status) { return status_text(status); }
