// conjugate_gradient.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "conjugate_gradient/conjugate_gradient.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = conjugate_gradient_kernels;

struct ConjugateGradientInstance {
  int device = 0;  // that was current in create
};

extern const ConjugateGradientTensor kConjugateGradientInputTable[] = {
    {"b", "f32", 2, kConjugateGradientInB, 2304},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const ConjugateGradientTensor kConjugateGradientOutputTable[] = {
    {"sum", "s32", 0, nullptr, 4},
    {"sum_2", "f32", 2, kConjugateGradientOutSum2, 2304},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

ConjugateGradientStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "conjugate_gradient: %s%s%s%s",
                what, name, separator, other);
  return kConjugateGradientInvalidArgument;
}

// True if the call did not succeed; then conjugate_gradient_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "conjugate_gradient: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
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
  cudaError_t error = cudaGetDevice(&created->device);
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
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kConjugateGradientInputTable, *out, kConjugateGradientOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // n.2, x.2  (conjugate_gradient.grain:13)
  if (failed("conjugate_gradient", kernels::conjugate_gradient::enqueue(in->b, out->sum, out->sum_2,
                                                                        stream))) {
    return kConjugateGradientCudaError;
  }

  return kConjugateGradientOk;
}

void conjugate_gradient_destroy(ConjugateGradientInstance* instance) {
  delete instance;
}

const char* conjugate_gradient_last_error() { return last_error; }
