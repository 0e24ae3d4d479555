// embedding_lookup_places.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "embedding_lookup_places/embedding_lookup_places.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = embedding_lookup_places_kernels;

const char* embedding_lookup_places_range(const char* step);  // for profilers, see ranges.cpp

struct EmbeddingLookupPlacesInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct EmbeddingLookupPlacesGraph {
  EmbeddingLookupPlacesInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const EmbeddingLookupPlacesTensor kEmbeddingLookupPlacesInputTable[] = {
    {"tokens", "s32", 2, kEmbeddingLookupPlacesInTokens, 384},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const EmbeddingLookupPlacesTensor kEmbeddingLookupPlacesOutputTable[] = {
    {"place", "s32", 2, kEmbeddingLookupPlacesOutPlace, 384},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr EmbeddingLookupPlacesOptions kDefaults = EMBEDDING_LOOKUP_PLACES_OPTIONS;

thread_local constinit LastError last_error("embedding_lookup_places");

// True if the step did not succeed; then embedding_lookup_places_last_error() says why.
bool failed(const Step<embedding_lookup_places_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

EmbeddingLookupPlacesStatus embedding_lookup_places_create_with(EmbeddingLookupPlacesInstance** instance,
                                                                const EmbeddingLookupPlacesOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

EmbeddingLookupPlacesStatus embedding_lookup_places_run(EmbeddingLookupPlacesInstance* instance,
                                                        const EmbeddingLookupPlacesInputs* in,
                                                        const EmbeddingLookupPlacesOutputs* out,
                                                        cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kEmbeddingLookupPlacesInputTable, out,
                                  kEmbeddingLookupPlacesOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<embedding_lookup_places_range> range("embedding_lookup_places_run");

  // place  (embedding_lookup.grain:16)
  if (failed({"embedding_lookup_places", kernels::embedding_lookup_places::enqueue(in->tokens,
                                                                                   out->place,
                                                                                   stream)})) {
    return kEmbeddingLookupPlacesCudaError;
  }

  return kEmbeddingLookupPlacesOk;
}

void embedding_lookup_places_destroy(EmbeddingLookupPlacesInstance* instance) {
  destroy_instance(instance);
}

EmbeddingLookupPlacesStatus embedding_lookup_places_capture(EmbeddingLookupPlacesGraph** graph,
                                                            EmbeddingLookupPlacesInstance* instance,
                                                            const EmbeddingLookupPlacesInputs* in,
                                                            const EmbeddingLookupPlacesOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return embedding_lookup_places_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

EmbeddingLookupPlacesStatus embedding_lookup_places_graph_launch(const EmbeddingLookupPlacesGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

EmbeddingLookupPlacesStatus embedding_lookup_places_graph_update(EmbeddingLookupPlacesGraph* graph,
                                                                 const EmbeddingLookupPlacesInputs* in,
                                                                 const EmbeddingLookupPlacesOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return embedding_lookup_places_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t embedding_lookup_places_graph_exec(const EmbeddingLookupPlacesGraph* graph) { return exec_of(graph); }

void embedding_lookup_places_graph_destroy(EmbeddingLookupPlacesGraph* graph) { destroy_graph(graph); }

int64_t embedding_lookup_places_workspace_bytes() { return kWorkspaceBytes; }

const char* embedding_lookup_places_last_error() { return last_error.text(); }

const char* embedding_lookup_places_status_text(EmbeddingLookupPlacesStatus status) { return status_text(status); }
