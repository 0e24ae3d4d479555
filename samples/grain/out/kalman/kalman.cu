// kalman.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.
// Constants: 16 bytes.

#include "kalman/kalman.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = kalman_kernels;

extern "C" const unsigned char kalman_constants[];  // constants.bin, see constants.cpp

const char* kalman_range(const char* step);  // for profilers, see ranges.cpp

struct KalmanInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: constants
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
  void* constants = nullptr;   // constants.bin, in the workspace
};

struct KalmanGraph {
  KalmanInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const KalmanTensor kKalmanInputTable[] = {
    {"first_x", "f32", 2, kKalmanInFirstX, 256},
    {"first_p", "f32", 3, kKalmanInFirstP, 512},
    {"measured", "f32", 2, kKalmanInMeasured, 6400},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const KalmanTensor kKalmanOutputTable[] = {
    {"last_x", "f32", 2, kKalmanOutLastX, 256},
    {"last_p", "f32", 3, kKalmanOutLastP, 512},
    {"place", "f32", 2, kKalmanOutPlace, 6400},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 256;
constexpr size_t kConstantsBytes = 16;
constexpr KalmanOptions kDefaults = KALMAN_OPTIONS;

thread_local constinit LastError last_error("kalman");

// True if the step did not succeed; then kalman_last_error() says why.
bool failed(const Step<kalman_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(KalmanInstance& created) {
  created.constants = at<void>(created.workspace, 0);
  cudaError_t error = copy_to_device(created.constants, kalman_constants, kConstantsBytes);
  return error;
}

}  // namespace

KalmanStatus kalman_create_with(KalmanInstance** instance, const KalmanOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error,
                         {.prepare = prepare});
}

KalmanStatus kalman_run(KalmanInstance* instance, const KalmanInputs* in, const KalmanOutputs* out,
                        cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kKalmanInputTable, out, kKalmanOutputTable, nullptr,
                                  last_error);
  if (wrong) return wrong;
  const Range<kalman_range> range("kalman_run");

  const float* const f = at<const float>(instance->constants, 0);  // f32[2,2]

  // last_x.1, last_p.1, place.1  (kalman.grain:28)
  if (failed({"kalman", kernels::kalman::enqueue(in->first_x, in->first_p, in->measured, f,
                                                 out->last_x, out->last_p, out->place, stream)})) {
    return kKalmanCudaError;
  }

  return kKalmanOk;
}

void kalman_destroy(KalmanInstance* instance) {
  destroy_instance(instance);
}

KalmanStatus kalman_capture(KalmanGraph** graph, KalmanInstance* instance, const KalmanInputs* in,
                            const KalmanOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return kalman_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

KalmanStatus kalman_graph_launch(const KalmanGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

KalmanStatus kalman_graph_update(KalmanGraph* graph, const KalmanInputs* in,
                                 const KalmanOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return kalman_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t kalman_graph_exec(const KalmanGraph* graph) { return exec_of(graph); }

void kalman_graph_destroy(KalmanGraph* graph) { destroy_graph(graph); }

int64_t kalman_workspace_bytes() { return kWorkspaceBytes; }

const char* kalman_last_error() { return last_error.text(); }

const char* kalman_status_text(KalmanStatus status) { return status_text(status); }
