// heat2d.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 4.1 kB; the largest live set is 4.1 kB.

#include "heat2d.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>
#include <utility>

#include "kernels.h"
#include "launcher/arguments.cuh"

using namespace heat2d_kernels;

struct Heat2dInstance {
  void* arena = nullptr;  // device memory for values between kernels
};

extern const Heat2dTensor kHeat2dInputTable[] = {
    {"u", "f32", 2, kHeat2dInU, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const Heat2dTensor kHeat2dOutputTable[] = {
    {"u", "f32", 2, kHeat2dOutU, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 4096;

thread_local char last_error[256] = "";

Heat2dStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "heat2d: %s%s%s%s",
                what, name, separator, other);
  return kHeat2dInvalidArgument;
}

// True if the call did not succeed; then heat2d_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "heat2d: %s: %s", what, reason);
  return true;
}

// The array at a byte offset of the arena.
template <class T>
T* at(void* base, int64_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(base) + offset);
}

}  // namespace

Heat2dStatus heat2d_create(Heat2dInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  Heat2dInstance* created = new (std::nothrow) Heat2dInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kHeat2dOutOfMemory;
  }
  cudaError_t error = cudaMalloc(&created->arena, kArenaBytes);
  if (failed("create", error)) {
    heat2d_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kHeat2dOutOfMemory;
    return kHeat2dCudaError;
  }
  *instance = created;
  return kHeat2dOk;
}

Heat2dStatus heat2d_run(Heat2dInstance* instance, const Heat2dInputs* in, const Heat2dOutputs* out,
                        cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const ArgumentProblem wrong = argument_problem(
      *in, kHeat2dInputTable, *out, kHeat2dOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const u_1 = at<float>(instance->arena, 0);  // f32[32,32]

  const float* u_current = in->u;
  float* u_next = out->u;
  float* u_spare = u_1;

  // while.6; its last step writes u
  for (int t = 0; t < 25; ++t) {
    // scatter.5  (simulation.py:43)
    if (failed("heat2d", launch_heat2d(u_current, u_next, stream))) return kHeat2dCudaError;

    u_current = u_next;
    std::swap(u_next, u_spare);
  }

  return kHeat2dOk;
}

void heat2d_destroy(Heat2dInstance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  delete instance;
}

const char* heat2d_last_error() { return last_error; }
