// boids.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 4.1 kB; the largest live set is 4.1 kB.

#include "boids/boids.h"

#include <utility>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = boids_kernels;

const char* boids_range(const char* step);  // for profilers, see ranges.cpp

struct BoidsInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: arena
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
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

constexpr int64_t kWorkspaceBytes = 4096;
constexpr BoidsOptions kDefaults = BOIDS_OPTIONS;

thread_local constinit LastError last_error("boids");

// True if the step did not succeed; then boids_last_error() says why.
bool failed(const Step<boids_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

BoidsStatus boids_create_with(BoidsInstance** instance, const BoidsOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

BoidsStatus boids_run(BoidsInstance* instance, const BoidsInputs* in, const BoidsOutputs* out,
                      cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kBoidsInputTable, out, kBoidsOutputTable, nullptr,
                                  last_error);
  if (wrong) return wrong;
  const Range<boids_range> range("boids_run");

  float* const position_2 = at<float>(instance->workspace, 0);     // f32[256,2]
  float* const velocity_2 = at<float>(instance->workspace, 2048);  // f32[256,2]

  const float* position_current = in->position;
  const float* velocity_current = in->velocity;
  float* position_next = position_2;
  float* position_spare = out->position;
  float* velocity_next = velocity_2;
  float* velocity_spare = out->velocity;

  // while.6; its last step writes position and velocity
  for (int t = 0; t < 20; ++t) {
    // div.25, add.9  (make_samples.py:85)
    if (failed({"boids", kernels::boids::enqueue(position_current, velocity_current, velocity_next,
                                                 position_next, stream)})) {
      return kBoidsCudaError;
    }

    position_current = position_next;
    velocity_current = velocity_next;
    std::swap(position_next, position_spare);
    std::swap(velocity_next, velocity_spare);
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

cudaGraphExec_t boids_graph_exec(const BoidsGraph* graph) { return graph->exec; }

void boids_graph_destroy(BoidsGraph* graph) { destroy_graph(graph); }

int64_t boids_workspace_bytes() { return kWorkspaceBytes; }

const char* boids_last_error() { return last_error.text(); }

const char* boids_status_text(BoidsStatus status) { return status_text(status); }
