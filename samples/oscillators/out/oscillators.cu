// oscillators.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 21.5 kB; the largest live set is 21.5 kB.

#include "oscillators/oscillators.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = oscillators_kernels;

const char* oscillators_range(const char* step);  // for profilers, see ranges.cpp

struct OscillatorsInstance {
  int device = 0;                // it runs on
  void* workspace = nullptr;     // its device memory: arena, counts
  DeviceMemory own_workspace;    // it, unless the caller gave one
  Allocator allocator;           // of device memory
  uint32_t* finished = nullptr;  // counts of blocks, and of waits for all of them
};

struct OscillatorsGraph {
  OscillatorsInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const OscillatorsTensor kOscillatorsInputTable[] = {
    {"x", "f32", 1, kOscillatorsInX, 16384},
    {"v", "f32", 1, kOscillatorsInV, 16384},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const OscillatorsTensor kOscillatorsOutputTable[] = {
    {"x", "f32", 1, kOscillatorsOutX, 16384},
    {"v", "f32", 1, kOscillatorsOutV, 16384},
    {"scaled", "f32", 0, nullptr, 4},
    {"energy", "f32", 1, kOscillatorsOutEnergy, 160},
    {"part", "f32", 1, kOscillatorsOutPart, 160},
    {"part_2", "s32", 1, kOscillatorsOutPart2, 160},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 21760;
constexpr OscillatorsOptions kDefaults = OSCILLATORS_OPTIONS;

thread_local constinit LastError last_error("oscillators");

// True if the step did not succeed; then oscillators_last_error() says why.
bool failed(const Step<oscillators_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(OscillatorsInstance& created) {
  created.finished = at<uint32_t>(created.workspace, 21504);
  cudaError_t error = clear_on_device(created.finished, 16);
  return error;
}

}  // namespace

OscillatorsStatus oscillators_create_with(OscillatorsInstance** instance,
                                          const OscillatorsOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error,
                         {.prepare = prepare});
}

OscillatorsStatus oscillators_run(OscillatorsInstance* instance, const OscillatorsInputs* in,
                                  const OscillatorsOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kOscillatorsInputTable, out,
                                  kOscillatorsOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<oscillators_range> range("oscillators_run");

  float* const push_v_sum = at<float>(instance->workspace, 20480);            // f32[40]
  float* const product_sum = at<float>(instance->workspace, 20736);           // f32[40]
  float* const max = at<float>(instance->workspace, 20992);                   // f32[40]
  int* const count = at<int>(instance->workspace, 21248);                     // s32[40]
  float* const push_v_sum_of_blocks = at<float>(instance->workspace, 0);      // f32[32,40]
  float* const product_sum_of_blocks = at<float>(instance->workspace, 5120);  // f32[32,40]
  float* const max_of_blocks = at<float>(instance->workspace, 10240);         // f32[32,40]
  int* const count_of_blocks = at<int>(instance->workspace, 15360);           // s32[32,40]

  // get-tuple-element.22, get-tuple-element.23, get-tuple-element.36, get-tuple-element.37, ...
  // (make_samples.py:67)
  if (failed({"step", kernels::step::enqueue(in->x, in->v, out->x, out->v, push_v_sum, product_sum,
                                             max, count, push_v_sum_of_blocks,
                                             product_sum_of_blocks, max_of_blocks, count_of_blocks,
                                             instance->finished + 1, stream)})) {
    return kOscillatorsCudaError;
  }

  // div.3, get-tuple-element.57, get-tuple-element.58, get-tuple-element.59  (make_samples.py:68)
  if (failed({"oscillators", kernels::oscillators::enqueue(push_v_sum, product_sum, max, count,
                                                           out->scaled, out->energy, out->part,
                                                           out->part_2, stream)})) {
    return kOscillatorsCudaError;
  }

  return kOscillatorsOk;
}

void oscillators_destroy(OscillatorsInstance* instance) {
  destroy_instance(instance);
}

OscillatorsStatus oscillators_capture(OscillatorsGraph** graph, OscillatorsInstance* instance,
                                      const OscillatorsInputs* in, const OscillatorsOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return oscillators_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

OscillatorsStatus oscillators_graph_launch(const OscillatorsGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

OscillatorsStatus oscillators_graph_update(OscillatorsGraph* graph, const OscillatorsInputs* in,
                                           const OscillatorsOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return oscillators_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t oscillators_graph_exec(const OscillatorsGraph* graph) { return exec_of(graph); }

void oscillators_graph_destroy(OscillatorsGraph* graph) { destroy_graph(graph); }

int64_t oscillators_workspace_bytes() { return kWorkspaceBytes; }

const char* oscillators_last_error() { return last_error.text(); }

const char* oscillators_status_text(OscillatorsStatus status) { return status_text(status); }
