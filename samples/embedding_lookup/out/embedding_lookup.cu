// embedding_lookup.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 256 bytes; the largest live set is 256 bytes.
//
//   arena   +0  sum  s32[4,1]

#include "embedding_lookup.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace embedding_lookup_kernels;

struct EmbeddingLookupInstance {
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
    {"add", "f32", 3, kEmbeddingLookupOutAdd, 12288},
    {"div", "f32", 2, kEmbeddingLookupOutDiv, 512},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 256;

thread_local char last_error[256] = "";

EmbeddingLookupStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "embedding_lookup: %s %s %s", what, name, other);
  return kEmbeddingLookupInvalidArgument;
}

// True if the call did not succeed; then embedding_lookup_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "embedding_lookup: %s: %s", what, reason);
  return true;
}

// The array at a byte offset of the arena.
template <class T>
T* at(void* base, int64_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(base) + offset);
}

// The bytes an input or output of the caller covers.
struct Range {
  uintptr_t begin;
  uintptr_t end;
  const char* name;
  bool written;
};

// Refuses null and misaligned pointers, and outputs that overlap an input or another output.
EmbeddingLookupStatus check_arguments(const EmbeddingLookupInputs& in,
                                      const EmbeddingLookupOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kEmbeddingLookupInputCount + kEmbeddingLookupOutputCount + 1] = {};
  static_assert(sizeof in == kEmbeddingLookupInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kEmbeddingLookupOutputCount * sizeof(void*));
  std::memcpy(pointers + kEmbeddingLookupInputCount, &out, sizeof out);

  Range ranges[kEmbeddingLookupInputCount + kEmbeddingLookupOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kEmbeddingLookupInputCount + kEmbeddingLookupOutputCount; ++i) {
    const bool written = i >= kEmbeddingLookupInputCount;
    const EmbeddingLookupTensor& tensor =
        written ? kEmbeddingLookupOutputTable[i - kEmbeddingLookupInputCount]
                : kEmbeddingLookupInputTable[i];
    if (tensor.bytes == 0) continue;
    const uintptr_t begin = reinterpret_cast<uintptr_t>(pointers[i]);
    if (begin == 0) return refuse("null pointer for", tensor.name);
    if (begin % 16 != 0) return refuse("not 16-byte aligned:", tensor.name);
    ranges[count++] = {begin, begin + static_cast<uintptr_t>(tensor.bytes), tensor.name, written};
  }

  // Sorted by a heap: g++ 12 sees errors in std::sort of a short array that are none.
  const auto before = [](const Range& a, const Range& b) { return a.begin < b.begin; };
  std::make_heap(ranges, ranges + count, before);
  std::sort_heap(ranges, ranges + count, before);
  const Range* last = nullptr;  // of the ranges so far, the one that ends last
  const Range* last_written = nullptr;
  for (int i = 0; i < count; ++i) {
    const Range& range = ranges[i];
    const Range* other = range.written ? last : last_written;
    if (other != nullptr && range.begin < other->end) {
      return refuse("overlapping:", range.name, other->name);
    }
    if (last == nullptr || range.end > last->end) last = &range;
    if (!range.written) continue;
    if (last_written == nullptr || range.end > last_written->end) last_written = &range;
  }
  return kEmbeddingLookupOk;
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
  cudaError_t error = cudaSuccess;
  if (error == cudaSuccess) error = cudaMalloc(&created->arena, kArenaBytes);
  if (failed("create", error)) {
    embedding_lookup_destroy(created);
    return error == cudaErrorMemoryAllocation ? kEmbeddingLookupOutOfMemory : kEmbeddingLookupCudaError;
  }
  *instance = created;
  return kEmbeddingLookupOk;
}

EmbeddingLookupStatus embedding_lookup_run(EmbeddingLookupInstance* instance,
                                           const EmbeddingLookupInputs* in,
                                           const EmbeddingLookupOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const EmbeddingLookupStatus status = check_arguments(*in, *out);
  if (status != kEmbeddingLookupOk) return status;

  int* const sum = at<int>(instance->arena, 0);  // s32[4,1]

  // add.17  (arrays.py:54)
  if (failed("add", launch_add(in->table, in->positions, in->segments, in->tokens, in->segment,
                               out->add, stream))) {
    return kEmbeddingLookupCudaError;
  }

  // reduce_sum.15  (arrays.py:56)
  if (failed("sum", launch_sum(in->tokens, sum, stream))) return kEmbeddingLookupCudaError;

  // div.7  (arrays.py:56)
  if (failed("div", launch_div(in->tokens, out->add, sum, out->div, stream))) {
    return kEmbeddingLookupCudaError;
  }

  return kEmbeddingLookupOk;
}

void embedding_lookup_destroy(EmbeddingLookupInstance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  delete instance;
}

const char* embedding_lookup_last_error() { return last_error; }
