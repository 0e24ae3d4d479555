// cumsum_recurrence.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 11.8 kB; the largest live set is 11.8 kB.

#include "cumsum_recurrence/cumsum_recurrence.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = cumsum_recurrence_kernels;

const char* cumsum_recurrence_range(const char* step);  // for profilers, see ranges.cpp

struct CumsumRecurrenceInstance {
  int device = 0;                // it runs on
  void* workspace = nullptr;     // its device memory: arena, counts
  DeviceMemory own_workspace;    // it, unless the caller gave one
  Allocator allocator;           // of device memory
  uint32_t* finished = nullptr;  // blocks that have finished, zero between launches
};

struct CumsumRecurrenceGraph {
  CumsumRecurrenceInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const CumsumRecurrenceTensor kCumsumRecurrenceInputTable[] = {
    {"a", "f32", 2, kCumsumRecurrenceInA, 9600},
    {"b", "f32", 2, kCumsumRecurrenceInB, 9600},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CumsumRecurrenceTensor kCumsumRecurrenceOutputTable[] = {
    {"h", "f32", 2, kCumsumRecurrenceOutH, 9600},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 12032;
constexpr CumsumRecurrenceOptions kDefaults = CUMSUM_RECURRENCE_OPTIONS;

thread_local constinit LastError last_error("cumsum_recurrence");

// True if the step did not succeed; then cumsum_recurrence_last_error() says why.
bool failed(const Step<cumsum_recurrence_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(CumsumRecurrenceInstance& created) {
  created.finished = at<uint32_t>(created.workspace, 11776);
  cudaError_t error = clear_on_device(created.finished, 4);
  return error;
}

}  // namespace

CumsumRecurrenceStatus cumsum_recurrence_create_with(CumsumRecurrenceInstance** instance,
                                                     const CumsumRecurrenceOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error,
                         {.prepare = prepare});
}

CumsumRecurrenceStatus cumsum_recurrence_run(CumsumRecurrenceInstance* instance,
                                             const CumsumRecurrenceInputs* in,
                                             const CumsumRecurrenceOutputs* out,
                                             cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kCumsumRecurrenceInputTable, out,
                                  kCumsumRecurrenceOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<cumsum_recurrence_range> range("cumsum_recurrence_run");

  float* const compose_3 = at<float>(instance->workspace, 0);       // f32[8,75]
  float* const compose_4 = at<float>(instance->workspace, 2560);    // f32[8,75]
  float* const compose_5 = at<float>(instance->workspace, 5120);    // f32[8,37]
  float* const compose_6 = at<float>(instance->workspace, 6400);    // f32[8,37]
  float* const compose_7 = at<float>(instance->workspace, 7680);    // f32[8,18]
  float* const compose_8 = at<float>(instance->workspace, 8448);    // f32[8,18]
  float* const compose_9 = at<float>(instance->workspace, 9216);    // f32[8,9]
  float* const compose_10 = at<float>(instance->workspace, 9728);   // f32[8,9]
  float* const compose_11 = at<float>(instance->workspace, 11264);  // f32[8,2]
  float* const compose_12 = at<float>(instance->workspace, 11520);  // f32[8,2]
  float* const h_3 = at<float>(instance->workspace, 10240);         // f32[8,9]
  float* const h_4 = at<float>(instance->workspace, 10752);         // f32[8,9]

  // multiply.2  (cumsum.grain:11), and 2 more
  const kernels::compose::ComposeArrays compose_arrays = {
      .compose_3 = {in->a, compose_3},
      .compose_4 = {in->a, in->b, compose_4},
      .compose_5 = {in->a, in->b, compose_5, compose_6},
  };
  if (failed({"compose", kernels::compose::enqueue(compose_arrays, stream)})) {
    return kCumsumRecurrenceCudaError;
  }

  // multiply.6  (cumsum.grain:11), and 3 more
  const kernels::compose_2::Compose2Arrays compose_2_arrays = {
      .compose_3 = {compose_5, compose_7},
      .compose_4 = {compose_5, compose_6, compose_8},
      .compose_5 = {compose_5, compose_6, compose_9, compose_10},
      .compose_6 = {compose_9, compose_10, compose_11, compose_12},
      .finished = instance->finished,
  };
  if (failed({"compose_2", kernels::compose_2::enqueue(compose_2_arrays, stream)})) {
    return kCumsumRecurrenceCudaError;
  }

  // pad.11  (cumsum.grain:18), and 1 more
  const kernels::h::HArrays h_arrays = {
      .h_3 = {compose_9, compose_10, compose_12, compose_11, h_3},
      .h_4 = {compose_10, compose_9, compose_12, compose_11, h_4},
  };
  if (failed({"h", kernels::h::enqueue(h_arrays, stream)})) return kCumsumRecurrenceCudaError;

  // h  (cumsum.grain:18)
  if (failed({"h_2", kernels::h_2::enqueue(in->a, in->b, compose_4, compose_3, compose_6, compose_5,
                                           compose_8, compose_7, h_4, h_3, out->h, stream)})) {
    return kCumsumRecurrenceCudaError;
  }

  return kCumsumRecurrenceOk;
}

void cumsum_recurrence_destroy(CumsumRecurrenceInstance* instance) {
  destroy_instance(instance);
}

CumsumRecurrenceStatus cumsum_recurrence_capture(CumsumRecurrenceGraph** graph,
                                                 CumsumRecurrenceInstance* instance,
                                                 const CumsumRecurrenceInputs* in,
                                                 const CumsumRecurrenceOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return cumsum_recurrence_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

CumsumRecurrenceStatus cumsum_recurrence_graph_launch(const CumsumRecurrenceGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

CumsumRecurrenceStatus cumsum_recurrence_graph_update(CumsumRecurrenceGraph* graph,
                                                      const CumsumRecurrenceInputs* in,
                                                      const CumsumRecurrenceOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return cumsum_recurrence_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t cumsum_recurrence_graph_exec(const CumsumRecurrenceGraph* graph) { return graph->exec; }

void cumsum_recurrence_graph_destroy(CumsumRecurrenceGraph* graph) { destroy_graph(graph); }

int64_t cumsum_recurrence_workspace_bytes() { return kWorkspaceBytes; }

const char* cumsum_recurrence_last_error() { return last_error.text(); }

const char* cumsum_recurrence_status_text(CumsumRecurrenceStatus status) { return status_text(status); }
