// image_filters_box.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "image_filters_box/image_filters_box.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = image_filters_box_kernels;

const char* image_filters_box_range(const char* step);  // for profilers, see ranges.cpp

struct ImageFiltersBoxInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct ImageFiltersBoxGraph {
  ImageFiltersBoxInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
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

constexpr int64_t kWorkspaceBytes = 0;
constexpr ImageFiltersBoxOptions kDefaults = IMAGE_FILTERS_BOX_OPTIONS;

thread_local constinit LastError last_error("image_filters_box");

// True if the step did not succeed; then image_filters_box_last_error() says why.
bool failed(const Step<image_filters_box_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

ImageFiltersBoxStatus image_filters_box_create_with(ImageFiltersBoxInstance** instance,
                                                    const ImageFiltersBoxOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

ImageFiltersBoxStatus image_filters_box_run(ImageFiltersBoxInstance* instance,
                                            const ImageFiltersBoxInputs* in,
                                            const ImageFiltersBoxOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kImageFiltersBoxInputTable, out,
                                  kImageFiltersBoxOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<image_filters_box_range> range("image_filters_box_run");

  // smooth  (image_filters.grain:8)
  if (failed({"image_filters_box", kernels::image_filters_box::enqueue(in->image, out->smooth,
                                                                       stream)})) {
    return kImageFiltersBoxCudaError;
  }

  return kImageFiltersBoxOk;
}

void image_filters_box_destroy(ImageFiltersBoxInstance* instance) {
  destroy_instance(instance);
}

ImageFiltersBoxStatus image_filters_box_capture(ImageFiltersBoxGraph** graph,
                                                ImageFiltersBoxInstance* instance,
                                                const ImageFiltersBoxInputs* in,
                                                const ImageFiltersBoxOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return image_filters_box_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

ImageFiltersBoxStatus image_filters_box_graph_launch(const ImageFiltersBoxGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

ImageFiltersBoxStatus image_filters_box_graph_update(ImageFiltersBoxGraph* graph,
                                                     const ImageFiltersBoxInputs* in,
                                                     const ImageFiltersBoxOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return image_filters_box_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t image_filters_box_graph_exec(const ImageFiltersBoxGraph* graph) { return exec_of(graph); }

void image_filters_box_graph_destroy(ImageFiltersBoxGraph* graph) { destroy_graph(graph); }

int64_t image_filters_box_workspace_bytes() { return kWorkspaceBytes; }

const char* image_filters_box_last_error() { return last_error.text(); }

const char* image_filters_box_status_text(ImageFiltersBoxStatus status) { return status_text(status); }
