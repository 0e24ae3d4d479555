// cumsum_cumsum_rows.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cumsum_cumsum_rows/cumsum_cumsum_rows.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = cumsum_cumsum_rows_kernels;

struct CumsumCumsumRowsInstance {
  int device = 0;  // that was current in create
};

extern const CumsumCumsumRowsTensor kCumsumCumsumRowsInputTable[] = {
    {"x", "f32", 2, kCumsumCumsumRowsInX, 9600},
    {"p", "f32", 2, kCumsumCumsumRowsInP, 9600},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CumsumCumsumRowsTensor kCumsumCumsumRowsOutputTable[] = {
    {"running_sum", "f32", 2, kCumsumCumsumRowsOutRunningSum, 9600},
    {"products", "f32", 2, kCumsumCumsumRowsOutProducts, 9600},
    {"running_max", "f32", 2, kCumsumCumsumRowsOutRunningMax, 9600},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

CumsumCumsumRowsStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "cumsum_cumsum_rows: %s%s%s%s",
                what, name, separator, other);
  return kCumsumCumsumRowsInvalidArgument;
}

// True if the call did not succeed; then cumsum_cumsum_rows_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "cumsum_cumsum_rows: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

CumsumCumsumRowsStatus cumsum_cumsum_rows_create(CumsumCumsumRowsInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  CumsumCumsumRowsInstance* created = new (std::nothrow) CumsumCumsumRowsInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kCumsumCumsumRowsOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    cumsum_cumsum_rows_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kCumsumCumsumRowsOutOfMemory;
    return kCumsumCumsumRowsCudaError;
  }
  *instance = created;
  return kCumsumCumsumRowsOk;
}

CumsumCumsumRowsStatus cumsum_cumsum_rows_run(CumsumCumsumRowsInstance* instance,
                                              const CumsumCumsumRowsInputs* in,
                                              const CumsumCumsumRowsOutputs* out,
                                              cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kCumsumCumsumRowsInputTable, *out, kCumsumCumsumRowsOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // peaks  (cumsum.grain:8), and 2 more
  const kernels::cumsum_cumsum_rows::CumsumCumsumRowsArrays cumsum_cumsum_rows_arrays = {
      .running_max = {in->x, out->running_max},
      .running_product = {in->p, out->products},
      .running_sum = {in->x, out->running_sum},
  };
  if (failed("cumsum_cumsum_rows", kernels::cumsum_cumsum_rows::enqueue(cumsum_cumsum_rows_arrays,
                                                                        stream))) {
    return kCumsumCumsumRowsCudaError;
  }

  return kCumsumCumsumRowsOk;
}

void cumsum_cumsum_rows_destroy(CumsumCumsumRowsInstance* instance) {
  delete instance;
}

const char* cumsum_cumsum_rows_last_error() { return last_error; }
