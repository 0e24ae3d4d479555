// life.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 6.4 kB; the largest live set is 6.4 kB.

#include "life/life.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = life_kernels;

const char* life_range(const char* step);  // for profilers, see ranges.cpp

struct LifeInstance {
  int device = 0;                // it runs on
  void* workspace = nullptr;     // its device memory: arena, counts
  DeviceMemory own_workspace;    // it, unless the caller gave one
  Allocator allocator;           // of device memory
  uint32_t* finished = nullptr;  // counts of blocks, and of waits for all of them
};

struct LifeGraph {
  LifeInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const LifeTensor kLifeInputTable[] = {
    {"start", "u8", 2, kLifeInStart, 6144},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const LifeTensor kLifeOutputTable[] = {
    {"world", "u8", 2, kLifeOutWorld, 6144},
    {"alive", "s32", 1, kLifeOutAlive, 400},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 6656;
constexpr LifeOptions kDefaults = LIFE_OPTIONS;

thread_local constinit LastError last_error("life");

// True if the step did not succeed; then life_last_error() says why.
bool failed(const Step<life_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(LifeInstance& created) {
  created.finished = at<uint32_t>(created.workspace, 6400);
  cudaError_t error = clear_on_device(created.finished, 8);
  return error;
}

}  // namespace

LifeStatus life_create_with(LifeInstance** instance, const LifeOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error,
                         {.prepare = prepare});
}

LifeStatus life_run(LifeInstance* instance, const LifeInputs* in, const LifeOutputs* out,
                    cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kLifeInputTable, out, kLifeOutputTable, nullptr,
                                  last_error);
  if (wrong) return wrong;
  const Range<life_range> range("life_run");

  int* const alive_3 = at<int>(instance->workspace, 6144);       // s32[48]
  uint8_t* const world_2 = at<uint8_t>(instance->workspace, 0);  // u8[64,96]

  // while
  if (failed({"steps", kernels::steps::enqueue(in->start, out->world, world_2, alive_3, out->alive,
                                               instance->finished, stream)})) {
    return kLifeCudaError;
  }

  return kLifeOk;
}

void life_destroy(LifeInstance* instance) {
  destroy_instance(instance);
}

LifeStatus life_capture(LifeGraph** graph, LifeInstance* instance, const LifeInputs* in,
                        const LifeOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return life_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

LifeStatus life_graph_launch(const LifeGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

LifeStatus life_graph_update(LifeGraph* graph, const LifeInputs* in, const LifeOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return life_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t life_graph_exec(const LifeGraph* graph) { return exec_of(graph); }

void life_graph_destroy(LifeGraph* graph) { destroy_graph(graph); }

int64_t life_workspace_bytes() { return kWorkspaceBytes; }

const char* life_last_error() { return last_error.text(); }

const char* life_status_text(LifeStatus status) { return status_text(status); }
