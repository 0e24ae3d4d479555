// attention.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 9.2 kB; the largest live set is 9.2 kB.

#include "attention/attention.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = attention_kernels;

const char* attention_range(const char* step);  // for profilers, see ranges.cpp

struct AttentionInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: arena
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct AttentionGraph {
  AttentionInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const AttentionTensor kAttentionInputTable[] = {
    {"q", "f32", 4, kAttentionInQ, 6144},
    {"k", "f32", 4, kAttentionInK, 6144},
    {"v", "f32", 4, kAttentionInV, 6144},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const AttentionTensor kAttentionOutputTable[] = {
    {"mixed", "f32", 4, kAttentionOutMixed, 6144},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 9216;
constexpr AttentionOptions kDefaults = ATTENTION_OPTIONS;

thread_local constinit LastError last_error("attention");

// True if the step did not succeed; then attention_last_error() says why.
bool failed(const Step<attention_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

AttentionStatus attention_create_with(AttentionInstance** instance, const AttentionOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

AttentionStatus attention_run(AttentionInstance* instance, const AttentionInputs* in,
                              const AttentionOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kAttentionInputTable, out, kAttentionOutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<attention_range> range("attention_run");

  float* const score = at<float>(instance->workspace, 0);       // f32[2,4,16,16]
  float* const top = at<float>(instance->workspace, 8192);      // f32[2,4,16]
  float* const total_2 = at<float>(instance->workspace, 8704);  // f32[2,4,16]

  // dot  (attention.grain:5)
  if (failed({"score", kernels::score::enqueue(in->q, in->k, score, stream)})) {
    return kAttentionCudaError;
  }

  // top, total  (attention.grain:6)
  if (failed({"total", kernels::total::enqueue(score, top, total_2, stream)})) {
    return kAttentionCudaError;
  }

  // mixed  (attention.grain:9)
  if (failed({"mixed", kernels::mixed::enqueue(in->v, score, top, total_2, out->mixed, stream)})) {
    return kAttentionCudaError;
  }

  return kAttentionOk;
}

void attention_destroy(AttentionInstance* instance) {
  destroy_instance(instance);
}

AttentionStatus attention_capture(AttentionGraph** graph, AttentionInstance* instance,
                                  const AttentionInputs* in, const AttentionOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return attention_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

AttentionStatus attention_graph_launch(const AttentionGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

AttentionStatus attention_graph_update(AttentionGraph* graph, const AttentionInputs* in,
                                       const AttentionOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return attention_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t attention_graph_exec(const AttentionGraph* graph) { return exec_of(graph); }

void attention_graph_destroy(AttentionGraph* graph) { destroy_graph(graph); }

int64_t attention_workspace_bytes() { return kWorkspaceBytes; }

const char* attention_last_error() { return last_error.text(); }

const char* attention_status_text(AttentionStatus status) { return status_text(status); }
