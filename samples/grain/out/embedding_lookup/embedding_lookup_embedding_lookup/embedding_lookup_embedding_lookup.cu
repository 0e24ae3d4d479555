// embedding_lookup_embedding_lookup.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 256 bytes; the largest live set is 256 bytes.

#include "embedding_lookup_embedding_lookup/embedding_lookup_embedding_lookup.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = embedding_lookup_embedding_lookup_kernels;

struct EmbeddingLookupEmbeddingLookupInstance {
  int device = 0;         // that was current in create
  void* arena = nullptr;  // device memory for values between kernels
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

constexpr size_t kArenaBytes = 256;

thread_local char last_error[256] = "";

EmbeddingLookupEmbeddingLookupStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "embedding_lookup_embedding_lookup: %s%s%s%s",
                what, name, separator, other);
  return kEmbeddingLookupEmbeddingLookupInvalidArgument;
}

// True if the call did not succeed; then embedding_lookup_embedding_lookup_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "embedding_lookup_embedding_lookup: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

// The array at a byte offset of the arena.
template <class T>
T* at(void* base, int64_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(base) + offset);
}

}  // namespace

EmbeddingLookupEmbeddingLookupStatus embedding_lookup_embedding_lookup_create(EmbeddingLookupEmbeddingLookupInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  EmbeddingLookupEmbeddingLookupInstance* created = new (std::nothrow) EmbeddingLookupEmbeddingLookupInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kEmbeddingLookupEmbeddingLookupOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (failed("create", error)) {
    embedding_lookup_embedding_lookup_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kEmbeddingLookupEmbeddingLookupOutOfMemory;
    return kEmbeddingLookupEmbeddingLookupCudaError;
  }
  *instance = created;
  return kEmbeddingLookupEmbeddingLookupOk;
}

EmbeddingLookupEmbeddingLookupStatus embedding_lookup_embedding_lookup_run(EmbeddingLookupEmbeddingLookupInstance* instance,
                                                                           const EmbeddingLookupEmbeddingLookupInputs* in,
                                                                           const EmbeddingLookupEmbeddingLookupOutputs* out,
                                                                           cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kEmbeddingLookupEmbeddingLookupInputTable, *out, kEmbeddingLookupEmbeddingLookupOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const bag_2 = at<float>(instance->arena, 0);  // f32[4]

  // reduce  (embedding_lookup.grain:10), and 1 more
  const kernels::bag::BagArrays bag_arrays = {
      .bag_2 = {in->tokens, bag_2},
      .x = {in->table, in->positions, in->segments, in->tokens, in->segment, out->x},
  };
  if (failed("bag", kernels::bag::enqueue(bag_arrays, stream))) {
    return kEmbeddingLookupEmbeddingLookupCudaError;
  }

  // bag  (embedding_lookup.grain:10)
  if (failed("bag_2", kernels::bag_2::enqueue(in->tokens, out->x, bag_2, out->bag, stream))) {
    return kEmbeddingLookupEmbeddingLookupCudaError;
  }

  return kEmbeddingLookupEmbeddingLookupOk;
}

void embedding_lookup_embedding_lookup_destroy(EmbeddingLookupEmbeddingLookupInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaSetDevice(current);
  delete instance;
}

const char* embedding_lookup_embedding_lookup_last_error() { return last_error; }
