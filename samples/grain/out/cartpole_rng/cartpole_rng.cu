// cartpole_rng.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cartpole_rng/cartpole_rng.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = cartpole_rng_kernels;

struct CartpoleRngInstance {
  int device = 0;  // that was current in create
};

extern const CartpoleRngTensor kCartpoleRngInputTable[] = {
    {"start", "f32", 2, kCartpoleRngInStart, 1024},
    {"seed", "u32", 1, kCartpoleRngInSeed, 8},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CartpoleRngTensor kCartpoleRngOutputTable[] = {
    {"start", "f32", 2, kCartpoleRngOutStart, 1024},
    {"sum", "s32", 1, kCartpoleRngOutSum, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

CartpoleRngStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "cartpole_rng: %s%s%s%s",
                what, name, separator, other);
  return kCartpoleRngInvalidArgument;
}

// True if the call did not succeed; then cartpole_rng_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "cartpole_rng: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

CartpoleRngStatus cartpole_rng_create(CartpoleRngInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  CartpoleRngInstance* created = new (std::nothrow) CartpoleRngInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kCartpoleRngOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    cartpole_rng_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kCartpoleRngOutOfMemory;
    return kCartpoleRngCudaError;
  }
  *instance = created;
  return kCartpoleRngOk;
}

CartpoleRngStatus cartpole_rng_run(CartpoleRngInstance* instance, const CartpoleRngInputs* in,
                                   const CartpoleRngOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kCartpoleRngInputTable, *out, kCartpoleRngOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // state.3, episodes.1  (cartpole_rng.grain:7)
  if (failed("cartpole_rng", kernels::cartpole_rng::enqueue(in->start, in->seed, out->start,
                                                            out->sum, stream))) {
    return kCartpoleRngCudaError;
  }

  return kCartpoleRngOk;
}

void cartpole_rng_destroy(CartpoleRngInstance* instance) {
  delete instance;
}

const char* cartpole_rng_last_error() { return last_error; }
