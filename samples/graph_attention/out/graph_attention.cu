// graph_attention.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 10.5 kB; the largest live set is 10.5 kB.

#include "graph_attention/graph_attention.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = graph_attention_kernels;

const char* graph_attention_range(const char* step);  // for profilers, see ranges.cpp

struct GraphAttentionInstance {
  int device = 0;                // it runs on
  void* workspace = nullptr;     // its device memory: arena, counts
  DeviceMemory own_workspace;    // it, unless the caller gave one
  Allocator allocator;           // of device memory
  uint32_t* finished = nullptr;  // counts of blocks, and of waits for all of them
};

struct GraphAttentionGraph {
  GraphAttentionInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const GraphAttentionTensor kGraphAttentionInputTable[] = {
    {"features", "f32", 2, kGraphAttentionInFeatures, 3840},
    {"senders", "s32", 1, kGraphAttentionInSenders, 2000},
    {"receivers", "s32", 1, kGraphAttentionInReceivers, 2000},
    {"weights", "f32", 3, kGraphAttentionInWeights, 2048},
    {"scores", "f32", 3, kGraphAttentionInScores, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const GraphAttentionTensor kGraphAttentionOutputTable[] = {
    {"features", "f32", 2, kGraphAttentionOutFeatures, 3840},
    {"degrees", "s32", 1, kGraphAttentionOutDegrees, 240},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 10752;
constexpr GraphAttentionOptions kDefaults = GRAPH_ATTENTION_OPTIONS;

thread_local constinit LastError last_error("graph_attention");

// True if the step did not succeed; then graph_attention_last_error() says why.
bool failed(const Step<graph_attention_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(GraphAttentionInstance& created) {
  created.finished = at<uint32_t>(created.workspace, 10496);
  cudaError_t error = clear_on_device(created.finished, 4);
  return error;
}

}  // namespace

GraphAttentionStatus graph_attention_create_with(GraphAttentionInstance** instance,
                                                 const GraphAttentionOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error,
                         {.prepare = prepare});
}

GraphAttentionStatus graph_attention_run(GraphAttentionInstance* instance,
                                         const GraphAttentionInputs* in,
                                         const GraphAttentionOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kGraphAttentionInputTable, out,
                                  kGraphAttentionOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<graph_attention_range> range("graph_attention_run");

  float* const features_weights = at<float>(instance->workspace, 0);  // f32[60,16]
  float* const dot_4 = at<float>(instance->workspace, 3840);          // f32[500]
  float* const dot_5 = at<float>(instance->workspace, 5888);          // f32[500]
  float* const scatter_max = at<float>(instance->workspace, 9984);    // f32[60]
  float* const sum_3 = at<float>(instance->workspace, 10240);         // f32[60]
  float* const ratio = at<float>(instance->workspace, 7936);          // f32[500]
  float* const sums = at<float>(instance->workspace, 3840);           // f32[60,16]
  float* const dot_2 = at<float>(instance->workspace, 0);             // f32[60,16]
  float* const dot_6 = at<float>(instance->workspace, 3840);          // f32[500]
  float* const dot_7 = at<float>(instance->workspace, 5888);          // f32[500]
  float* const scatter_max_2 = at<float>(instance->workspace, 9984);  // f32[60]
  float* const sum_4 = at<float>(instance->workspace, 10240);         // f32[60]
  float* const ratio_2 = at<float>(instance->workspace, 7936);        // f32[500]

  // scatter-add.29  (make_samples.py:52), and 1 more
  const kernels::degrees::DegreesArrays degrees_arrays = {
      .degrees_2 = {in->receivers, out->degrees},
      .features_weights = {in->features, in->weights, features_weights},
  };
  if (failed({"degrees", kernels::degrees::enqueue(degrees_arrays, stream)})) {
    return kGraphAttentionCudaError;
  }

  // dot_general.7, dot_general.8  (make_samples.py:46)
  if (failed({"dot", kernels::dot::enqueue(in->senders, in->receivers, in->scores, features_weights,
                                           dot_4, dot_5, stream)})) {
    return kGraphAttentionCudaError;
  }

  // scatter-max.10  (make_samples.py:47)
  if (failed({"scatter_max", kernels::scatter_max::enqueue(in->receivers, dot_4, dot_5, scatter_max,
                                                           stream)})) {
    return kGraphAttentionCudaError;
  }

  // scatter-add.25  (make_samples.py:49), and 1 more
  const kernels::sum::SumArrays sum_arrays = {
      .sum_3 = {in->receivers, dot_4, dot_5, scatter_max, sum_3},
      .ratio = {in->receivers, dot_4, dot_5, scatter_max, sum_3, ratio},
      .finished = instance->finished,
  };
  if (failed({"sum", kernels::sum::enqueue(sum_arrays, stream)})) return kGraphAttentionCudaError;

  // scatter-add.26  (make_samples.py:51)
  if (failed({"sums", kernels::sums::enqueue(in->senders, in->receivers, ratio, features_weights,
                                             sums, stream)})) {
    return kGraphAttentionCudaError;
  }

  // dot_general.9  (make_samples.py:45)
  if (failed({"dot_2", kernels::dot_2::enqueue(in->weights, sums, dot_2, stream)})) {
    return kGraphAttentionCudaError;
  }

  // dot_general.10, dot_general.11  (make_samples.py:46)
  if (failed({"dot_3", kernels::dot_3::enqueue(in->senders, in->receivers, in->scores, dot_2, dot_6,
                                               dot_7, stream)})) {
    return kGraphAttentionCudaError;
  }

  // scatter-max.11  (make_samples.py:47)
  if (failed({"scatter_max", kernels::scatter_max::enqueue(in->receivers, dot_6, dot_7,
                                                           scatter_max_2, stream)})) {
    return kGraphAttentionCudaError;
  }

  // scatter-add.27  (make_samples.py:49), and 1 more
  const kernels::sum::SumArrays sum_arrays_2 = {
      .sum_3 = {in->receivers, dot_6, dot_7, scatter_max_2, sum_4},
      .ratio = {in->receivers, dot_6, dot_7, scatter_max_2, sum_4, ratio_2},
      .finished = instance->finished,
  };
  if (failed({"sum", kernels::sum::enqueue(sum_arrays_2, stream)})) return kGraphAttentionCudaError;

  // select_n.28  (make_samples.py:51)
  if (failed({"sums_2", kernels::sums_2::enqueue(in->senders, in->receivers, ratio_2, dot_2,
                                                 out->features, stream)})) {
    return kGraphAttentionCudaError;
  }

  return kGraphAttentionOk;
}

void graph_attention_destroy(GraphAttentionInstance* instance) {
  destroy_instance(instance);
}

GraphAttentionStatus graph_attention_capture(GraphAttentionGraph** graph,
                                             GraphAttentionInstance* instance,
                                             const GraphAttentionInputs* in,
                                             const GraphAttentionOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return graph_attention_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

GraphAttentionStatus graph_attention_graph_launch(const GraphAttentionGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

GraphAttentionStatus graph_attention_graph_update(GraphAttentionGraph* graph,
                                                  const GraphAttentionInputs* in,
                                                  const GraphAttentionOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return graph_attention_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t graph_attention_graph_exec(const GraphAttentionGraph* graph) { return exec_of(graph); }

void graph_attention_graph_destroy(GraphAttentionGraph* graph) { destroy_graph(graph); }

int64_t graph_attention_workspace_bytes() { return kWorkspaceBytes; }

const char* graph_attention_last_error() { return last_error.text(); }

const char* graph_attention_status_text(GraphAttentionStatus status) { return status_text(status); }
