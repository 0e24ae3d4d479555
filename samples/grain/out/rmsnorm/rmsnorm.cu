// rmsnorm.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "rmsnorm/rmsnorm.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = rmsnorm_kernels;

struct RmsnormInstance {
  int device = 0;  // that was current in create
};

extern const RmsnormTensor kRmsnormInputTable[] = {
    {"x", "bf16", 2, kRmsnormInX, 12288},
    {"scale", "bf16", 1, kRmsnormInScale, 192},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const RmsnormTensor kRmsnormOutputTable[] = {
    {"y", "bf16", 2, kRmsnormOutY, 12288},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

RmsnormStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "rmsnorm: %s%s%s%s",
                what, name, separator, other);
  return kRmsnormInvalidArgument;
}

// True if the call did not succeed; then rmsnorm_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "rmsnorm: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

RmsnormStatus rmsnorm_create(RmsnormInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  RmsnormInstance* created = new (std::nothrow) RmsnormInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kRmsnormOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    rmsnorm_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kRmsnormOutOfMemory;
    return kRmsnormCudaError;
  }
  *instance = created;
  return kRmsnormOk;
}

RmsnormStatus rmsnorm_run(RmsnormInstance* instance, const RmsnormInputs* in,
                          const RmsnormOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kRmsnormInputTable, *out, kRmsnormOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  const __nv_bfloat16* const x = reinterpret_cast<const __nv_bfloat16*>(in->x);  // bf16[64,96]
  const __nv_bfloat16* const scale = reinterpret_cast<const __nv_bfloat16*>(in->scale);  // bf16[96]
  __nv_bfloat16* const y = reinterpret_cast<__nv_bfloat16*>(out->y);  // bf16[64,96]

  // y  (rmsnorm.grain:7)
  if (failed("rmsnorm", kernels::rmsnorm::enqueue(x, scale, y, stream))) return kRmsnormCudaError;

  return kRmsnormOk;
}

void rmsnorm_destroy(RmsnormInstance* instance) {
  delete instance;
}

const char* rmsnorm_last_error() { return last_error; }
