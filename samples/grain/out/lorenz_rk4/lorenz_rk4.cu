// lorenz_rk4.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "lorenz_rk4/lorenz_rk4.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = lorenz_rk4_kernels;

struct LorenzRk4Instance {
  int device = 0;  // that was current in create
};

extern const LorenzRk4Tensor kLorenzRk4InputTable[] = {
    {"start_x", "f32", 1, kLorenzRk4InStartX, 256},
    {"start_y", "f32", 1, kLorenzRk4InStartY, 256},
    {"start_z", "f32", 1, kLorenzRk4InStartZ, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const LorenzRk4Tensor kLorenzRk4OutputTable[] = {
    {"start_x", "f32", 1, kLorenzRk4OutStartX, 256},
    {"start_y", "f32", 1, kLorenzRk4OutStartY, 256},
    {"start_z", "f32", 1, kLorenzRk4OutStartZ, 256},
    {"means", "f32", 2, kLorenzRk4OutMeans, 480},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

LorenzRk4Status refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "lorenz_rk4: %s%s%s%s",
                what, name, separator, other);
  return kLorenzRk4InvalidArgument;
}

// True if the call did not succeed; then lorenz_rk4_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "lorenz_rk4: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

LorenzRk4Status lorenz_rk4_create(LorenzRk4Instance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  LorenzRk4Instance* created = new (std::nothrow) LorenzRk4Instance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kLorenzRk4OutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    lorenz_rk4_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kLorenzRk4OutOfMemory;
    return kLorenzRk4CudaError;
  }
  *instance = created;
  return kLorenzRk4Ok;
}

LorenzRk4Status lorenz_rk4_run(LorenzRk4Instance* instance, const LorenzRk4Inputs* in,
                               const LorenzRk4Outputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kLorenzRk4InputTable, *out, kLorenzRk4OutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // p_x.1, p_y.1, p_z.1, means.1  (lorenz_rk4.grain:20)
  if (failed("lorenz_rk4", kernels::lorenz_rk4::enqueue(in->start_x, in->start_y, in->start_z,
                                                        out->start_x, out->start_y, out->start_z,
                                                        out->means, stream))) {
    return kLorenzRk4CudaError;
  }

  return kLorenzRk4Ok;
}

void lorenz_rk4_destroy(LorenzRk4Instance* instance) {
  delete instance;
}

const char* lorenz_rk4_last_error() { return last_error; }
