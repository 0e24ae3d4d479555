// heat2d.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "heat2d/heat2d.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = heat2d_kernels;

struct Heat2dInstance {
  int device = 0;  // that was current in create
};

extern const Heat2dTensor kHeat2dInputTable[] = {
    {"start", "f32", 2, kHeat2dInStart, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const Heat2dTensor kHeat2dOutputTable[] = {
    {"start", "f32", 2, kHeat2dOutStart, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

Heat2dStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "heat2d: %s%s%s%s",
                what, name, separator, other);
  return kHeat2dInvalidArgument;
}

// True if the call did not succeed; then heat2d_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "heat2d: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

Heat2dStatus heat2d_create(Heat2dInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  Heat2dInstance* created = new (std::nothrow) Heat2dInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kHeat2dOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    heat2d_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kHeat2dOutOfMemory;
    return kHeat2dCudaError;
  }
  *instance = created;
  return kHeat2dOk;
}

Heat2dStatus heat2d_run(Heat2dInstance* instance, const Heat2dInputs* in, const Heat2dOutputs* out,
                        cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kHeat2dInputTable, *out, kHeat2dOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // u.1  (heat2d.grain:5)
  if (failed("heat2d", kernels::heat2d::enqueue(in->start, out->start, stream))) {
    return kHeat2dCudaError;
  }

  return kHeat2dOk;
}

void heat2d_destroy(Heat2dInstance* instance) {
  delete instance;
}

const char* heat2d_last_error() { return last_error; }
