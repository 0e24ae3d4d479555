// cartpole_unroll10.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cartpole_unroll10/cartpole_unroll10.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = cartpole_unroll10_kernels;

struct CartpoleUnroll10Instance {
  int device = 0;  // that was current in create
};

extern const CartpoleUnroll10Tensor kCartpoleUnroll10InputTable[] = {
    {"state_0", "f32", 1, kCartpoleUnroll10InState0, 256},
    {"state_1", "f32", 1, kCartpoleUnroll10InState1, 256},
    {"state_2", "f32", 1, kCartpoleUnroll10InState2, 256},
    {"state_3", "f32", 1, kCartpoleUnroll10InState3, 256},
    {"actions", "s32", 2, kCartpoleUnroll10InActions, 4096},
    {"starts_0", "f32", 2, kCartpoleUnroll10InStarts0, 4096},
    {"starts_1", "f32", 2, kCartpoleUnroll10InStarts1, 4096},
    {"starts_2", "f32", 2, kCartpoleUnroll10InStarts2, 4096},
    {"starts_3", "f32", 2, kCartpoleUnroll10InStarts3, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CartpoleUnroll10Tensor kCartpoleUnroll10OutputTable[] = {
    {"state_0", "f32", 1, kCartpoleUnroll10OutState0, 256},
    {"state_1", "f32", 1, kCartpoleUnroll10OutState1, 256},
    {"state_2", "f32", 1, kCartpoleUnroll10OutState2, 256},
    {"state_3", "f32", 1, kCartpoleUnroll10OutState3, 256},
    {"episodes", "s32", 1, kCartpoleUnroll10OutEpisodes, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

CartpoleUnroll10Status refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "cartpole_unroll10: %s%s%s%s",
                what, name, separator, other);
  return kCartpoleUnroll10InvalidArgument;
}

// True if the call did not succeed; then cartpole_unroll10_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "cartpole_unroll10: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

CartpoleUnroll10Status cartpole_unroll10_create(CartpoleUnroll10Instance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  CartpoleUnroll10Instance* created = new (std::nothrow) CartpoleUnroll10Instance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kCartpoleUnroll10OutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    cartpole_unroll10_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kCartpoleUnroll10OutOfMemory;
    return kCartpoleUnroll10CudaError;
  }
  *instance = created;
  return kCartpoleUnroll10Ok;
}

CartpoleUnroll10Status cartpole_unroll10_run(CartpoleUnroll10Instance* instance,
                                             const CartpoleUnroll10Inputs* in,
                                             const CartpoleUnroll10Outputs* out,
                                             cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kCartpoleUnroll10InputTable, *out, kCartpoleUnroll10OutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // while.13, while.14, while.15, while.16, ...  (cartpole.py:121)
  if (failed("step", kernels::step::enqueue(in->state_0, in->state_1, in->state_2, in->state_3,
                                            in->actions, in->starts_0, in->starts_1, in->starts_2,
                                            in->starts_3, out->state_0, out->state_1, out->state_2,
                                            out->state_3, out->episodes, stream))) {
    return kCartpoleUnroll10CudaError;
  }

  return kCartpoleUnroll10Ok;
}

void cartpole_unroll10_destroy(CartpoleUnroll10Instance* instance) {
  delete instance;
}

const char* cartpole_unroll10_last_error() { return last_error; }
