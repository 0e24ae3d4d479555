// layernorm.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "layernorm/layernorm.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = layernorm_kernels;

struct LayernormInstance {
  int device = 0;  // that was current in create
};

extern const LayernormTensor kLayernormInputTable[] = {
    {"x", "f32", 2, kLayernormInX, 24576},
    {"scale", "f32", 1, kLayernormInScale, 384},
    {"bias", "f32", 1, kLayernormInBias, 384},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const LayernormTensor kLayernormOutputTable[] = {
    {"y", "f32", 2, kLayernormOutY, 24576},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

LayernormStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "layernorm: %s%s%s%s",
                what, name, separator, other);
  return kLayernormInvalidArgument;
}

// True if the call did not succeed; then layernorm_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "layernorm: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

LayernormStatus layernorm_create(LayernormInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  LayernormInstance* created = new (std::nothrow) LayernormInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kLayernormOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    layernorm_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kLayernormOutOfMemory;
    return kLayernormCudaError;
  }
  *instance = created;
  return kLayernormOk;
}

LayernormStatus layernorm_run(LayernormInstance* instance, const LayernormInputs* in,
                              const LayernormOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kLayernormInputTable, *out, kLayernormOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // y  (layernorm.grain:7)
  if (failed("layernorm", kernels::layernorm::enqueue(in->x, in->scale, in->bias, out->y,
                                                      stream))) {
    return kLayernormCudaError;
  }

  return kLayernormOk;
}

void layernorm_destroy(LayernormInstance* instance) {
  delete instance;
}

const char* layernorm_last_error() { return last_error; }
