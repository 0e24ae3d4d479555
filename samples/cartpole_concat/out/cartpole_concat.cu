// cartpole_concat.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cartpole_concat/cartpole_concat.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = cartpole_concat_kernels;

struct CartpoleConcatInstance {
  int device = 0;  // that was current in create
};

extern const CartpoleConcatTensor kCartpoleConcatInputTable[] = {
    {"state", "f32", 2, kCartpoleConcatInState, 1024},
    {"actions", "s32", 2, kCartpoleConcatInActions, 4096},
    {"starts", "f32", 3, kCartpoleConcatInStarts, 16384},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CartpoleConcatTensor kCartpoleConcatOutputTable[] = {
    {"state", "f32", 2, kCartpoleConcatOutState, 1024},
    {"episodes", "s32", 1, kCartpoleConcatOutEpisodes, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

CartpoleConcatStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "cartpole_concat: %s%s%s%s",
                what, name, separator, other);
  return kCartpoleConcatInvalidArgument;
}

// True if the call did not succeed; then cartpole_concat_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "cartpole_concat: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

CartpoleConcatStatus cartpole_concat_create(CartpoleConcatInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  CartpoleConcatInstance* created = new (std::nothrow) CartpoleConcatInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kCartpoleConcatOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    cartpole_concat_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kCartpoleConcatOutOfMemory;
    return kCartpoleConcatCudaError;
  }
  *instance = created;
  return kCartpoleConcatOk;
}

CartpoleConcatStatus cartpole_concat_run(CartpoleConcatInstance* instance,
                                         const CartpoleConcatInputs* in,
                                         const CartpoleConcatOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kCartpoleConcatInputTable, *out, kCartpoleConcatOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // while.10, while.11  (cartpole.py:105)
  if (failed("step", kernels::step::enqueue(in->state, in->actions, in->starts, out->state,
                                            out->episodes, stream))) {
    return kCartpoleConcatCudaError;
  }

  return kCartpoleConcatOk;
}

void cartpole_concat_destroy(CartpoleConcatInstance* instance) {
  delete instance;
}

const char* cartpole_concat_last_error() { return last_error; }
