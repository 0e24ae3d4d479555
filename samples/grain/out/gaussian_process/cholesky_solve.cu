// cholesky_solve.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 21.5 kB; the largest live set is 21.5 kB.

#include "cholesky_solve/cholesky_solve.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = cholesky_solve_kernels;

struct CholeskySolveInstance {
  int device = 0;         // that was current in create
  void* arena = nullptr;  // device memory for values between kernels
};

extern const CholeskySolveTensor kCholeskySolveInputTable[] = {
    {"x", "f32", 2, kCholeskySolveInX, 576},
    {"y", "f32", 1, kCholeskySolveInY, 192},
    {"queries", "f32", 2, kCholeskySolveInQueries, 192},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CholeskySolveTensor kCholeskySolveOutputTable[] = {
    {"centre", "f32", 1, kCholeskySolveOutCentre, 64},
    {"variance", "f32", 1, kCholeskySolveOutVariance, 64},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 21504;

thread_local char last_error[256] = "";

CholeskySolveStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "cholesky_solve: %s%s%s%s",
                what, name, separator, other);
  return kCholeskySolveInvalidArgument;
}

// True if the call did not succeed; then cholesky_solve_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "cholesky_solve: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

// The array at a byte offset of the arena.
template <class T>
T* at(void* base, int64_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(base) + offset);
}

}  // namespace

CholeskySolveStatus cholesky_solve_create(CholeskySolveInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  CholeskySolveInstance* created = new (std::nothrow) CholeskySolveInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kCholeskySolveOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (failed("create", error)) {
    cholesky_solve_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kCholeskySolveOutOfMemory;
    return kCholeskySolveCudaError;
  }
  *instance = created;
  return kCholeskySolveOk;
}

CholeskySolveStatus cholesky_solve_run(CholeskySolveInstance* instance,
                                       const CholeskySolveInputs* in,
                                       const CholeskySolveOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kCholeskySolveInputTable, *out, kCholeskySolveOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const k = at<float>(instance->arena, 0);          // f32[48,48]
  float* const k_2 = at<float>(instance->arena, 18432);    // f32[16,48]
  float* const factor = at<float>(instance->arena, 9216);  // f32[48,48]
  float* const half = at<float>(instance->arena, 0);       // f32[48,17]
  float* const full = at<float>(instance->arena, 3328);    // f32[48,17]

  // reduce  (gaussian_process.grain:5), and 1 more
  const kernels::kernel::KernelArrays kernel_arrays = {
      .kernel_2 = {in->x, k},
      .kernel_3 = {in->x, in->queries, k_2},
  };
  if (failed("kernel", kernels::kernel::enqueue(kernel_arrays, stream))) {
    return kCholeskySolveCudaError;
  }

  // cholesky  (gaussian_process.grain:11)
  if (failed("factor", kernels::factor::enqueue(k, factor, stream))) return kCholeskySolveCudaError;

  // half  (gaussian_process.grain:14)
  if (failed("half", kernels::half::enqueue(in->y, factor, k_2, half, stream))) {
    return kCholeskySolveCudaError;
  }

  // full  (gaussian_process.grain:15)
  if (failed("full", kernels::full::enqueue(factor, half, full, stream))) {
    return kCholeskySolveCudaError;
  }

  // centre, variance  (gaussian_process.grain:16)
  if (failed("variance", kernels::variance::enqueue(k_2, full, out->centre, out->variance,
                                                    stream))) {
    return kCholeskySolveCudaError;
  }

  return kCholeskySolveOk;
}

void cholesky_solve_destroy(CholeskySolveInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaSetDevice(current);
  delete instance;
}

const char* cholesky_solve_last_error() { return last_error; }
