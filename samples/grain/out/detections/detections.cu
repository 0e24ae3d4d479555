// detections.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 1.5 kB; the largest live set is 1.5 kB.

#include "detections/detections.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = detections_kernels;

const char* detections_range(const char* step);  // for profilers, see ranges.cpp

struct DetectionsInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: arena
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct DetectionsGraph {
  DetectionsInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const DetectionsTensor kDetectionsInputTable[] = {
    {"logits", "f32", 2, kDetectionsInLogits, 6000},
    {"boxes_left", "f32", 1, kDetectionsInBoxesLeft, 1200},
    {"boxes_top", "f32", 1, kDetectionsInBoxesTop, 1200},
    {"boxes_right", "f32", 1, kDetectionsInBoxesRight, 1200},
    {"boxes_bottom", "f32", 1, kDetectionsInBoxesBottom, 1200},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const DetectionsTensor kDetectionsOutputTable[] = {
    {"box_left", "f32", 1, kDetectionsOutBoxLeft, 128},
    {"box_top", "f32", 1, kDetectionsOutBoxTop, 128},
    {"box_right", "f32", 1, kDetectionsOutBoxRight, 128},
    {"box_bottom", "f32", 1, kDetectionsOutBoxBottom, 128},
    {"score", "f32", 1, kDetectionsOutScore, 128},
    {"class_", "s32", 1, kDetectionsOutClass, 128},
    {"kept", "pred", 1, kDetectionsOutKept, 32},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 1536;
constexpr DetectionsOptions kDefaults = DETECTIONS_OPTIONS;

thread_local constinit LastError last_error("detections");

// True if the step did not succeed; then detections_last_error() says why.
bool failed(const Step<detections_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

DetectionsStatus detections_create_with(DetectionsInstance** instance,
                                        const DetectionsOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

DetectionsStatus detections_run(DetectionsInstance* instance, const DetectionsInputs* in,
                                const DetectionsOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kDetectionsInputTable, out, kDetectionsOutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<detections_range> range("detections_run");

  float* const strength = at<float>(instance->workspace, 0);      // f32[300]
  int* const score_indices = at<int>(instance->workspace, 1280);  // s32[32]

  // strength  (detections.grain:18)
  if (failed({"strength", kernels::strength::enqueue(in->logits, strength, stream)})) {
    return kDetectionsCudaError;
  }

  // score, order  (detections.grain:19)
  if (failed({"score", kernels::score::enqueue(strength, out->score, score_indices, stream)})) {
    return kDetectionsCudaError;
  }

  // box_left, box_top, box_right, box_bottom, ...  (detections.grain:20)
  if (failed({"detections", kernels::detections::enqueue(in->logits, score_indices, in->boxes_left,
                                                         in->boxes_top, in->boxes_right,
                                                         in->boxes_bottom, out->box_left,
                                                         out->box_top, out->box_right,
                                                         out->box_bottom, out->class_, out->kept,
                                                         stream)})) {
    return kDetectionsCudaError;
  }

  return kDetectionsOk;
}

void detections_destroy(DetectionsInstance* instance) {
  destroy_instance(instance);
}

DetectionsStatus detections_capture(DetectionsGraph** graph, DetectionsInstance* instance,
                                    const DetectionsInputs* in, const DetectionsOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return detections_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

DetectionsStatus detections_graph_launch(const DetectionsGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

DetectionsStatus detections_graph_update(DetectionsGraph* graph, const DetectionsInputs* in,
                                         const DetectionsOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return detections_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t detections_graph_exec(const DetectionsGraph* graph) { return exec_of(graph); }

void detections_graph_destroy(DetectionsGraph* graph) { destroy_graph(graph); }

int64_t detections_workspace_bytes() { return kWorkspaceBytes; }

const char* detections_last_error() { return last_error.text(); }

const char* detections_status_text(DetectionsStatus status) { return status_text(status); }
