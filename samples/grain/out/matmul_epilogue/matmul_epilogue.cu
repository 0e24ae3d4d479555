// matmul_epilogue.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "matmul_epilogue/matmul_epilogue.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = matmul_epilogue_kernels;

struct MatmulEpilogueInstance {
  int device = 0;  // that was current in create
};

extern const MatmulEpilogueTensor kMatmulEpilogueInputTable[] = {
    {"a", "f32", 2, kMatmulEpilogueInA, 32768},
    {"b", "f32", 2, kMatmulEpilogueInB, 24576},
    {"bias", "f32", 1, kMatmulEpilogueInBias, 384},
    {"scale", "f32", 0, nullptr, 4},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const MatmulEpilogueTensor kMatmulEpilogueOutputTable[] = {
    {"c", "f32", 2, kMatmulEpilogueOutC, 49152},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

MatmulEpilogueStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "matmul_epilogue: %s%s%s%s",
                what, name, separator, other);
  return kMatmulEpilogueInvalidArgument;
}

// True if the call did not succeed; then matmul_epilogue_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "matmul_epilogue: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

MatmulEpilogueStatus matmul_epilogue_create(MatmulEpilogueInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  MatmulEpilogueInstance* created = new (std::nothrow) MatmulEpilogueInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kMatmulEpilogueOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    matmul_epilogue_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kMatmulEpilogueOutOfMemory;
    return kMatmulEpilogueCudaError;
  }
  *instance = created;
  return kMatmulEpilogueOk;
}

MatmulEpilogueStatus matmul_epilogue_run(MatmulEpilogueInstance* instance,
                                         const MatmulEpilogueInputs* in,
                                         const MatmulEpilogueOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kMatmulEpilogueInputTable, *out, kMatmulEpilogueOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // c  (matmul_epilogue.grain:8)
  if (failed("matmul_epilogue", kernels::matmul_epilogue::enqueue(in->a, in->b, in->bias, in->scale,
                                                                  out->c, stream))) {
    return kMatmulEpilogueCudaError;
  }

  return kMatmulEpilogueOk;
}

void matmul_epilogue_destroy(MatmulEpilogueInstance* instance) {
  delete instance;
}

const char* matmul_epilogue_last_error() { return last_error; }
