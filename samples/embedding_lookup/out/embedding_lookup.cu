// embedding_lookup.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 256 bytes; the largest live set is 256 bytes.

#include "embedding_lookup/embedding_lookup.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = embedding_lookup_kernels;

struct EmbeddingLookupInstance {
  int device = 0;         // that was current in create
  void* arena = nullptr;  // device memory for values between kernels
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

constexpr size_t kArenaBytes = 256;

thread_local char last_error[256] = "";

EmbeddingLookupStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "embedding_lookup: %s%s%s%s",
                what, name, separator, other);
  return kEmbeddingLookupInvalidArgument;
}

// True if the call did not succeed; then embedding_lookup_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "embedding_lookup: %s: %s", what, reason);
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

EmbeddingLookupStatus embedding_lookup_create(EmbeddingLookupInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  EmbeddingLookupInstance* created = new (std::nothrow) EmbeddingLookupInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kEmbeddingLookupOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (failed("create", error)) {
    embedding_lookup_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kEmbeddingLookupOutOfMemory;
    return kEmbeddingLookupCudaError;
  }
  *instance = created;
  return kEmbeddingLookupOk;
}

EmbeddingLookupStatus embedding_lookup_run(EmbeddingLookupInstance* instance,
                                           const EmbeddingLookupInputs* in,
                                           const EmbeddingLookupOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kEmbeddingLookupInputTable, *out, kEmbeddingLookupOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  int* const count_2 = at<int>(instance->arena, 0);  // s32[4,1]

  // reduce_sum.15  (arrays.py:56), and 1 more
  const kernels::count::CountArrays count_arrays = {
      .count_2 = {in->tokens, count_2},
      .x = {in->table, in->positions, in->segments, in->tokens, in->segment, out->x},
  };
  if (failed("count", kernels::count::enqueue(count_arrays, stream))) {
    return kEmbeddingLookupCudaError;
  }

  // div.7  (arrays.py:56)
  if (failed("product_sum", kernels::product_sum::enqueue(in->tokens, out->x, count_2, out->ratio,
                                                          stream))) {
    return kEmbeddingLookupCudaError;
  }

  return kEmbeddingLookupOk;
}

void embedding_lookup_destroy(EmbeddingLookupInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaSetDevice(current);
  delete instance;
}

const char* embedding_lookup_last_error() { return last_error; }
