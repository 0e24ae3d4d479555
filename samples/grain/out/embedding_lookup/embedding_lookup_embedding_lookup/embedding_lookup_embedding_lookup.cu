// embedding_lookup_embedding_lookup.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 256 bytes; the largest live set is 256 bytes.

#include "embedding_lookup_embedding_lookup/embedding_lookup_embedding_lookup.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = embedding_lookup_embedding_lookup_kernels;

const char* embedding_lookup_embedding_lookup_range(const char* step);  // for profilers, see ranges.cpp

struct EmbeddingLookupEmbeddingLookupInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: arena
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct EmbeddingLookupEmbeddingLookupGraph {
  EmbeddingLookupEmbeddingLookupInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const EmbeddingLookupEmbeddingLookupTensor kEmbeddingLookupEmbeddingLookupInputTable[] = {
    {"table", "f32", 2, kEmbeddingLookupEmbeddingLookupInTable, 25600},
    {"positions", "f32", 2, kEmbeddingLookupEmbeddingLookupInPositions, 6144},
    {"segments", "f32", 2, kEmbeddingLookupEmbeddingLookupInSegments, 256},
    {"tokens", "s32", 2, kEmbeddingLookupEmbeddingLookupInTokens, 384},
    {"segment", "s32", 2, kEmbeddingLookupEmbeddingLookupInSegment, 384},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const EmbeddingLookupEmbeddingLookupTensor kEmbeddingLookupEmbeddingLookupOutputTable[] = {
    {"x", "f32", 3, kEmbeddingLookupEmbeddingLookupOutX, 12288},
    {"bag", "f32", 2, kEmbeddingLookupEmbeddingLookupOutBag, 512},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 256;
constexpr EmbeddingLookupEmbeddingLookupOptions kDefaults = EMBEDDING_LOOKUP_EMBEDDING_LOOKUP_OPTIONS;

thread_local constinit LastError last_error("embedding_lookup_embedding_lookup");

// True if the step did not succeed; then embedding_lookup_embedding_lookup_last_error() says why.
bool failed(const Step<embedding_lookup_embedding_lookup_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

EmbeddingLookupEmbeddingLookupStatus embedding_lookup_embedding_lookup_create_with(EmbeddingLookupEmbeddingLookupInstance** instance,
                                                                                   const EmbeddingLookupEmbeddingLookupOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

EmbeddingLookupEmbeddingLookupStatus embedding_lookup_embedding_lookup_run(EmbeddingLookupEmbeddingLookupInstance* instance,
                                                                           const EmbeddingLookupEmbeddingLookupInputs* in,
                                                                           const EmbeddingLookupEmbeddingLookupOutputs* out,
                                                                           cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kEmbeddingLookupEmbeddingLookupInputTable, out,
                                  kEmbeddingLookupEmbeddingLookupOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<embedding_lookup_embedding_lookup_range> range("embedding_lookup_embedding_lookup_run");

  float* const bag_3 = at<float>(instance->workspace, 0);  // f32[4]

  // reduce  (embedding_lookup.grain:10), and 1 more
  const kernels::bag::BagArrays bag_arrays = {
      .bag_3 = {in->tokens, bag_3},
      .x = {in->table, in->positions, in->segments, in->tokens, in->segment, out->x},
  };
  if (failed({"bag", kernels::bag::enqueue(bag_arrays, stream)})) {
    return kEmbeddingLookupEmbeddingLookupCudaError;
  }

  // bag  (embedding_lookup.grain:10)
  if (failed({"bag_2", kernels::bag_2::enqueue(in->tokens, out->x, bag_3, out->bag, stream)})) {
    return kEmbeddingLookupEmbeddingLookupCudaError;
  }

  return kEmbeddingLookupEmbeddingLookupOk;
}

void embedding_lookup_embedding_lookup_destroy(EmbeddingLookupEmbeddingLookupInstance* instance) {
  destroy_instance(instance);
}

EmbeddingLookupEmbeddingLookupStatus embedding_lookup_embedding_lookup_capture(EmbeddingLookupEmbeddingLookupGraph** graph,
                                                                               EmbeddingLookupEmbeddingLookupInstance* instance,
                                                                               const EmbeddingLookupEmbeddingLookupInputs* in,
                                                                               const EmbeddingLookupEmbeddingLookupOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return embedding_lookup_embedding_lookup_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

EmbeddingLookupEmbeddingLookupStatus embedding_lookup_embedding_lookup_graph_launch(const EmbeddingLookupEmbeddingLookupGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

EmbeddingLookupEmbeddingLookupStatus embedding_lookup_embedding_lookup_graph_update(EmbeddingLookupEmbeddingLookupGraph* graph,
                                                                                    const EmbeddingLookupEmbeddingLookupInputs* in,
                                                                                    const EmbeddingLookupEmbeddingLookupOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return embedding_lookup_embedding_lookup_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t embedding_lookup_embedding_lookup_graph_exec(const EmbeddingLookupEmbeddingLookupGraph* graph) { return exec_of(graph); }

void embedding_lookup_embedding_lookup_graph_destroy(EmbeddingLookupEmbeddingLookupGraph* graph) { destroy_graph(graph); }

int64_t embedding_lookup_embedding_lookup_workspace_bytes() { return kWorkspaceBytes; }

const char* embedding_lookup_embedding_lookup_last_error() { return last_error.text(); }

const char* embedding_lookup_embedding_lookup_status_text(EmbeddingLookupEmbeddingLookupStatus status) { return status_text(status); }
