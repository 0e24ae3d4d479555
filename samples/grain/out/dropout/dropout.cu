// dropout.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "dropout/dropout.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = dropout_kernels;

struct DropoutInstance {
  int device = 0;  // that was current in create
};

extern const DropoutTensor kDropoutInputTable[] = {
    {"x", "f32", 2, kDropoutInX, 24576},
    {"seed", "u32", 1, kDropoutInSeed, 8},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const DropoutTensor kDropoutOutputTable[] = {
    {"y", "f32", 2, kDropoutOutY, 24576},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

DropoutStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "dropout: %s%s%s%s",
                what, name, separator, other);
  return kDropoutInvalidArgument;
}

// True if the call did not succeed; then dropout_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "dropout: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

DropoutStatus dropout_create(DropoutInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  DropoutInstance* created = new (std::nothrow) DropoutInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kDropoutOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    dropout_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kDropoutOutOfMemory;
    return kDropoutCudaError;
  }
  *instance = created;
  return kDropoutOk;
}

DropoutStatus dropout_run(DropoutInstance* instance, const DropoutInputs* in,
                          const DropoutOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kDropoutInputTable, *out, kDropoutOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // y  (dropout.grain:6)
  if (failed("dropout", kernels::dropout::enqueue(in->x, in->seed, out->y, stream))) {
    return kDropoutCudaError;
  }

  return kDropoutOk;
}

void dropout_destroy(DropoutInstance* instance) {
  delete instance;
}

const char* dropout_last_error() { return last_error; }
