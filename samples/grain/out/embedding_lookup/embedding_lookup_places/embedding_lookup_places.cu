// embedding_lookup_places.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "embedding_lookup_places/embedding_lookup_places.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = embedding_lookup_places_kernels;

struct EmbeddingLookupPlacesInstance {
  int device = 0;  // that was current in create
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

thread_local char last_error[256] = "";

EmbeddingLookupPlacesStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "embedding_lookup_places: %s%s%s%s",
                what, name, separator, other);
  return kEmbeddingLookupPlacesInvalidArgument;
}

// True if the call did not succeed; then embedding_lookup_places_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "embedding_lookup_places: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

EmbeddingLookupPlacesStatus embedding_lookup_places_create(EmbeddingLookupPlacesInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  EmbeddingLookupPlacesInstance* created = new (std::nothrow) EmbeddingLookupPlacesInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kEmbeddingLookupPlacesOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    embedding_lookup_places_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kEmbeddingLookupPlacesOutOfMemory;
    return kEmbeddingLookupPlacesCudaError;
  }
  *instance = created;
  return kEmbeddingLookupPlacesOk;
}

EmbeddingLookupPlacesStatus embedding_lookup_places_run(EmbeddingLookupPlacesInstance* instance,
                                                        const EmbeddingLookupPlacesInputs* in,
                                                        const EmbeddingLookupPlacesOutputs* out,
                                                        cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kEmbeddingLookupPlacesInputTable, *out, kEmbeddingLookupPlacesOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // place  (embedding_lookup.grain:16)
  if (failed("embedding_lookup_places", kernels::embedding_lookup_places::enqueue(in->tokens,
                                                                                  out->place,
                                                                                  stream))) {
    return kEmbeddingLookupPlacesCudaError;
  }

  return kEmbeddingLookupPlacesOk;
}

void embedding_lookup_places_destroy(EmbeddingLookupPlacesInstance* instance) {
  delete instance;
}

const char* embedding_lookup_places_last_error() { return last_error; }
