// classifier.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 512 bytes; the largest live set is 512 bytes.
// Weights: 1.3 kB.

#include "classifier/classifier.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = classifier_kernels;

extern "C" const unsigned char classifier_weights[];  // weights.bin, see weights.cpp

struct ClassifierInstance {
  int device = 0;           // that was current in create
  void* arena = nullptr;    // device memory for values between kernels
  void* weights = nullptr;  // weights.bin in device memory
};

extern const ClassifierTensor kClassifierInputTable[] = {
    {"x", "f32", 2, kClassifierInX, 2048},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const ClassifierTensor kClassifierOutputTable[] = {
    {"p", "f32", 2, kClassifierOutP, 512},
    {"best", "s32", 1, kClassifierOutBest, 128},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 512;
constexpr size_t kWeightsBytes = 1296;

thread_local char last_error[256] = "";

ClassifierStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "classifier: %s%s%s%s",
                what, name, separator, other);
  return kClassifierInvalidArgument;
}

// True if the call did not succeed; then classifier_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "classifier: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

// The array at a byte offset of the arena or the weights.
template <class T>
T* at(void* base, int64_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(base) + offset);
}

}  // namespace

ClassifierStatus classifier_create(ClassifierInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  ClassifierInstance* created = new (std::nothrow) ClassifierInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kClassifierOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->weights, kWeightsBytes);
  }
  if (error == cudaSuccess) {
    error = cudaMemcpy(created->weights, classifier_weights, kWeightsBytes, cudaMemcpyHostToDevice);
  }
  if (error == cudaSuccess) {
    error = cudaStreamSynchronize(nullptr);
  }
  if (failed("create", error)) {
    classifier_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kClassifierOutOfMemory;
    return kClassifierCudaError;
  }
  *instance = created;
  return kClassifierOk;
}

ClassifierStatus classifier_run(ClassifierInstance* instance, const ClassifierInputs* in,
                                const ClassifierOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kClassifierInputTable, *out, kClassifierOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const y = at<float>(instance->arena, 0);                              // f32[32,4]
  const float* const net_first_w = at<const float>(instance->weights, 0);      // f32[16,12]
  const float* const net_first_b = at<const float>(instance->weights, 768);    // f32[12]
  const float* const net_second_w = at<const float>(instance->weights, 1024);  // f32[12,4]
  const float* const net_second_b = at<const float>(instance->weights, 1280);  // f32[4]

  // dot.1  (nn.grain:20)
  if (failed("dense", kernels::dense::enqueue(in->x, net_first_w, net_first_b, net_second_w, y,
                                              stream))) {
    return kClassifierCudaError;
  }

  // best  (classifier.grain:17), and 1 more
  const kernels::best::BestArrays best_arrays = {
      .best_2 = {y, net_second_b, out->best},
      .softmax = {y, net_second_b, out->p},
  };
  if (failed("best", kernels::best::enqueue(best_arrays, stream))) return kClassifierCudaError;

  return kClassifierOk;
}

void classifier_destroy(ClassifierInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaFree(instance->weights);
  cudaSetDevice(current);
  delete instance;
}

const char* classifier_last_error() { return last_error; }
