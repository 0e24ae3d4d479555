// lorenz_rk4.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 768 bytes; the largest live set is 768 bytes.

#include "lorenz_rk4.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"

using namespace lorenz_rk4_kernels;

struct LorenzRk4Instance {
  void* arena = nullptr;  // device memory for values between kernels
};

extern const LorenzRk4Tensor kLorenzRk4InputTable[] = {
    {"x", "f32", 1, kLorenzRk4InX, 256},
    {"y", "f32", 1, kLorenzRk4InY, 256},
    {"z", "f32", 1, kLorenzRk4InZ, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const LorenzRk4Tensor kLorenzRk4OutputTable[] = {
    {"x", "f32", 1, kLorenzRk4OutX, 256},
    {"y", "f32", 1, kLorenzRk4OutY, 256},
    {"z", "f32", 1, kLorenzRk4OutZ, 256},
    {"stack", "f32", 2, kLorenzRk4OutStack, 480},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 768;

thread_local char last_error[256] = "";

LorenzRk4Status refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "lorenz_rk4: %s%s%s%s",
                what, name, separator, other);
  return kLorenzRk4InvalidArgument;
}

// True if the call did not succeed; then lorenz_rk4_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "lorenz_rk4: %s: %s", what, reason);
  return true;
}

// The array at a byte offset of the arena.
template <class T>
T* at(void* base, int64_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(base) + offset);
}

}  // namespace

LorenzRk4Status lorenz_rk4_create(LorenzRk4Instance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  LorenzRk4Instance* created = new (std::nothrow) LorenzRk4Instance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kLorenzRk4OutOfMemory;
  }
  cudaError_t error = cudaMalloc(&created->arena, kArenaBytes);
  if (failed("create", error)) {
    lorenz_rk4_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kLorenzRk4OutOfMemory;
    return kLorenzRk4CudaError;
  }
  *instance = created;
  return kLorenzRk4Ok;
}

LorenzRk4Status lorenz_rk4_run(LorenzRk4Instance* instance, const LorenzRk4Inputs* in,
                               const LorenzRk4Outputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const ArgumentProblem wrong = argument_problem(
      *in, kLorenzRk4InputTable, *out, kLorenzRk4OutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const step = at<float>(instance->arena, 0);     // f32[]
  float* const sum = at<float>(instance->arena, 256);    // f32[]
  float* const sum_1 = at<float>(instance->arena, 512);  // f32[]

  // broadcast_in_dim.3  (simulation.py:72)
  if (failed("fill", launch_fill(out->stack, stream))) return kLorenzRk4CudaError;

  const float* x_current = in->x;
  const float* y_current = in->y;
  const float* z_current = in->z;

  // while.8
  for (int t = 0; t < 40; ++t) {
    // add.33, add.37, add.41, reduce_sum.21, ...  (simulation.py:69)
    if (failed("step", launch_step(x_current, y_current, z_current, out->x, out->y, out->z, step,
                                   sum, sum_1, stream))) {
      return kLorenzRk4CudaError;
    }

    // dynamic_update_slice.1  (simulation.py:72)
    if (failed("dynamic_update_slice", launch_dynamic_update_slice(step, sum, sum_1, out->stack, t,
                                                                   stream))) {
      return kLorenzRk4CudaError;
    }

    x_current = out->x;
    y_current = out->y;
    z_current = out->z;
  }

  return kLorenzRk4Ok;
}

void lorenz_rk4_destroy(LorenzRk4Instance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  delete instance;
}

const char* lorenz_rk4_last_error() { return last_error; }
