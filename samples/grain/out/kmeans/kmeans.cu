// kmeans.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 2.8 kB; the largest live set is 2.8 kB.
// Constants: 257 bytes.

#include "kmeans/kmeans.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = kmeans_kernels;

extern "C" const unsigned char kmeans_constants[];  // constants.bin, see constants.cpp

const char* kmeans_range(const char* step);  // for profilers, see ranges.cpp

struct KmeansInstance {
  int device = 0;                // it runs on
  void* workspace = nullptr;     // its device memory: arena, constants, counts
  DeviceMemory own_workspace;    // it, unless the caller gave one
  Allocator allocator;           // of device memory
  void* constants = nullptr;     // constants.bin, in the workspace
  uint32_t* finished = nullptr;  // counts of blocks, and of waits for all of them
};

struct KmeansGraph {
  KmeansInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const KmeansTensor kKmeansInputTable[] = {
    {"x", "f32", 2, kKmeansInX, 4800},
    {"start", "f32", 2, kKmeansInStart, 96},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const KmeansTensor kKmeansOutputTable[] = {
    {"centres", "f32", 2, kKmeansOutCentres, 96},
    {"cluster", "s32", 1, kKmeansOutCluster, 1600},
    {"steps", "s32", 0, nullptr, 4},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 3584;
constexpr size_t kConstantsBytes = 257;
constexpr KmeansOptions kDefaults = KMEANS_OPTIONS;

thread_local constinit LastError last_error("kmeans");

// True if the step did not succeed; then kmeans_last_error() says why.
bool failed(const Step<kmeans_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(KmeansInstance& created) {
  created.constants = at<void>(created.workspace, 2816);
  created.finished = at<uint32_t>(created.workspace, 3328);
  cudaError_t error = copy_to_device(created.constants, kmeans_constants, kConstantsBytes);
  if (error == cudaSuccess) error = clear_on_device(created.finished, 8);
  return error;
}

}  // namespace

KmeansStatus kmeans_create_with(KmeansInstance** instance, const KmeansOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error,
                         {.prepare = prepare});
}

KmeansStatus kmeans_run(KmeansInstance* instance, const KmeansInputs* in, const KmeansOutputs* out,
                        cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kKmeansInputTable, out, kKmeansOutputTable, nullptr,
                                  last_error);
  if (wrong) return wrong;
  const Range<kmeans_range> range("kmeans_run");

  int* const j = at<int>(instance->workspace, 0);                           // s32[400]
  float* const sums = at<float>(instance->workspace, 1792);                 // f32[8,3]
  float* const count = at<float>(instance->workspace, 2048);                // f32[8]
  float* const centres_2 = at<float>(instance->workspace, 2304);            // f32[8,3]
  bool* const both = at<bool>(instance->workspace, 2560);                   // pred[]
  const int* const constant = at<const int>(instance->constants, 0);        // s32[]
  const bool* const constant_2 = at<const bool>(instance->constants, 256);  // pred[]

  // j.1  (kmeans.grain:8)
  if (failed({"nearest", kernels::nearest::enqueue(in->x, in->start, j, stream)})) {
    return kKmeansCudaError;
  }

  // while
  if (failed({"steps", kernels::steps::enqueue(constant, in->start, constant_2, in->x, out->steps,
                                               out->centres, centres_2, both, out->cluster, j, sums,
                                               count, instance->finished, stream)})) {
    return kKmeansCudaError;
  }

  return kKmeansOk;
}

void kmeans_destroy(KmeansInstance* instance) {
  destroy_instance(instance);
}

KmeansStatus kmeans_capture(KmeansGraph** graph, KmeansInstance* instance, const KmeansInputs* in,
                            const KmeansOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return kmeans_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

KmeansStatus kmeans_graph_launch(const KmeansGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

KmeansStatus kmeans_graph_update(KmeansGraph* graph, const KmeansInputs* in,
                                 const KmeansOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return kmeans_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t kmeans_graph_exec(const KmeansGraph* graph) { return exec_of(graph); }

void kmeans_graph_destroy(KmeansGraph* graph) { destroy_graph(graph); }

int64_t kmeans_workspace_bytes() { return kWorkspaceBytes; }

const char* kmeans_last_error() { return last_error.text(); }

const char* kmeans_status_text(KmeansStatus status) { return status_text(status); }
