// image_filters_bilateral.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 12.3 kB; the largest live set is 12.3 kB.

#include "image_filters_bilateral/image_filters_bilateral.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = image_filters_bilateral_kernels;

struct ImageFiltersBilateralInstance {
  int device = 0;         // that was current in create
  void* arena = nullptr;  // device memory for values between kernels
};

extern const ImageFiltersBilateralTensor kImageFiltersBilateralInputTable[] = {
    {"image", "f32", 2, kImageFiltersBilateralInImage, 12288},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const ImageFiltersBilateralTensor kImageFiltersBilateralOutputTable[] = {
    {"smooth", "f32", 2, kImageFiltersBilateralOutSmooth, 12288},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 12288;

thread_local char last_error[256] = "";

ImageFiltersBilateralStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "image_filters_bilateral: %s%s%s%s",
                what, name, separator, other);
  return kImageFiltersBilateralInvalidArgument;
}

// True if the call did not succeed; then image_filters_bilateral_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "image_filters_bilateral: %s: %s", what, reason);
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

ImageFiltersBilateralStatus image_filters_bilateral_create(ImageFiltersBilateralInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  ImageFiltersBilateralInstance* created = new (std::nothrow) ImageFiltersBilateralInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kImageFiltersBilateralOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (failed("create", error)) {
    image_filters_bilateral_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kImageFiltersBilateralOutOfMemory;
    return kImageFiltersBilateralCudaError;
  }
  *instance = created;
  return kImageFiltersBilateralOk;
}

ImageFiltersBilateralStatus image_filters_bilateral_run(ImageFiltersBilateralInstance* instance,
                                                        const ImageFiltersBilateralInputs* in,
                                                        const ImageFiltersBilateralOutputs* out,
                                                        cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kImageFiltersBilateralInputTable, *out, kImageFiltersBilateralOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const smooth_3 = at<float>(instance->arena, 0);  // f32[48,64]

  // dot  (image_filters.grain:19)
  if (failed("smooth", kernels::smooth::enqueue(in->image, smooth_3, stream))) {
    return kImageFiltersBilateralCudaError;
  }

  // smooth  (image_filters.grain:19)
  if (failed("smooth_2", kernels::smooth_2::enqueue(in->image, smooth_3, out->smooth, stream))) {
    return kImageFiltersBilateralCudaError;
  }

  return kImageFiltersBilateralOk;
}

void image_filters_bilateral_destroy(ImageFiltersBilateralInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaSetDevice(current);
  delete instance;
}

const char* image_filters_bilateral_last_error() { return last_error; }
