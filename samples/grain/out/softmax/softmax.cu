// softmax.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "softmax/softmax.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = softmax_kernels;

struct SoftmaxInstance {
  int device = 0;  // that was current in create
};

extern const SoftmaxTensor kSoftmaxInputTable[] = {
    {"x", "f32", 2, kSoftmaxInX, 24832},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const SoftmaxTensor kSoftmaxOutputTable[] = {
    {"probs", "f32", 2, kSoftmaxOutProbs, 24832},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

SoftmaxStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "softmax: %s%s%s%s",
                what, name, separator, other);
  return kSoftmaxInvalidArgument;
}

// True if the call did not succeed; then softmax_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "softmax: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

SoftmaxStatus softmax_create(SoftmaxInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  SoftmaxInstance* created = new (std::nothrow) SoftmaxInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kSoftmaxOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    softmax_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kSoftmaxOutOfMemory;
    return kSoftmaxCudaError;
  }
  *instance = created;
  return kSoftmaxOk;
}

SoftmaxStatus softmax_run(SoftmaxInstance* instance, const SoftmaxInputs* in,
                          const SoftmaxOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kSoftmaxInputTable, *out, kSoftmaxOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // probs  (softmax.grain:7)
  if (failed("softmax", kernels::softmax::enqueue(in->x, out->probs, stream))) {
    return kSoftmaxCudaError;
  }

  return kSoftmaxOk;
}

void softmax_destroy(SoftmaxInstance* instance) {
  delete instance;
}

const char* softmax_last_error() { return last_error; }
