// token_sampling.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 4.4 kB; the largest live set is 4.4 kB.

#include "token_sampling/token_sampling.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = token_sampling_kernels;

struct TokenSamplingInstance {
  int device = 0;         // that was current in create
  void* arena = nullptr;  // device memory for values between kernels
};

extern const TokenSamplingTensor kTokenSamplingInputTable[] = {
    {"logits", "f32", 2, kTokenSamplingInLogits, 6400},
    {"temperature", "f32", 0, nullptr, 4},
    {"key", "u32", 1, kTokenSamplingInKey, 8},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const TokenSamplingTensor kTokenSamplingOutputTable[] = {
    {"picked_tokens", "s32", 1, kTokenSamplingOutPickedTokens, 32},
    {"kept", "f32", 2, kTokenSamplingOutKept, 1280},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 4352;

thread_local char last_error[256] = "";

TokenSamplingStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "token_sampling: %s%s%s%s",
                what, name, separator, other);
  return kTokenSamplingInvalidArgument;
}

// True if the call did not succeed; then token_sampling_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "token_sampling: %s: %s", what, reason);
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

TokenSamplingStatus token_sampling_create(TokenSamplingInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  TokenSamplingInstance* created = new (std::nothrow) TokenSamplingInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kTokenSamplingOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (failed("create", error)) {
    token_sampling_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kTokenSamplingOutOfMemory;
    return kTokenSamplingCudaError;
  }
  *instance = created;
  return kTokenSamplingOk;
}

TokenSamplingStatus token_sampling_run(TokenSamplingInstance* instance,
                                       const TokenSamplingInputs* in,
                                       const TokenSamplingOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kTokenSamplingInputTable, *out, kTokenSamplingOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const values = at<float>(instance->arena, 0);          // f32[8,40]
  int* const tokens = at<int>(instance->arena, 1280);           // s32[8,40]
  float* const values_max = at<float>(instance->arena, 3840);   // f32[8]
  float* const weight_sum = at<float>(instance->arena, 4096);   // f32[8]
  float* const running_sum = at<float>(instance->arena, 2560);  // f32[8,40]

  // top_k.4, top_k.5  (language.py:160)
  if (failed("token_sampling", kernels::token_sampling::enqueue(in->logits, in->temperature, values,
                                                                tokens, stream))) {
    return kTokenSamplingCudaError;
  }

  // reduce_max.7, reduce_sum.7  (language.py:161)
  if (failed("token_sampling_2", kernels::token_sampling_2::enqueue(values, values_max, weight_sum,
                                                                    stream))) {
    return kTokenSamplingCudaError;
  }

  // reduce_window_sum.7  (language.py:162)
  if (failed("token_sampling_3", kernels::token_sampling_3::enqueue(values, values_max, weight_sum,
                                                                    running_sum, stream))) {
    return kTokenSamplingCudaError;
  }

  // squeeze.5, select_n.1  (language.py:165)
  if (failed("token_sampling_4", kernels::token_sampling_4::enqueue(values, tokens, in->key,
                                                                    values_max, weight_sum,
                                                                    running_sum, out->picked_tokens,
                                                                    out->kept, stream))) {
    return kTokenSamplingCudaError;
  }

  return kTokenSamplingOk;
}

void token_sampling_destroy(TokenSamplingInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaSetDevice(current);
  delete instance;
}

const char* token_sampling_last_error() { return last_error; }
