// lstm.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "lstm/lstm.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = lstm_kernels;

struct LstmInstance {
  int device = 0;  // that was current in create
};

extern const LstmTensor kLstmInputTable[] = {
    {"wh", "f32", 2, kLstmInWh, 9216},
    {"bias", "f32", 1, kLstmInBias, 384},
    {"wx", "f32", 2, kLstmInWx, 6144},
    {"xs", "f32", 3, kLstmInXs, 3072},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const LstmTensor kLstmOutputTable[] = {
    {"h", "f32", 2, kLstmOutH, 384},
    {"c", "f32", 2, kLstmOutC, 384},
    {"h_2", "f32", 3, kLstmOutH2, 4608},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

LstmStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "lstm: %s%s%s%s",
                what, name, separator, other);
  return kLstmInvalidArgument;
}

// True if the call did not succeed; then lstm_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "lstm: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

LstmStatus lstm_create(LstmInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  LstmInstance* created = new (std::nothrow) LstmInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kLstmOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    lstm_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kLstmOutOfMemory;
    return kLstmCudaError;
  }
  *instance = created;
  return kLstmOk;
}

LstmStatus lstm_run(LstmInstance* instance, const LstmInputs* in, const LstmOutputs* out,
                    cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kLstmInputTable, *out, kLstmOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // h.1, c.1, hs.1  (lstm.grain:7)
  if (failed("lstm", kernels::lstm::enqueue(in->wh, in->bias, in->wx, in->xs, out->h, out->c,
                                            out->h_2, stream))) {
    return kLstmCudaError;
  }

  return kLstmOk;
}

void lstm_destroy(LstmInstance* instance) {
  delete instance;
}

const char* lstm_last_error() { return last_error; }
