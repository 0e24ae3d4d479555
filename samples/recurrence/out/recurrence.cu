// recurrence.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 15.4 kB; the largest live set is 15.4 kB.

#include "recurrence/recurrence.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = recurrence_kernels;

struct RecurrenceInstance {
  int device = 0;                // that was current in create
  void* arena = nullptr;         // device memory for values between kernels
  uint32_t* finished = nullptr;  // blocks that have finished, zero between launches
};

extern const RecurrenceTensor kRecurrenceInputTable[] = {
    {"decay", "f32", 3, kRecurrenceInDecay, 65536},
    {"value", "f32", 3, kRecurrenceInValue, 65536},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const RecurrenceTensor kRecurrenceOutputTable[] = {
    {"sum", "f32", 3, kRecurrenceOutSum, 65536},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 15360;

thread_local char last_error[256] = "";

RecurrenceStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "recurrence: %s%s%s%s",
                what, name, separator, other);
  return kRecurrenceInvalidArgument;
}

// True if the call did not succeed; then recurrence_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "recurrence: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

// The array at a byte offset of the arena.
template <class T>
T* at(void* base, int64_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(base) + offset);
}

}  // namespace

RecurrenceStatus recurrence_create(RecurrenceInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  RecurrenceInstance* created = new (std::nothrow) RecurrenceInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kRecurrenceOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->finished, sizeof(uint32_t));
  }
  if (error == cudaSuccess) {
    error = cudaMemset(created->finished, 0, sizeof(uint32_t));
  }
  if (error == cudaSuccess) {
    error = cudaStreamSynchronize(nullptr);
  }
  if (failed("create", error)) {
    recurrence_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kRecurrenceOutOfMemory;
    return kRecurrenceCudaError;
  }
  *instance = created;
  return kRecurrenceOk;
}

RecurrenceStatus recurrence_run(RecurrenceInstance* instance, const RecurrenceInputs* in,
                                const RecurrenceOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kRecurrenceInputTable, *out, kRecurrenceOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const sum_3 = at<float>(instance->arena, 0);          // f32[8,32,4]
  float* const product = at<float>(instance->arena, 4096);     // f32[8,32,4]
  float* const sum_4 = at<float>(instance->arena, 8192);       // f32[8,16,4]
  float* const product_2 = at<float>(instance->arena, 10240);  // f32[8,16,4]
  float* const padded = at<float>(instance->arena, 14336);     // f32[8,4,4]
  float* const padded_2 = at<float>(instance->arena, 14848);   // f32[8,4,4]
  float* const sum_5 = at<float>(instance->arena, 12288);      // f32[8,16,4]

  // add.29, mul.31  (make_samples.py:95)
  if (failed("after", kernels::after::enqueue(in->decay, in->value, sum_3, product, stream))) {
    return kRecurrenceCudaError;
  }

  // add.30, mul.33  (make_samples.py:95), and 1 more
  const kernels::after_2::After2Arrays after_2_arrays = {
      .after = {product, sum_3, sum_4, product_2},
      .padded = {product_2, sum_4, padded, padded_2},
      .finished = instance->finished,
  };
  if (failed("after_2", kernels::after_2::enqueue(after_2_arrays, stream))) {
    return kRecurrenceCudaError;
  }

  // add.41  (make_samples.py:97)
  if (failed("sum", kernels::sum::enqueue(sum_4, product_2, padded, padded_2, sum_5, stream))) {
    return kRecurrenceCudaError;
  }

  // add.51  (make_samples.py:97)
  if (failed("sum_2", kernels::sum_2::enqueue(in->decay, in->value, sum_3, product, sum_5, out->sum,
                                              stream))) {
    return kRecurrenceCudaError;
  }

  return kRecurrenceOk;
}

void recurrence_destroy(RecurrenceInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaFree(instance->finished);
  cudaSetDevice(current);
  delete instance;
}

const char* recurrence_last_error() { return last_error; }
