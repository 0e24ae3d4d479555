// boids.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 4.1 kB; the largest live set is 4.1 kB.

#include "boids/boids.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>
#include <utility>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = boids_kernels;

struct BoidsInstance {
  int device = 0;         // that was current in create
  void* arena = nullptr;  // device memory for values between kernels
};

extern const BoidsTensor kBoidsInputTable[] = {
    {"position", "f32", 2, kBoidsInPosition, 2048},
    {"velocity", "f32", 2, kBoidsInVelocity, 2048},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const BoidsTensor kBoidsOutputTable[] = {
    {"position", "f32", 2, kBoidsOutPosition, 2048},
    {"velocity", "f32", 2, kBoidsOutVelocity, 2048},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 4096;

thread_local char last_error[256] = "";

BoidsStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "boids: %s%s%s%s",
                what, name, separator, other);
  return kBoidsInvalidArgument;
}

// True if the call did not succeed; then boids_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "boids: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

// The array at a byte offset of the arena.
template <class T>
T* at(void* base, int64_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(base) + offset);
}

}  // namespace

BoidsStatus boids_create(BoidsInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  BoidsInstance* created = new (std::nothrow) BoidsInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kBoidsOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (failed("create", error)) {
    boids_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kBoidsOutOfMemory;
    return kBoidsCudaError;
  }
  *instance = created;
  return kBoidsOk;
}

BoidsStatus boids_run(BoidsInstance* instance, const BoidsInputs* in, const BoidsOutputs* out,
                      cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kBoidsInputTable, *out, kBoidsOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const position_2 = at<float>(instance->arena, 0);     // f32[256,2]
  float* const velocity_2 = at<float>(instance->arena, 2048);  // f32[256,2]

  const float* position_current = in->position;
  const float* velocity_current = in->velocity;
  float* position_next = position_2;
  float* position_spare = out->position;
  float* velocity_next = velocity_2;
  float* velocity_spare = out->velocity;

  // while.6; its last step writes position and velocity
  for (int t = 0; t < 20; ++t) {
    // div.25, add.9  (make_samples.py:85)
    if (failed("boids", kernels::boids::enqueue(position_current, velocity_current, velocity_next,
                                                position_next, stream))) {
      return kBoidsCudaError;
    }

    position_current = position_next;
    velocity_current = velocity_next;
    std::swap(position_next, position_spare);
    std::swap(velocity_next, velocity_spare);
  }

  return kBoidsOk;
}

void boids_destroy(BoidsInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaSetDevice(current);
  delete instance;
}

const char* boids_last_error() { return last_error; }
