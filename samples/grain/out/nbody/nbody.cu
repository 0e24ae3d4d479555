// nbody.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "nbody/nbody.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = nbody_kernels;

struct NbodyInstance {
  int device = 0;  // that was current in create
};

extern const NbodyTensor kNbodyInputTable[] = {
    {"position0", "f32", 2, kNbodyInPosition0, 576},
    {"velocity0", "f32", 2, kNbodyInVelocity0, 576},
    {"mass", "f32", 1, kNbodyInMass, 192},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const NbodyTensor kNbodyOutputTable[] = {
    {"position0", "f32", 2, kNbodyOutPosition0, 576},
    {"velocity0", "f32", 2, kNbodyOutVelocity0, 576},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

NbodyStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "nbody: %s%s%s%s",
                what, name, separator, other);
  return kNbodyInvalidArgument;
}

// True if the call did not succeed; then nbody_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "nbody: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

NbodyStatus nbody_create(NbodyInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  NbodyInstance* created = new (std::nothrow) NbodyInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kNbodyOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    nbody_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kNbodyOutOfMemory;
    return kNbodyCudaError;
  }
  *instance = created;
  return kNbodyOk;
}

NbodyStatus nbody_run(NbodyInstance* instance, const NbodyInputs* in, const NbodyOutputs* out,
                      cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kNbodyInputTable, *out, kNbodyOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // position.1, velocity.1  (nbody.grain:12)
  if (failed("nbody", kernels::nbody::enqueue(in->position0, in->velocity0, in->mass,
                                              out->position0, out->velocity0, stream))) {
    return kNbodyCudaError;
  }

  return kNbodyOk;
}

void nbody_destroy(NbodyInstance* instance) {
  delete instance;
}

const char* nbody_last_error() { return last_error; }
