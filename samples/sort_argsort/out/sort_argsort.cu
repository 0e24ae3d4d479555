// sort_argsort.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "sort_argsort/sort_argsort.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/branches.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"
#include "launcher/run_graph.cuh"

namespace kernels = sort_argsort_kernels;

const char* sort_argsort_range(const char* step);  // for profilers, see ranges.cpp

struct SortArgsortInstance {
  int device = 0;                                         // it runs on
  void* workspace = nullptr;                              // its device memory: none
  DeviceMemory own_workspace;                             // it, unless the caller gave one
  Allocator allocator;                                    // of device memory
  RunGraph<SortArgsortInputs, SortArgsortOutputs> graph;  // where options ask for it
};

struct SortArgsortGraph {
  SortArgsortInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const SortArgsortTensor kSortArgsortInputTable[] = {
    {"x", "f32", 2, kSortArgsortInX, 2400},
    {"group", "s32", 2, kSortArgsortInGroup, 2400},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const SortArgsortTensor kSortArgsortOutputTable[] = {
    {"sorted", "f32", 2, kSortArgsortOutSorted, 2400},
    {"sorted_2", "s32", 2, kSortArgsortOutSorted2, 2400},
    {"by_group_0", "s32", 2, kSortArgsortOutByGroup0, 2400},
    {"by_group_1", "f32", 2, kSortArgsortOutByGroup1, 2400},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr SortArgsortOptions kDefaults = SORT_ARGSORT_OPTIONS;

thread_local constinit LastError last_error("sort_argsort");

// True if the step did not succeed; then sort_argsort_last_error() says why.
bool failed(const Step<sort_argsort_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

Failure choose_graph(SortArgsortInstance& created, const SortArgsortOptions& options) {
  created.graph.choice = options.graph;
  return {};
}

void release(SortArgsortInstance& instance) {
  end_graph(&instance.graph);
}

}  // namespace

SortArgsortStatus sort_argsort_create_with(SortArgsortInstance** instance,
                                           const SortArgsortOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error,
                         {.choose_graph = choose_graph, .release = release});
}

SortArgsortStatus sort_argsort_run(SortArgsortInstance* instance, const SortArgsortInputs* in,
                                   const SortArgsortOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kSortArgsortInputTable, out,
                                  kSortArgsortOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<sort_argsort_range> range("sort_argsort_run");

  Failure failure;
  const auto run = [=](cudaStream_t other) { return sort_argsort_run(instance, in, out, other); };
  if (run_as_graph(&instance->graph, *in, *out, stream, run, &failure, last_error)) return failure;

  // In a graph of the run these are branches, side by side; else they follow each other.
  Branches<3> branches(stream, last_error);

  // branch 1 of 3
  if (!branches.begin()) return kSortArgsortCudaError;

  // sort.16  (arrays.py:27)
  if (failed({"sorted", kernels::sorted::enqueue(in->x, out->sorted, stream)})) {
    return kSortArgsortCudaError;
  }

  // branch 2 of 3
  if (!branches.begin()) return kSortArgsortCudaError;

  // sort.30  (arrays.py:27)
  if (failed({"sorted_2", kernels::sorted_2::enqueue(in->group, out->sorted_2, stream)})) {
    return kSortArgsortCudaError;
  }

  // branch 3 of 3
  if (!branches.begin()) return kSortArgsortCudaError;

  // sort.32, sort.33  (arrays.py:26)
  if (failed({"sorted_3", kernels::sorted_3::enqueue(in->x, in->group, out->by_group_0,
                                                     out->by_group_1, stream)})) {
    return kSortArgsortCudaError;
  }

  if (!branches.join()) return kSortArgsortCudaError;

  return kSortArgsortOk;
}

void sort_argsort_destroy(SortArgsortInstance* instance) {
  destroy_instance(instance, release);
}

SortArgsortStatus sort_argsort_capture(SortArgsortGraph** graph, SortArgsortInstance* instance,
                                       const SortArgsortInputs* in, const SortArgsortOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return sort_argsort_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

SortArgsortStatus sort_argsort_graph_launch(const SortArgsortGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

SortArgsortStatus sort_argsort_graph_update(SortArgsortGraph* graph, const SortArgsortInputs* in,
                                            const SortArgsortOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return sort_argsort_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t sort_argsort_graph_exec(const SortArgsortGraph* graph) { return exec_of(graph); }

void sort_argsort_graph_destroy(SortArgsortGraph* graph) { destroy_graph(graph); }

int64_t sort_argsort_workspace_bytes() { return kWorkspaceBytes; }

const char* sort_argsort_last_error() { return last_error.text(); }

const char* sort_argsort_status_text(SortArgsortStatus status) { return status_text(status); }
