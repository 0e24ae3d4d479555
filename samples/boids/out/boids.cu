// boids.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 4.1 kB; the largest live set is 4.1 kB.

#include "boids/boids.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = boids_kernels;

const char* boids_range(const char* step);  // for profilers, see ranges.cpp

struct BoidsInstance {
  int device = 0;                // it runs on
  void* workspace = nullptr;     // its device memory: arena, counts
  DeviceMemory own_workspace;    // it, unless the caller gave one
  Allocator allocator;           // of device memory
  uint32_t* finished = nullptr;  // counts of blocks, and of waits for all of them
};

struct BoidsGraph {
  BoidsInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const BoidsTensor kBoidsInputTable[] = {
    {"position", "f32", 2, kBoidsInPosition, 2048},
    {"velocity", "f32", 2, kBoidsInVelocity, 2048},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const BoidsTensor kBoidsOutputTable[] = {
    {"position", "f32", 2, kBoidsOutPosition, 2048},
    {"velocity", "f32", 2, kBoidsOutVelocity, 2048},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 4352;
constexpr BoidsOptions kDefaults = BOIDS_OPTIONS;

thread_local constinit LastError last_error("boids");

// True if the step did not succeed; then boids_last_error() says why.
bool failed(const Step<boids_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(BoidsInstance& created) {
  created.finished = at<uint32_t>(created.workspace, 4096);
  cudaError_t error = clear_on_device(created.finished, 8);
  return error;
}

}  // namespace

BoidsStatus boids_create_with(BoidsInstance** instance, const BoidsOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error,
                         {.prepare = prepare});
}

BoidsStatus boids_run(BoidsInstance* instance, const BoidsInputs* in, const BoidsOutputs* out,
                      cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kBoidsInputTable, out, kBoidsOutputTable, nullptr,
                                  last_error);
  if (wrong) return wrong;
  const Range<boids_range> range("boids_run");

  float* const position_2 = at<float>(instance->workspace, 0);     // f32[256,2]
  float* const velocity_2 = at<float>(instance->workspace, 2048);  // f32[256,2]

  // while.6
  if (failed({"steps", kernels::steps::enqueue(in->position, in->velocity, out->position,
                                               position_2, out->velocity, velocity_2,
                                               instance->finished, stream)})) {
    return kBoidsCudaError;
  }

  return kBoidsOk;
}

void boids_destroy(BoidsInstance* instance) {
  destroy_instance(instance);
}

BoidsStatus boids_capture(BoidsGraph** graph, BoidsInstance* instance, const BoidsInputs* in,
                          const BoidsOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return boids_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

BoidsStatus boids_graph_launch(const BoidsGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

BoidsStatus boids_graph_update(BoidsGraph* graph, const BoidsInputs* in, const BoidsOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return boids_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t boids_graph_exec(const BoidsGraph* graph) { return exec_of(graph); }

void boids_graph_destroy(BoidsGraph* graph) { destroy_graph(graph); }

int64_t boids_workspace_bytes() { return kWorkspaceBytes; }

const char* boids_last_error() { return last_error.text(); }

const char* boids_status_text(BoidsStatus status) { return status_text(status); }
