// option_paths.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 1.0 kB; the largest live set is 1.0 kB.

#include "option_paths/option_paths.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = option_paths_kernels;

struct OptionPathsInstance {
  int device = 0;                // that was current in create
  void* arena = nullptr;         // device memory for values between kernels
  uint32_t* finished = nullptr;  // blocks that have finished, zero between launches
};

extern const OptionPathsTensor kOptionPathsInputTable[] = {
    {"spot", "f32", 0, nullptr, 4},
    {"strike", "f32", 0, nullptr, 4},
    {"volatility", "f32", 0, nullptr, 4},
    {"key", "u32", 1, kOptionPathsInKey, 8},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const OptionPathsTensor kOptionPathsOutputTable[] = {
    {"scaled", "f32", 0, nullptr, 4},
    {"std", "f32", 0, nullptr, 4},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 1024;

thread_local char last_error[256] = "";

OptionPathsStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "option_paths: %s%s%s%s",
                what, name, separator, other);
  return kOptionPathsInvalidArgument;
}

// True if the call did not succeed; then option_paths_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "option_paths: %s: %s", what, reason);
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

OptionPathsStatus option_paths_create(OptionPathsInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  OptionPathsInstance* created = new (std::nothrow) OptionPathsInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kOptionPathsOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->finished, sizeof(uint32_t));
  }
  if (error == cudaSuccess) {
    error = cudaMemset(created->finished, 0, sizeof(uint32_t));
  }
  if (error == cudaSuccess) {
    error = cudaStreamSynchronize(nullptr);
  }
  if (failed("create", error)) {
    option_paths_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kOptionPathsOutOfMemory;
    return kOptionPathsCudaError;
  }
  *instance = created;
  return kOptionPathsOk;
}

OptionPathsStatus option_paths_run(OptionPathsInstance* instance, const OptionPathsInputs* in,
                                   const OptionPathsOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kOptionPathsInputTable, *out, kOptionPathsOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const payoff_part = at<float>(instance->arena, 0);  // f32[256]

  // div.8  (finance.py:62), and 1 more
  const kernels::option_paths::OptionPathsArrays option_paths_arrays = {
      .step = {in->spot, in->volatility, in->key, payoff_part},
      .option_paths_2 = {in->strike, payoff_part, out->scaled, out->std},
      .finished = instance->finished,
  };
  if (failed("option_paths", kernels::option_paths::enqueue(option_paths_arrays, stream))) {
    return kOptionPathsCudaError;
  }

  return kOptionPathsOk;
}

void option_paths_destroy(OptionPathsInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaFree(instance->finished);
  cudaSetDevice(current);
  delete instance;
}

const char* option_paths_last_error() { return last_error; }
