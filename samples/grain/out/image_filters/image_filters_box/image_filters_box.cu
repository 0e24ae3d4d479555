// image_filters_box.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "image_filters_box/image_filters_box.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = image_filters_box_kernels;

struct ImageFiltersBoxInstance {
  int device = 0;  // that was current in create
};

extern const ImageFiltersBoxTensor kImageFiltersBoxInputTable[] = {
    {"image", "f32", 2, kImageFiltersBoxInImage, 12288},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const ImageFiltersBoxTensor kImageFiltersBoxOutputTable[] = {
    {"smooth", "f32", 2, kImageFiltersBoxOutSmooth, 12288},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

ImageFiltersBoxStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "image_filters_box: %s%s%s%s",
                what, name, separator, other);
  return kImageFiltersBoxInvalidArgument;
}

// True if the call did not succeed; then image_filters_box_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "image_filters_box: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

ImageFiltersBoxStatus image_filters_box_create(ImageFiltersBoxInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  ImageFiltersBoxInstance* created = new (std::nothrow) ImageFiltersBoxInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kImageFiltersBoxOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    image_filters_box_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kImageFiltersBoxOutOfMemory;
    return kImageFiltersBoxCudaError;
  }
  *instance = created;
  return kImageFiltersBoxOk;
}

ImageFiltersBoxStatus image_filters_box_run(ImageFiltersBoxInstance* instance,
                                            const ImageFiltersBoxInputs* in,
                                            const ImageFiltersBoxOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kImageFiltersBoxInputTable, *out, kImageFiltersBoxOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // smooth  (image_filters.grain:8)
  if (failed("image_filters_box", kernels::image_filters_box::enqueue(in->image, out->smooth,
                                                                      stream))) {
    return kImageFiltersBoxCudaError;
  }

  return kImageFiltersBoxOk;
}

void image_filters_box_destroy(ImageFiltersBoxInstance* instance) {
  delete instance;
}

const char* image_filters_box_last_error() { return last_error; }
