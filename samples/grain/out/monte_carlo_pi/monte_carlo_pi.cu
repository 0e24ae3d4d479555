// monte_carlo_pi.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 4.1 kB; the largest live set is 4.1 kB.

#include "monte_carlo_pi/monte_carlo_pi.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = monte_carlo_pi_kernels;

struct MonteCarloPiInstance {
  int device = 0;         // that was current in create
  void* arena = nullptr;  // device memory for values between kernels
};

extern const MonteCarloPiTensor kMonteCarloPiInputTable[] = {
    {"seed", "u32", 1, kMonteCarloPiInSeed, 8},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const MonteCarloPiTensor kMonteCarloPiOutputTable[] = {
    {"estimate", "f32", 0, nullptr, 4},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 4096;

thread_local char last_error[256] = "";

MonteCarloPiStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "monte_carlo_pi: %s%s%s%s",
                what, name, separator, other);
  return kMonteCarloPiInvalidArgument;
}

// True if the call did not succeed; then monte_carlo_pi_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "monte_carlo_pi: %s: %s", what, reason);
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

MonteCarloPiStatus monte_carlo_pi_create(MonteCarloPiInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  MonteCarloPiInstance* created = new (std::nothrow) MonteCarloPiInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kMonteCarloPiOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (failed("create", error)) {
    monte_carlo_pi_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kMonteCarloPiOutOfMemory;
    return kMonteCarloPiCudaError;
  }
  *instance = created;
  return kMonteCarloPiOk;
}

MonteCarloPiStatus monte_carlo_pi_run(MonteCarloPiInstance* instance, const MonteCarloPiInputs* in,
                                      const MonteCarloPiOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kMonteCarloPiInputTable, *out, kMonteCarloPiOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  int* const sum = at<int>(instance->arena, 0);  // s32[1000]

  // get-tuple-element.9  (monte_carlo_pi.grain:5)
  if (failed("monte_carlo_pi", kernels::monte_carlo_pi::enqueue(in->seed, sum, stream))) {
    return kMonteCarloPiCudaError;
  }

  // estimate  (monte_carlo_pi.grain:9)
  if (failed("for_", kernels::for_::enqueue(sum, out->estimate, stream))) {
    return kMonteCarloPiCudaError;
  }

  return kMonteCarloPiOk;
}

void monte_carlo_pi_destroy(MonteCarloPiInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaSetDevice(current);
  delete instance;
}

const char* monte_carlo_pi_last_error() { return last_error; }
