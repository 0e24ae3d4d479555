// mlp_mnist.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 5.1 kB; the largest live set is 5.1 kB.

#include "mlp_mnist/mlp_mnist.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = mlp_mnist_kernels;

struct MlpMnistInstance {
  int device = 0;         // that was current in create
  void* arena = nullptr;  // device memory for values between kernels
};

extern const MlpMnistTensor kMlpMnistInputTable[] = {
    {"params_0_b", "f32", 1, kMlpMnistInParams0B, 192},
    {"params_0_w", "f32", 2, kMlpMnistInParams0W, 12288},
    {"params_1_b", "f32", 1, kMlpMnistInParams1B, 128},
    {"params_1_w", "f32", 2, kMlpMnistInParams1W, 6144},
    {"params_2_b", "f32", 1, kMlpMnistInParams2B, 40},
    {"params_2_w", "f32", 2, kMlpMnistInParams2W, 1280},
    {"images", "f32", 2, kMlpMnistInImages, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const MlpMnistTensor kMlpMnistOutputTable[] = {
    {"probability", "f32", 2, kMlpMnistOutProbability, 640},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 5120;

thread_local char last_error[256] = "";

MlpMnistStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "mlp_mnist: %s%s%s%s",
                what, name, separator, other);
  return kMlpMnistInvalidArgument;
}

// True if the call did not succeed; then mlp_mnist_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "mlp_mnist: %s: %s", what, reason);
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

MlpMnistStatus mlp_mnist_create(MlpMnistInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  MlpMnistInstance* created = new (std::nothrow) MlpMnistInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kMlpMnistOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (failed("create", error)) {
    mlp_mnist_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kMlpMnistOutOfMemory;
    return kMlpMnistCudaError;
  }
  *instance = created;
  return kMlpMnistOk;
}

MlpMnistStatus mlp_mnist_run(MlpMnistInstance* instance, const MlpMnistInputs* in,
                             const MlpMnistOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kMlpMnistInputTable, *out, kMlpMnistOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const x = at<float>(instance->arena, 0);       // f32[16,48]
  float* const x_2 = at<float>(instance->arena, 3072);  // f32[16,32]
  float* const x_w = at<float>(instance->arena, 0);     // f32[16,10]

  // max.3  (layers.py:27)
  if (failed("mlp", kernels::mlp::enqueue(in->params_0_b, in->params_0_w, in->images, x, stream))) {
    return kMlpMnistCudaError;
  }

  // max.7  (layers.py:27)
  if (failed("mlp_2", kernels::mlp_2::enqueue(in->params_1_b, in->params_1_w, x, x_2, stream))) {
    return kMlpMnistCudaError;
  }

  // dot_general.5  (layers.py:18)
  if (failed("dense", kernels::dense::enqueue(in->params_2_w, x_2, x_w, stream))) {
    return kMlpMnistCudaError;
  }

  // div.7  (vision.py:28)
  if (failed("weight_sum", kernels::weight_sum::enqueue(in->params_2_b, x_w, out->probability,
                                                        stream))) {
    return kMlpMnistCudaError;
  }

  return kMlpMnistOk;
}

void mlp_mnist_destroy(MlpMnistInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaSetDevice(current);
  delete instance;
}

const char* mlp_mnist_last_error() { return last_error; }
