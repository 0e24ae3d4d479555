// embedding_lookup.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 256 bytes; the largest live set is 256 bytes.

#include "embedding_lookup/embedding_lookup.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = embedding_lookup_kernels;

const char* embedding_lookup_range(const char* step);  // for profilers, see ranges.cpp

struct EmbeddingLookupInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: arena
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct EmbeddingLookupGraph {
  EmbeddingLookupInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const EmbeddingLookupTensor kEmbeddingLookupInputTable[] = {
    {"table", "f32", 2, kEmbeddingLookupInTable, 25600},
    {"positions", "f32", 2, kEmbeddingLookupInPositions, 6144},
    {"segments", "f32", 2, kEmbeddingLookupInSegments, 256},
    {"tokens", "s32", 2, kEmbeddingLookupInTokens, 384},
    {"segment", "s32", 2, kEmbeddingLookupInSegment, 384},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const EmbeddingLookupTensor kEmbeddingLookupOutputTable[] = {
    {"x", "f32", 3, kEmbeddingLookupOutX, 12288},
    {"ratio", "f32", 2, kEmbeddingLookupOutRatio, 512},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 256;
constexpr EmbeddingLookupOptions kDefaults = EMBEDDING_LOOKUP_OPTIONS;

thread_local constinit LastError last_error("embedding_lookup");

// True if the step did not succeed; then embedding_lookup_last_error() says why.
bool failed(const Step<embedding_lookup_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

EmbeddingLookupStatus embedding_lookup_create_with(EmbeddingLookupInstance** instance,
                                                   const EmbeddingLookupOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

EmbeddingLookupStatus embedding_lookup_run(EmbeddingLookupInstance* instance,
                                           const EmbeddingLookupInputs* in,
                                           const EmbeddingLookupOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kEmbeddingLookupInputTable, out,
                                  kEmbeddingLookupOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<embedding_lookup_range> range("embedding_lookup_run");

  int* const count_2 = at<int>(instance->workspace, 0);  // s32[4,1]

  // reduce_sum.15  (arrays.py:56), and 1 more
  const kernels::count::CountArrays count_arrays = {
      .count_2 = {in->tokens, count_2},
      .x = {in->table, in->positions, in->segments, in->tokens, in->segment, out->x},
  };
  if (failed({"count", kernels::count::enqueue(count_arrays, stream)})) {
    return kEmbeddingLookupCudaError;
  }

  // div.7  (arrays.py:56)
  if (failed({"product_sum", kernels::product_sum::enqueue(in->tokens, out->x, count_2, out->ratio,
                                                           stream)})) {
    return kEmbeddingLookupCudaError;
  }

  return kEmbeddingLookupOk;
}

void embedding_lookup_destroy(EmbeddingLookupInstance* instance) {
  destroy_instance(instance);
}

EmbeddingLookupStatus embedding_lookup_capture(EmbeddingLookupGraph** graph,
                                               EmbeddingLookupInstance* instance,
                                               const EmbeddingLookupInputs* in,
                                               const EmbeddingLookupOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return embedding_lookup_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

EmbeddingLookupStatus embedding_lookup_graph_launch(const EmbeddingLookupGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

EmbeddingLookupStatus embedding_lookup_graph_update(EmbeddingLookupGraph* graph,
                                                    const EmbeddingLookupInputs* in,
                                                    const EmbeddingLookupOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return embedding_lookup_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t embedding_lookup_graph_exec(const EmbeddingLookupGraph* graph) { return exec_of(graph); }

void embedding_lookup_graph_destroy(EmbeddingLookupGraph* graph) { destroy_graph(graph); }

int64_t embedding_lookup_workspace_bytes() { return kWorkspaceBytes; }

const char* embedding_lookup_last_error() { return last_error.text(); }

const char* embedding_lookup_status_text(EmbeddingLookupStatus status) { return status_text(status); }
