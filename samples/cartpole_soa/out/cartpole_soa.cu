// cartpole_soa.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cartpole_soa/cartpole_soa.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = cartpole_soa_kernels;

struct CartpoleSoaInstance {
  int device = 0;  // that was current in create
};

extern const CartpoleSoaTensor kCartpoleSoaInputTable[] = {
    {"state_0", "f32", 1, kCartpoleSoaInState0, 256},
    {"state_1", "f32", 1, kCartpoleSoaInState1, 256},
    {"state_2", "f32", 1, kCartpoleSoaInState2, 256},
    {"state_3", "f32", 1, kCartpoleSoaInState3, 256},
    {"actions", "s32", 2, kCartpoleSoaInActions, 4096},
    {"starts_0", "f32", 2, kCartpoleSoaInStarts0, 4096},
    {"starts_1", "f32", 2, kCartpoleSoaInStarts1, 4096},
    {"starts_2", "f32", 2, kCartpoleSoaInStarts2, 4096},
    {"starts_3", "f32", 2, kCartpoleSoaInStarts3, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CartpoleSoaTensor kCartpoleSoaOutputTable[] = {
    {"state_0", "f32", 1, kCartpoleSoaOutState0, 256},
    {"state_1", "f32", 1, kCartpoleSoaOutState1, 256},
    {"state_2", "f32", 1, kCartpoleSoaOutState2, 256},
    {"state_3", "f32", 1, kCartpoleSoaOutState3, 256},
    {"episodes", "s32", 1, kCartpoleSoaOutEpisodes, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

CartpoleSoaStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "cartpole_soa: %s%s%s%s",
                what, name, separator, other);
  return kCartpoleSoaInvalidArgument;
}

// True if the call did not succeed; then cartpole_soa_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "cartpole_soa: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

CartpoleSoaStatus cartpole_soa_create(CartpoleSoaInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  CartpoleSoaInstance* created = new (std::nothrow) CartpoleSoaInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kCartpoleSoaOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    cartpole_soa_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kCartpoleSoaOutOfMemory;
    return kCartpoleSoaCudaError;
  }
  *instance = created;
  return kCartpoleSoaOk;
}

CartpoleSoaStatus cartpole_soa_run(CartpoleSoaInstance* instance, const CartpoleSoaInputs* in,
                                   const CartpoleSoaOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kCartpoleSoaInputTable, *out, kCartpoleSoaOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // while.13, while.14, while.15, while.16, ...  (cartpole.py:121)
  if (failed("step", kernels::step::enqueue(in->state_0, in->state_1, in->state_2, in->state_3,
                                            in->actions, in->starts_0, in->starts_1, in->starts_2,
                                            in->starts_3, out->state_0, out->state_1, out->state_2,
                                            out->state_3, out->episodes, stream))) {
    return kCartpoleSoaCudaError;
  }

  return kCartpoleSoaOk;
}

void cartpole_soa_destroy(CartpoleSoaInstance* instance) {
  delete instance;
}

const char* cartpole_soa_last_error() { return last_error; }
