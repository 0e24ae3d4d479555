// monte_carlo_pi.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 4.1 kB; the largest live set is 4.1 kB.

#include "monte_carlo_pi/monte_carlo_pi.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = monte_carlo_pi_kernels;

const char* monte_carlo_pi_range(const char* step);  // for profilers, see ranges.cpp

struct MonteCarloPiInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: arena
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct MonteCarloPiGraph {
  MonteCarloPiInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const MonteCarloPiTensor kMonteCarloPiInputTable[] = {
    {"seed", "u32", 1, kMonteCarloPiInSeed, 8},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const MonteCarloPiTensor kMonteCarloPiOutputTable[] = {
    {"estimate", "f32", 0, nullptr, 4},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 4096;
constexpr MonteCarloPiOptions kDefaults = MONTE_CARLO_PI_OPTIONS;

thread_local constinit LastError last_error("monte_carlo_pi");

// True if the step did not succeed; then monte_carlo_pi_last_error() says why.
bool failed(const Step<monte_carlo_pi_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

MonteCarloPiStatus monte_carlo_pi_create_with(MonteCarloPiInstance** instance,
                                              const MonteCarloPiOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

MonteCarloPiStatus monte_carlo_pi_run(MonteCarloPiInstance* instance, const MonteCarloPiInputs* in,
                                      const MonteCarloPiOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kMonteCarloPiInputTable, out,
                                  kMonteCarloPiOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<monte_carlo_pi_range> range("monte_carlo_pi_run");

  int* const hits = at<int>(instance->workspace, 0);  // s32[1000]

  // get-tuple-element.9  (monte_carlo_pi.grain:5)
  if (failed({"monte_carlo_pi", kernels::monte_carlo_pi::enqueue(in->seed, hits, stream)})) {
    return kMonteCarloPiCudaError;
  }

  // estimate  (monte_carlo_pi.grain:9)
  if (failed({"for_", kernels::for_::enqueue(hits, out->estimate, stream)})) {
    return kMonteCarloPiCudaError;
  }

  return kMonteCarloPiOk;
}

void monte_carlo_pi_destroy(MonteCarloPiInstance* instance) {
  destroy_instance(instance);
}

MonteCarloPiStatus monte_carlo_pi_capture(MonteCarloPiGraph** graph, MonteCarloPiInstance* instance,
                                          const MonteCarloPiInputs* in,
                                          const MonteCarloPiOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return monte_carlo_pi_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

MonteCarloPiStatus monte_carlo_pi_graph_launch(const MonteCarloPiGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

MonteCarloPiStatus monte_carlo_pi_graph_update(MonteCarloPiGraph* graph,
                                               const MonteCarloPiInputs* in,
                                               const MonteCarloPiOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return monte_carlo_pi_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t monte_carlo_pi_graph_exec(const MonteCarloPiGraph* graph) { return exec_of(graph); }

void monte_carlo_pi_graph_destroy(MonteCarloPiGraph* graph) { destroy_graph(graph); }

int64_t monte_carlo_pi_workspace_bytes() { return kWorkspaceBytes; }

const char* monte_carlo_pi_last_error() { return last_error.text(); }

const char* monte_carlo_pi_status_text(MonteCarloPiStatus status) { return status_text(status); }
