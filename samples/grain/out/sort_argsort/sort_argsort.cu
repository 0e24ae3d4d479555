// sort_argsort.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "sort_argsort/sort_argsort.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = sort_argsort_kernels;

struct SortArgsortInstance {
  int device = 0;  // that was current in create
};

extern const SortArgsortTensor kSortArgsortInputTable[] = {
    {"x", "f32", 2, kSortArgsortInX, 2400},
    {"group", "s32", 2, kSortArgsortInGroup, 2400},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const SortArgsortTensor kSortArgsortOutputTable[] = {
    {"sorted", "f32", 2, kSortArgsortOutSorted, 2400},
    {"order", "s32", 2, kSortArgsortOutOrder, 2400},
    {"by_group", "s32", 2, kSortArgsortOutByGroup, 2400},
    {"by_group_2", "f32", 2, kSortArgsortOutByGroup2, 2400},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

SortArgsortStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "sort_argsort: %s%s%s%s",
                what, name, separator, other);
  return kSortArgsortInvalidArgument;
}

// True if the call did not succeed; then sort_argsort_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "sort_argsort: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

SortArgsortStatus sort_argsort_create(SortArgsortInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  SortArgsortInstance* created = new (std::nothrow) SortArgsortInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kSortArgsortOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    sort_argsort_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kSortArgsortOutOfMemory;
    return kSortArgsortCudaError;
  }
  *instance = created;
  return kSortArgsortOk;
}

SortArgsortStatus sort_argsort_run(SortArgsortInstance* instance, const SortArgsortInputs* in,
                                   const SortArgsortOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kSortArgsortInputTable, *out, kSortArgsortOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // sorted  (sort_argsort.grain:6)
  if (failed("sorted", kernels::sorted::enqueue(in->x, out->sorted, stream))) {
    return kSortArgsortCudaError;
  }

  // order  (sort_argsort.grain:7)
  if (failed("order", kernels::order::enqueue(in->group, out->order, stream))) {
    return kSortArgsortCudaError;
  }

  // by_group, x_by  (sort_argsort.grain:8)
  if (failed("by_group", kernels::by_group::enqueue(in->x, in->group, out->by_group,
                                                    out->by_group_2, stream))) {
    return kSortArgsortCudaError;
  }

  return kSortArgsortOk;
}

void sort_argsort_destroy(SortArgsortInstance* instance) {
  delete instance;
}

const char* sort_argsort_last_error() { return last_error; }
