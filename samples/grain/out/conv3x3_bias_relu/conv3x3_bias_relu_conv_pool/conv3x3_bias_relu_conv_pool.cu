// conv3x3_bias_relu_conv_pool.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 3.3 kB; the largest live set is 3.3 kB.

#include "conv3x3_bias_relu_conv_pool/conv3x3_bias_relu_conv_pool.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = conv3x3_bias_relu_conv_pool_kernels;

struct Conv3x3BiasReluConvPoolInstance {
  int device = 0;         // that was current in create
  void* arena = nullptr;  // device memory for values between kernels
};

extern const Conv3x3BiasReluConvPoolTensor kConv3x3BiasReluConvPoolInputTable[] = {
    {"x", "f32", 4, kConv3x3BiasReluConvPoolInX, 6144},
    {"w", "f32", 4, kConv3x3BiasReluConvPoolInW, 864},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const Conv3x3BiasReluConvPoolTensor kConv3x3BiasReluConvPoolOutputTable[] = {
    {"window_max", "f32", 4, kConv3x3BiasReluConvPoolOutWindowMax, 1024},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 3328;

thread_local char last_error[256] = "";

Conv3x3BiasReluConvPoolStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "conv3x3_bias_relu_conv_pool: %s%s%s%s",
                what, name, separator, other);
  return kConv3x3BiasReluConvPoolInvalidArgument;
}

// True if the call did not succeed; then conv3x3_bias_relu_conv_pool_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "conv3x3_bias_relu_conv_pool: %s: %s", what, reason);
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

Conv3x3BiasReluConvPoolStatus conv3x3_bias_relu_conv_pool_create(Conv3x3BiasReluConvPoolInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  Conv3x3BiasReluConvPoolInstance* created = new (std::nothrow) Conv3x3BiasReluConvPoolInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kConv3x3BiasReluConvPoolOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (failed("create", error)) {
    conv3x3_bias_relu_conv_pool_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kConv3x3BiasReluConvPoolOutOfMemory;
    return kConv3x3BiasReluConvPoolCudaError;
  }
  *instance = created;
  return kConv3x3BiasReluConvPoolOk;
}

Conv3x3BiasReluConvPoolStatus conv3x3_bias_relu_conv_pool_run(Conv3x3BiasReluConvPoolInstance* instance,
                                                              const Conv3x3BiasReluConvPoolInputs* in,
                                                              const Conv3x3BiasReluConvPoolOutputs* out,
                                                              cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kConv3x3BiasReluConvPoolInputTable, *out, kConv3x3BiasReluConvPoolOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const z = at<float>(instance->arena, 0);  // f32[2,7,7,8]

  // z  (conv3x3_bias_relu.grain:14)
  if (failed("z", kernels::z::enqueue(in->x, in->w, z, stream))) {
    return kConv3x3BiasReluConvPoolCudaError;
  }

  // y  (conv3x3_bias_relu.grain:16)
  if (failed("window_max", kernels::window_max::enqueue(z, out->window_max, stream))) {
    return kConv3x3BiasReluConvPoolCudaError;
  }

  return kConv3x3BiasReluConvPoolOk;
}

void conv3x3_bias_relu_conv_pool_destroy(Conv3x3BiasReluConvPoolInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaSetDevice(current);
  delete instance;
}

const char* conv3x3_bias_relu_conv_pool_last_error() { return last_error; }
