// attention.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 9.2 kB; the largest live set is 9.2 kB.

#include "attention/attention.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = attention_kernels;

struct AttentionInstance {
  int device = 0;         // that was current in create
  void* arena = nullptr;  // device memory for values between kernels
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

constexpr size_t kArenaBytes = 9216;

thread_local char last_error[256] = "";

AttentionStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "attention: %s%s%s%s",
                what, name, separator, other);
  return kAttentionInvalidArgument;
}

// True if the call did not succeed; then attention_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "attention: %s: %s", what, reason);
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

AttentionStatus attention_create(AttentionInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  AttentionInstance* created = new (std::nothrow) AttentionInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kAttentionOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (failed("create", error)) {
    attention_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kAttentionOutOfMemory;
    return kAttentionCudaError;
  }
  *instance = created;
  return kAttentionOk;
}

AttentionStatus attention_run(AttentionInstance* instance, const AttentionInputs* in,
                              const AttentionOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kAttentionInputTable, *out, kAttentionOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const score = at<float>(instance->arena, 0);       // f32[2,4,16,16]
  float* const top = at<float>(instance->arena, 8192);      // f32[2,4,16]
  float* const total_2 = at<float>(instance->arena, 8704);  // f32[2,4,16]

  // dot  (attention.grain:5)
  if (failed("score", kernels::score::enqueue(in->q, in->k, score, stream))) {
    return kAttentionCudaError;
  }

  // top, total  (attention.grain:6)
  if (failed("total", kernels::total::enqueue(score, top, total_2, stream))) {
    return kAttentionCudaError;
  }

  // mixed  (attention.grain:9)
  if (failed("mixed", kernels::mixed::enqueue(in->v, score, top, total_2, out->mixed, stream))) {
    return kAttentionCudaError;
  }

  return kAttentionOk;
}

void attention_destroy(AttentionInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaSetDevice(current);
  delete instance;
}

const char* attention_last_error() { return last_error; }
