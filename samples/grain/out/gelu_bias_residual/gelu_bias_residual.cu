// gelu_bias_residual.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "gelu_bias_residual/gelu_bias_residual.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = gelu_bias_residual_kernels;

struct GeluBiasResidualInstance {
  int device = 0;  // that was current in create
};

extern const GeluBiasResidualTensor kGeluBiasResidualInputTable[] = {
    {"x", "f32", 2, kGeluBiasResidualInX, 24576},
    {"bias", "f32", 1, kGeluBiasResidualInBias, 384},
    {"residual", "f32", 2, kGeluBiasResidualInResidual, 24576},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const GeluBiasResidualTensor kGeluBiasResidualOutputTable[] = {
    {"y", "f32", 2, kGeluBiasResidualOutY, 24576},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

GeluBiasResidualStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "gelu_bias_residual: %s%s%s%s",
                what, name, separator, other);
  return kGeluBiasResidualInvalidArgument;
}

// True if the call did not succeed; then gelu_bias_residual_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "gelu_bias_residual: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

GeluBiasResidualStatus gelu_bias_residual_create(GeluBiasResidualInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  GeluBiasResidualInstance* created = new (std::nothrow) GeluBiasResidualInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kGeluBiasResidualOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    gelu_bias_residual_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kGeluBiasResidualOutOfMemory;
    return kGeluBiasResidualCudaError;
  }
  *instance = created;
  return kGeluBiasResidualOk;
}

GeluBiasResidualStatus gelu_bias_residual_run(GeluBiasResidualInstance* instance,
                                              const GeluBiasResidualInputs* in,
                                              const GeluBiasResidualOutputs* out,
                                              cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kGeluBiasResidualInputTable, *out, kGeluBiasResidualOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // y  (gelu_bias_residual.grain:8)
  if (failed("gelu_bias_residual", kernels::gelu_bias_residual::enqueue(in->x, in->bias,
                                                                        in->residual, out->y,
                                                                        stream))) {
    return kGeluBiasResidualCudaError;
  }

  return kGeluBiasResidualOk;
}

void gelu_bias_residual_destroy(GeluBiasResidualInstance* instance) {
  delete instance;
}

const char* gelu_bias_residual_last_error() { return last_error; }
