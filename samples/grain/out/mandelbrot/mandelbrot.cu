// mandelbrot.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "mandelbrot/mandelbrot.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = mandelbrot_kernels;

struct MandelbrotInstance {
  int device = 0;  // that was current in create
};

extern const MandelbrotTensor kMandelbrotInputTable[] = {
    {"xs", "f32", 1, kMandelbrotInXs, 128},
    {"ys", "f32", 1, kMandelbrotInYs, 128},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const MandelbrotTensor kMandelbrotOutputTable[] = {
    {"while_", "s32", 2, kMandelbrotOutWhile, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

MandelbrotStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "mandelbrot: %s%s%s%s",
                what, name, separator, other);
  return kMandelbrotInvalidArgument;
}

// True if the call did not succeed; then mandelbrot_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "mandelbrot: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

MandelbrotStatus mandelbrot_create(MandelbrotInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  MandelbrotInstance* created = new (std::nothrow) MandelbrotInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kMandelbrotOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    mandelbrot_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kMandelbrotOutOfMemory;
    return kMandelbrotCudaError;
  }
  *instance = created;
  return kMandelbrotOk;
}

MandelbrotStatus mandelbrot_run(MandelbrotInstance* instance, const MandelbrotInputs* in,
                                const MandelbrotOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kMandelbrotInputTable, *out, kMandelbrotOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // n.2  (mandelbrot.grain:7)
  if (failed("escape", kernels::escape::enqueue(in->xs, in->ys, out->while_, stream))) {
    return kMandelbrotCudaError;
  }

  return kMandelbrotOk;
}

void mandelbrot_destroy(MandelbrotInstance* instance) {
  delete instance;
}

const char* mandelbrot_last_error() { return last_error; }
