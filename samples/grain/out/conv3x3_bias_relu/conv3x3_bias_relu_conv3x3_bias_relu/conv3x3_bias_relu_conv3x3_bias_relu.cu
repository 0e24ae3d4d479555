// conv3x3_bias_relu_conv3x3_bias_relu.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "conv3x3_bias_relu_conv3x3_bias_relu/conv3x3_bias_relu_conv3x3_bias_relu.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = conv3x3_bias_relu_conv3x3_bias_relu_kernels;

struct Conv3x3BiasReluConv3x3BiasReluInstance {
  int device = 0;  // that was current in create
};

extern const Conv3x3BiasReluConv3x3BiasReluTensor kConv3x3BiasReluConv3x3BiasReluInputTable[] = {
    {"x", "f32", 4, kConv3x3BiasReluConv3x3BiasReluInX, 6144},
    {"w", "f32", 4, kConv3x3BiasReluConv3x3BiasReluInW, 864},
    {"bias", "f32", 1, kConv3x3BiasReluConv3x3BiasReluInBias, 32},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const Conv3x3BiasReluConv3x3BiasReluTensor kConv3x3BiasReluConv3x3BiasReluOutputTable[] = {
    {"relu", "f32", 4, kConv3x3BiasReluConv3x3BiasReluOutRelu, 16384},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

Conv3x3BiasReluConv3x3BiasReluStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "conv3x3_bias_relu_conv3x3_bias_relu: %s%s%s%s",
                what, name, separator, other);
  return kConv3x3BiasReluConv3x3BiasReluInvalidArgument;
}

// True if the call did not succeed; then conv3x3_bias_relu_conv3x3_bias_relu_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "conv3x3_bias_relu_conv3x3_bias_relu: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

Conv3x3BiasReluConv3x3BiasReluStatus conv3x3_bias_relu_conv3x3_bias_relu_create(Conv3x3BiasReluConv3x3BiasReluInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  Conv3x3BiasReluConv3x3BiasReluInstance* created = new (std::nothrow) Conv3x3BiasReluConv3x3BiasReluInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kConv3x3BiasReluConv3x3BiasReluOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    conv3x3_bias_relu_conv3x3_bias_relu_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kConv3x3BiasReluConv3x3BiasReluOutOfMemory;
    return kConv3x3BiasReluConv3x3BiasReluCudaError;
  }
  *instance = created;
  return kConv3x3BiasReluConv3x3BiasReluOk;
}

Conv3x3BiasReluConv3x3BiasReluStatus conv3x3_bias_relu_conv3x3_bias_relu_run(Conv3x3BiasReluConv3x3BiasReluInstance* instance,
                                                                             const Conv3x3BiasReluConv3x3BiasReluInputs* in,
                                                                             const Conv3x3BiasReluConv3x3BiasReluOutputs* out,
                                                                             cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kConv3x3BiasReluConv3x3BiasReluInputTable, *out, kConv3x3BiasReluConv3x3BiasReluOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // y  (nn.grain:8)
  if (failed("conv3x3_bias_relu_conv3x3_bias_relu", kernels::conv3x3_bias_relu_conv3x3_bias_relu::enqueue(in->x,
                                                                                                          in->w,
                                                                                                          in->bias,
                                                                                                          out->relu,
                                                                                                          stream))) {
    return kConv3x3BiasReluConv3x3BiasReluCudaError;
  }

  return kConv3x3BiasReluConv3x3BiasReluOk;
}

void conv3x3_bias_relu_conv3x3_bias_relu_destroy(Conv3x3BiasReluConv3x3BiasReluInstance* instance) {
  delete instance;
}

const char* conv3x3_bias_relu_conv3x3_bias_relu_last_error() { return last_error; }
