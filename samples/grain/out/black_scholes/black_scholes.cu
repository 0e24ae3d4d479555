// black_scholes.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "black_scholes/black_scholes.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = black_scholes_kernels;

const char* black_scholes_range(const char* step);  // for profilers, see ranges.cpp

struct BlackScholesInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct BlackScholesGraph {
  BlackScholesInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const BlackScholesTensor kBlackScholesInputTable[] = {
    {"spot", "f32", 1, kBlackScholesInSpot, 2048},
    {"volatility", "f32", 1, kBlackScholesInVolatility, 2048},
    {"strike", "f32", 1, kBlackScholesInStrike, 2048},
    {"years", "f32", 1, kBlackScholesInYears, 2048},
    {"rate", "f32", 0, nullptr, 4},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const BlackScholesTensor kBlackScholesOutputTable[] = {
    {"value", "f32", 1, kBlackScholesOutValue, 2048},
    {"delta", "f32", 1, kBlackScholesOutDelta, 2048},
    {"vega", "f32", 1, kBlackScholesOutVega, 2048},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr BlackScholesOptions kDefaults = BLACK_SCHOLES_OPTIONS;

thread_local constinit LastError last_error("black_scholes");

// True if the step did not succeed; then black_scholes_last_error() says why.
bool failed(const Step<black_scholes_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

BlackScholesStatus black_scholes_create_with(BlackScholesInstance** instance,
                                             const BlackScholesOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

BlackScholesStatus black_scholes_run(BlackScholesInstance* instance, const BlackScholesInputs* in,
                                     const BlackScholesOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kBlackScholesInputTable, out,
                                  kBlackScholesOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<black_scholes_range> range("black_scholes_run");

  // value, delta, vega  (black_scholes.grain:13)
  if (failed({"black_scholes", kernels::black_scholes::enqueue(in->spot, in->volatility, in->strike,
                                                               in->years, in->rate, out->value,
                                                               out->delta, out->vega, stream)})) {
    return kBlackScholesCudaError;
  }

  return kBlackScholesOk;
}

void black_scholes_destroy(BlackScholesInstance* instance) {
  destroy_instance(instance);
}

BlackScholesStatus black_scholes_capture(BlackScholesGraph** graph, BlackScholesInstance* instance,
                                         const BlackScholesInputs* in,
                                         const BlackScholesOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return black_scholes_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

BlackScholesStatus black_scholes_graph_launch(const BlackScholesGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

BlackScholesStatus black_scholes_graph_update(BlackScholesGraph* graph,
                                              const BlackScholesInputs* in,
                                              const BlackScholesOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return black_scholes_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t black_scholes_graph_exec(const BlackScholesGraph* graph) { return exec_of(graph); }

void black_scholes_graph_destroy(BlackScholesGraph* graph) { destroy_graph(graph); }

int64_t black_scholes_workspace_bytes() { return kWorkspaceBytes; }

const char* black_scholes_last_error() { return last_error.text(); }

const char* black_scholes_status_text(BlackScholesStatus status) { return status_text(status); }
