// logsumexp.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "logsumexp/logsumexp.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = logsumexp_kernels;

struct LogsumexpInstance {
  int device = 0;  // that was current in create
};

extern const LogsumexpTensor kLogsumexpInputTable[] = {
    {"x", "f32", 2, kLogsumexpInX, 24832},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const LogsumexpTensor kLogsumexpOutputTable[] = {
    {"y", "f32", 1, kLogsumexpOutY, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

LogsumexpStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "logsumexp: %s%s%s%s",
                what, name, separator, other);
  return kLogsumexpInvalidArgument;
}

// True if the call did not succeed; then logsumexp_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "logsumexp: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

LogsumexpStatus logsumexp_create(LogsumexpInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  LogsumexpInstance* created = new (std::nothrow) LogsumexpInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kLogsumexpOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    logsumexp_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kLogsumexpOutOfMemory;
    return kLogsumexpCudaError;
  }
  *instance = created;
  return kLogsumexpOk;
}

LogsumexpStatus logsumexp_run(LogsumexpInstance* instance, const LogsumexpInputs* in,
                              const LogsumexpOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kLogsumexpInputTable, *out, kLogsumexpOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // y  (logsumexp.grain:7)
  if (failed("logsumexp", kernels::logsumexp::enqueue(in->x, out->y, stream))) {
    return kLogsumexpCudaError;
  }

  return kLogsumexpOk;
}

void logsumexp_destroy(LogsumexpInstance* instance) {
  delete instance;
}

const char* logsumexp_last_error() { return last_error; }
