// image_filters_bilateral.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 12.3 kB; the largest live set is 12.3 kB.

#include "image_filters_bilateral/image_filters_bilateral.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = image_filters_bilateral_kernels;

const char* image_filters_bilateral_range(const char* step);  // for profilers, see ranges.cpp

struct ImageFiltersBilateralInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: arena
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct ImageFiltersBilateralGraph {
  ImageFiltersBilateralInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
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

constexpr int64_t kWorkspaceBytes = 12288;
constexpr ImageFiltersBilateralOptions kDefaults = IMAGE_FILTERS_BILATERAL_OPTIONS;

thread_local constinit LastError last_error("image_filters_bilateral");

// True if the step did not succeed; then image_filters_bilateral_last_error() says why.
bool failed(const Step<image_filters_bilateral_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

ImageFiltersBilateralStatus image_filters_bilateral_create_with(ImageFiltersBilateralInstance** instance,
                                                                const ImageFiltersBilateralOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

ImageFiltersBilateralStatus image_filters_bilateral_run(ImageFiltersBilateralInstance* instance,
                                                        const ImageFiltersBilateralInputs* in,
                                                        const ImageFiltersBilateralOutputs* out,
                                                        cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kImageFiltersBilateralInputTable, out,
                                  kImageFiltersBilateralOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<image_filters_bilateral_range> range("image_filters_bilateral_run");

  float* const smooth_3 = at<float>(instance->workspace, 0);  // f32[48,64]

  // dot  (image_filters.grain:19)
  if (failed({"smooth", kernels::smooth::enqueue(in->image, smooth_3, stream)})) {
    return kImageFiltersBilateralCudaError;
  }

  // smooth  (image_filters.grain:19)
  if (failed({"smooth_2", kernels::smooth_2::enqueue(in->image, smooth_3, out->smooth, stream)})) {
    return kImageFiltersBilateralCudaError;
  }

  return kImageFiltersBilateralOk;
}

void image_filters_bilateral_destroy(ImageFiltersBilateralInstance* instance) {
  destroy_instance(instance);
}

ImageFiltersBilateralStatus image_filters_bilateral_capture(ImageFiltersBilateralGraph** graph,
                                                            ImageFiltersBilateralInstance* instance,
                                                            const ImageFiltersBilateralInputs* in,
                                                            const ImageFiltersBilateralOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return image_filters_bilateral_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

ImageFiltersBilateralStatus image_filters_bilateral_graph_launch(const ImageFiltersBilateralGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

ImageFiltersBilateralStatus image_filters_bilateral_graph_update(ImageFiltersBilateralGraph* graph,
                                                                 const ImageFiltersBilateralInputs* in,
                                                                 const ImageFiltersBilateralOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return image_filters_bilateral_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t image_filters_bilateral_graph_exec(const ImageFiltersBilateralGraph* graph) { return exec_of(graph); }

void image_filters_bilateral_graph_destroy(ImageFiltersBilateralGraph* graph) { destroy_graph(graph); }

int64_t image_filters_bilateral_workspace_bytes() { return kWorkspaceBytes; }

const char* image_filters_bilateral_last_error() { return last_error.text(); }

const char* image_filters_bilateral_status_text(ImageFiltersBilateralStatus status) { return status_text(status); }
