// quantised_dense.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 256 bytes; the largest live set is 256 bytes.

#include "quantised_dense/quantised_dense.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = quantised_dense_kernels;

struct QuantisedDenseInstance {
  int device = 0;         // that was current in create
  void* arena = nullptr;  // device memory for values between kernels
};

extern const QuantisedDenseTensor kQuantisedDenseInputTable[] = {
    {"x", "f32", 2, kQuantisedDenseInX, 8192},
    {"w", "s8", 2, kQuantisedDenseInW, 3072},
    {"w_scale", "f32", 1, kQuantisedDenseInWScale, 192},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const QuantisedDenseTensor kQuantisedDenseOutputTable[] = {
    {"y", "f32", 2, kQuantisedDenseOutY, 6144},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 256;

thread_local char last_error[256] = "";

QuantisedDenseStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "quantised_dense: %s%s%s%s",
                what, name, separator, other);
  return kQuantisedDenseInvalidArgument;
}

// True if the call did not succeed; then quantised_dense_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "quantised_dense: %s: %s", what, reason);
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

QuantisedDenseStatus quantised_dense_create(QuantisedDenseInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  QuantisedDenseInstance* created = new (std::nothrow) QuantisedDenseInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kQuantisedDenseOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (failed("create", error)) {
    quantised_dense_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kQuantisedDenseOutOfMemory;
    return kQuantisedDenseCudaError;
  }
  *instance = created;
  return kQuantisedDenseOk;
}

QuantisedDenseStatus quantised_dense_run(QuantisedDenseInstance* instance,
                                         const QuantisedDenseInputs* in,
                                         const QuantisedDenseOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kQuantisedDenseInputTable, *out, kQuantisedDenseOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const scale = at<float>(instance->arena, 0);  // f32[32]

  // reduce  (quantised_dense.grain:6)
  if (failed("scale", kernels::scale::enqueue(in->x, scale, stream))) {
    return kQuantisedDenseCudaError;
  }

  // y  (quantised_dense.grain:9)
  if (failed("product", kernels::product::enqueue(in->x, in->w, in->w_scale, scale, out->y,
                                                  stream))) {
    return kQuantisedDenseCudaError;
  }

  return kQuantisedDenseOk;
}

void quantised_dense_destroy(QuantisedDenseInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaSetDevice(current);
  delete instance;
}

const char* quantised_dense_last_error() { return last_error; }
