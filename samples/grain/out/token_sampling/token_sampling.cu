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
    {"seed", "u32", 1, kTokenSamplingInSeed, 8},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const TokenSamplingTensor kTokenSamplingOutputTable[] = {
    {"token", "s32", 1, kTokenSamplingOutToken, 32},
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

  float* const topk_2 = at<float>(instance->arena, 0);          // f32[8,40]
  int* const topk_indices = at<int>(instance->arena, 1280);     // s32[8,40]
  float* const top = at<float>(instance->arena, 3840);          // f32[8]
  float* const p = at<float>(instance->arena, 4096);            // f32[8]
  float* const running_sum = at<float>(instance->arena, 2560);  // f32[8,40]

  // value, id  (token_sampling.grain:8)
  if (failed("topk", kernels::topk::enqueue(in->logits, in->temperature, topk_2, topk_indices,
                                            stream))) {
    return kTokenSamplingCudaError;
  }

  // top, reduce.1  (nn.grain:14)
  if (failed("softmax", kernels::softmax::enqueue(topk_2, top, p, stream))) {
    return kTokenSamplingCudaError;
  }

  // reduce-window  (token_sampling.grain:10)
  if (failed("running_sum", kernels::running_sum::enqueue(topk_2, top, p, running_sum, stream))) {
    return kTokenSamplingCudaError;
  }

  // token, kept  (token_sampling.grain:14)
  if (failed("draw", kernels::draw::enqueue(topk_2, topk_indices, in->seed, top, p, running_sum,
                                            out->token, out->kept, stream))) {
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
