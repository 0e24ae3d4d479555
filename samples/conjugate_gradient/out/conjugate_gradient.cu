// conjugate_gradient.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 5.6 kB; the largest live set is 5.6 kB.
// Weights: 4 bytes.

#include "conjugate_gradient.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>
#include <utility>

#include "kernels.h"
#include "launcher/arguments.cuh"

using namespace conjugate_gradient_kernels;

extern "C" const unsigned char conjugate_gradient_weights[];  // weights.bin, see weights.cpp

struct ConjugateGradientInstance {
  void* arena = nullptr;      // device memory for values between kernels
  void* weights = nullptr;    // weights.bin in device memory
  void* condition = nullptr;  // pinned: what the host reads of a loop or branch
};

extern const ConjugateGradientTensor kConjugateGradientInputTable[] = {
    {"b", "f32", 2, kConjugateGradientInB, 2304},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const ConjugateGradientTensor kConjugateGradientOutputTable[] = {
    {"sum_1", "s32", 0, nullptr, 4},
    {"sum_2", "f32", 2, kConjugateGradientOutSum2, 2304},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 5632;
constexpr size_t kWeightsBytes = 4;

thread_local char last_error[256] = "";

ConjugateGradientStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "conjugate_gradient: %s%s%s%s",
                what, name, separator, other);
  return kConjugateGradientInvalidArgument;
}

// True if the call did not succeed; then conjugate_gradient_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "conjugate_gradient: %s: %s", what, reason);
  return true;
}

// The array at a byte offset of the arena or the weights.
template <class T>
T* at(void* base, int64_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(base) + offset);
}

// Waits for the stream and reads the condition of a loop or branch.
bool read_condition(void* pinned, const bool* condition, cudaStream_t stream, cudaError_t* error) {
  *error = cudaMemcpyAsync(pinned, condition, sizeof *condition, cudaMemcpyDeviceToHost, stream);
  if (*error == cudaSuccess) *error = cudaStreamSynchronize(stream);
  return *error == cudaSuccess && *static_cast<const bool*>(pinned);
}

}  // namespace

ConjugateGradientStatus conjugate_gradient_create(ConjugateGradientInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  ConjugateGradientInstance* created = new (std::nothrow) ConjugateGradientInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kConjugateGradientOutOfMemory;
  }
  cudaError_t error = cudaMalloc(&created->arena, kArenaBytes);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->weights, kWeightsBytes);
  }
  if (error == cudaSuccess) {
    error = cudaMemcpy(created->weights, conjugate_gradient_weights, kWeightsBytes,
                       cudaMemcpyHostToDevice);
  }
  if (error == cudaSuccess) {
    error = cudaStreamSynchronize(nullptr);
  }
  if (error == cudaSuccess) {
    error = cudaMallocHost(&created->condition, sizeof(bool));
  }
  if (failed("create", error)) {
    conjugate_gradient_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kConjugateGradientOutOfMemory;
    return kConjugateGradientCudaError;
  }
  *instance = created;
  return kConjugateGradientOk;
}

ConjugateGradientStatus conjugate_gradient_run(ConjugateGradientInstance* instance,
                                               const ConjugateGradientInputs* in,
                                               const ConjugateGradientOutputs* out,
                                               cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const ArgumentProblem wrong = argument_problem(
      *in, kConjugateGradientInputTable, *out, kConjugateGradientOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const dot_1 = at<float>(instance->arena, 4608);            // f32[]
  bool* const unfinished = at<bool>(instance->arena, 4864);         // pred[]
  float* const step_2 = at<float>(instance->arena, 5120);           // f32[]
  float* const sub = at<float>(instance->arena, 0);                 // f32[24,24]
  float* const add = at<float>(instance->arena, 2304);              // f32[24,24]
  float* const dot_2 = at<float>(instance->arena, 5376);            // f32[]
  const int* const constant = at<const int>(instance->weights, 0);  // s32[]

  // dot_general.5  (simulation.py:128), and 1 more
  const DotArrays dot_arrays = {
      .dot_1 = {in->b, dot_1},
      .fill = {out->sum_2},
  };
  if (failed("dot", launch_dot(dot_arrays, stream))) return kConjugateGradientCudaError;

  const int* sum_current = constant;
  const float* b_current = in->b;
  const float* b_current_2 = in->b;
  float* dot_next = dot_2;
  float* dot_current = dot_1;

  // while.8
  for (;;) {
    // and.1  (simulation.py:118)
    if (failed("unfinished", launch_unfinished(sum_current, dot_current, unfinished, stream))) {
      return kConjugateGradientCudaError;
    }

    cudaError_t error;
    const bool goes_on = read_condition(instance->condition, unfinished, stream, &error);
    if (failed("condition", error)) return kConjugateGradientCudaError;
    if (!goes_on) break;

    // add.4  (simulation.py:126)
    if (failed("step_1", launch_step_1(sum_current, out->sum_1, stream))) {
      return kConjugateGradientCudaError;
    }

    // dot_general.3  (simulation.py:123)
    if (failed("step_2", launch_step_2(b_current_2, step_2, stream))) {
      return kConjugateGradientCudaError;
    }

    // sub.9  (simulation.py:124)
    if (failed("step_3", launch_step_3(b_current, b_current_2, dot_current, step_2, sub, stream))) {
      return kConjugateGradientCudaError;
    }

    // dot_general.4  (simulation.py:125)
    if (failed("step_4", launch_step_4(sub, dot_next, stream))) return kConjugateGradientCudaError;

    // add.3, add.5  (simulation.py:124)
    if (failed("step_5", launch_step_5(out->sum_2, b_current_2, dot_current, step_2, sub, dot_next,
                                       out->sum_2, add, stream))) {
      return kConjugateGradientCudaError;
    }

    sum_current = out->sum_1;
    b_current = sub;
    b_current_2 = add;
    std::swap(dot_next, dot_current);
  }

  // sum
  if (sum_current != out->sum_1 && failed("copy", cudaMemcpyAsync(out->sum_1, sum_current, 4,
                                                                  cudaMemcpyDeviceToDevice,
                                                                  stream))) {
    return kConjugateGradientCudaError;
  }

  return kConjugateGradientOk;
}

void conjugate_gradient_destroy(ConjugateGradientInstance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  cudaFree(instance->weights);
  cudaFreeHost(instance->condition);
  delete instance;
}

const char* conjugate_gradient_last_error() { return last_error; }
