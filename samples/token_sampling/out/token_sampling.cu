// token_sampling.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 2.6 kB; the largest live set is 2.6 kB.

#include "token_sampling/token_sampling.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = token_sampling_kernels;

const char* token_sampling_range(const char* step);  // for profilers, see ranges.cpp

struct TokenSamplingInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: arena
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct TokenSamplingGraph {
  TokenSamplingInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const TokenSamplingTensor kTokenSamplingInputTable[] = {
    {"logits", "f32", 2, kTokenSamplingInLogits, 6400},
    {"temperature", "f32", 0, nullptr, 4},
    {"key", "u32", 1, kTokenSamplingInKey, 8},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const TokenSamplingTensor kTokenSamplingOutputTable[] = {
    {"picked_tokens", "s32", 1, kTokenSamplingOutPickedTokens, 32},
    {"kept", "f32", 2, kTokenSamplingOutKept, 1280},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 2560;
constexpr TokenSamplingOptions kDefaults = TOKEN_SAMPLING_OPTIONS;

thread_local constinit LastError last_error("token_sampling");

// True if the step did not succeed; then token_sampling_last_error() says why.
bool failed(const Step<token_sampling_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

TokenSamplingStatus token_sampling_create_with(TokenSamplingInstance** instance,
                                               const TokenSamplingOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

TokenSamplingStatus token_sampling_run(TokenSamplingInstance* instance,
                                       const TokenSamplingInputs* in,
                                       const TokenSamplingOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kTokenSamplingInputTable, out,
                                  kTokenSamplingOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<token_sampling_range> range("token_sampling_run");

  float* const values = at<float>(instance->workspace, 0);  // f32[8,40]
  int* const tokens = at<int>(instance->workspace, 1280);   // s32[8,40]

  // top_k.4, top_k.5  (language.py:160)
  if (failed({"token_sampling", kernels::token_sampling::enqueue(in->logits, in->temperature,
                                                                 values, tokens, stream)})) {
    return kTokenSamplingCudaError;
  }

  // squeeze.5, select_n.1  (language.py:165)
  if (failed({"token_sampling_2", kernels::token_sampling_2::enqueue(values, tokens, in->key,
                                                                     out->picked_tokens, out->kept,
                                                                     stream)})) {
    return kTokenSamplingCudaError;
  }

  return kTokenSamplingOk;
}

void token_sampling_destroy(TokenSamplingInstance* instance) {
  destroy_instance(instance);
}

TokenSamplingStatus token_sampling_capture(TokenSamplingGraph** graph,
                                           TokenSamplingInstance* instance,
                                           const TokenSamplingInputs* in,
                                           const TokenSamplingOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return token_sampling_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

TokenSamplingStatus token_sampling_graph_launch(const TokenSamplingGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

TokenSamplingStatus token_sampling_graph_update(TokenSamplingGraph* graph,
                                                const TokenSamplingInputs* in,
                                                const TokenSamplingOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return token_sampling_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t token_sampling_graph_exec(const TokenSamplingGraph* graph) { return exec_of(graph); }

void token_sampling_graph_destroy(TokenSamplingGraph* graph) { destroy_graph(graph); }

int64_t token_sampling_workspace_bytes() { return kWorkspaceBytes; }

const char* token_sampling_last_error() { return last_error.text(); }

const char* token_sampling_status_text(TokenSamplingStatus status) { return status_text(status); }
