// cartpole.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cartpole/cartpole.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = cartpole_kernels;

struct CartpoleInstance {
  int device = 0;  // that was current in create
};

extern const CartpoleTensor kCartpoleInputTable[] = {
    {"start_x", "f32", 1, kCartpoleInStartX, 256},
    {"start_x_dot", "f32", 1, kCartpoleInStartXDot, 256},
    {"start_theta", "f32", 1, kCartpoleInStartTheta, 256},
    {"start_theta_dot", "f32", 1, kCartpoleInStartThetaDot, 256},
    {"actions", "s32", 2, kCartpoleInActions, 4096},
    {"starts_x", "f32", 2, kCartpoleInStartsX, 4096},
    {"starts_x_dot", "f32", 2, kCartpoleInStartsXDot, 4096},
    {"starts_theta", "f32", 2, kCartpoleInStartsTheta, 4096},
    {"starts_theta_dot", "f32", 2, kCartpoleInStartsThetaDot, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CartpoleTensor kCartpoleOutputTable[] = {
    {"start_x", "f32", 1, kCartpoleOutStartX, 256},
    {"start_x_dot", "f32", 1, kCartpoleOutStartXDot, 256},
    {"start_theta", "f32", 1, kCartpoleOutStartTheta, 256},
    {"start_theta_dot", "f32", 1, kCartpoleOutStartThetaDot, 256},
    {"sum", "s32", 1, kCartpoleOutSum, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

CartpoleStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "cartpole: %s%s%s%s",
                what, name, separator, other);
  return kCartpoleInvalidArgument;
}

// True if the call did not succeed; then cartpole_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "cartpole: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

CartpoleStatus cartpole_create(CartpoleInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  CartpoleInstance* created = new (std::nothrow) CartpoleInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kCartpoleOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    cartpole_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kCartpoleOutOfMemory;
    return kCartpoleCudaError;
  }
  *instance = created;
  return kCartpoleOk;
}

CartpoleStatus cartpole_run(CartpoleInstance* instance, const CartpoleInputs* in,
                            const CartpoleOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kCartpoleInputTable, *out, kCartpoleOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // state_x.1, state_x_dot.1, state_theta.1, state_theta_dot.1, ...  (cartpole.grain:29)
  if (failed("cartpole", kernels::cartpole::enqueue(in->start_x, in->start_x_dot, in->start_theta,
                                                    in->start_theta_dot, in->actions, in->starts_x,
                                                    in->starts_x_dot, in->starts_theta,
                                                    in->starts_theta_dot, out->start_x,
                                                    out->start_x_dot, out->start_theta,
                                                    out->start_theta_dot, out->sum, stream))) {
    return kCartpoleCudaError;
  }

  return kCartpoleOk;
}

void cartpole_destroy(CartpoleInstance* instance) {
  delete instance;
}

const char* cartpole_last_error() { return last_error; }
