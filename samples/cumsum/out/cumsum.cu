// cumsum.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cumsum/cumsum.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = cumsum_kernels;

struct CumsumInstance {
  int device = 0;  // that was current in create
};

extern const CumsumTensor kCumsumInputTable[] = {
    {"x", "f32", 2, kCumsumInX, 9600},
    {"p", "f32", 2, kCumsumInP, 9600},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CumsumTensor kCumsumOutputTable[] = {
    {"running_sum", "f32", 2, kCumsumOutRunningSum, 9600},
    {"running_product", "f32", 2, kCumsumOutRunningProduct, 9600},
    {"running_max", "f32", 2, kCumsumOutRunningMax, 9600},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

CumsumStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "cumsum: %s%s%s%s",
                what, name, separator, other);
  return kCumsumInvalidArgument;
}

// True if the call did not succeed; then cumsum_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "cumsum: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

CumsumStatus cumsum_create(CumsumInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  CumsumInstance* created = new (std::nothrow) CumsumInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kCumsumOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    cumsum_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kCumsumOutOfMemory;
    return kCumsumCudaError;
  }
  *instance = created;
  return kCumsumOk;
}

CumsumStatus cumsum_run(CumsumInstance* instance, const CumsumInputs* in, const CumsumOutputs* out,
                        cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kCumsumInputTable, *out, kCumsumOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // reduce_window.5  (arrays.py:15), and 2 more
  const kernels::cumsum::CumsumArrays cumsum_arrays = {
      .running_product = {in->p, out->running_product},
      .running_sum = {in->x, out->running_sum},
      .running_max = {in->x, out->running_max},
  };
  if (failed("cumsum", kernels::cumsum::enqueue(cumsum_arrays, stream))) return kCumsumCudaError;

  return kCumsumOk;
}

void cumsum_destroy(CumsumInstance* instance) {
  delete instance;
}

const char* cumsum_last_error() { return last_error; }
