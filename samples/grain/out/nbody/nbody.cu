// nbody.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "nbody/nbody.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = nbody_kernels;

const char* nbody_range(const char* step);  // for profilers, see ranges.cpp

struct NbodyInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct NbodyGraph {
  NbodyInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const NbodyTensor kNbodyInputTable[] = {
    {"position0", "f32", 2, kNbodyInPosition0, 576},
    {"velocity0", "f32", 2, kNbodyInVelocity0, 576},
    {"mass", "f32", 1, kNbodyInMass, 192},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const NbodyTensor kNbodyOutputTable[] = {
    {"position", "f32", 2, kNbodyOutPosition, 576},
    {"velocity", "f32", 2, kNbodyOutVelocity, 576},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr NbodyOptions kDefaults = NBODY_OPTIONS;

thread_local constinit LastError last_error("nbody");

// True if the step did not succeed; then nbody_last_error() says why.
bool failed(const Step<nbody_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

NbodyStatus nbody_create_with(NbodyInstance** instance, const NbodyOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

NbodyStatus nbody_run(NbodyInstance* instance, const NbodyInputs* in, const NbodyOutputs* out,
                      cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kNbodyInputTable, out, kNbodyOutputTable, nullptr,
                                  last_error);
  if (wrong) return wrong;
  const Range<nbody_range> range("nbody_run");

  // position.1, velocity.1  (nbody.grain:12)
  if (failed({"nbody", kernels::nbody::enqueue(in->position0, in->velocity0, in->mass,
                                               out->position, out->velocity, stream)})) {
    return kNbodyCudaError;
  }

  return kNbodyOk;
}

void nbody_destroy(NbodyInstance* instance) {
  destroy_instance(instance);
}

NbodyStatus nbody_capture(NbodyGraph** graph, NbodyInstance* instance, const NbodyInputs* in,
                          const NbodyOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return nbody_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

NbodyStatus nbody_graph_launch(const NbodyGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

NbodyStatus nbody_graph_update(NbodyGraph* graph, const NbodyInputs* in, const NbodyOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return nbody_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t nbody_graph_exec(const NbodyGraph* graph) { return exec_of(graph); }

void nbody_graph_destroy(NbodyGraph* graph) { destroy_graph(graph); }

int64_t nbody_workspace_bytes() { return kWorkspaceBytes; }

const char* nbody_last_error() { return last_error.text(); }

const char* nbody_status_text(NbodyStatus status) { return status_text(status); }
