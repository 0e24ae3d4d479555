// cumsum_recurrence.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 11.8 kB; the largest live set is 11.8 kB.

#include "cumsum_recurrence/cumsum_recurrence.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = cumsum_recurrence_kernels;

struct CumsumRecurrenceInstance {
  int device = 0;                // that was current in create
  void* arena = nullptr;         // device memory for values between kernels
  uint32_t* finished = nullptr;  // blocks that have finished, zero between launches
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

constexpr size_t kArenaBytes = 11776;

thread_local char last_error[256] = "";

CumsumRecurrenceStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "cumsum_recurrence: %s%s%s%s",
                what, name, separator, other);
  return kCumsumRecurrenceInvalidArgument;
}

// True if the call did not succeed; then cumsum_recurrence_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "cumsum_recurrence: %s: %s", what, reason);
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

CumsumRecurrenceStatus cumsum_recurrence_create(CumsumRecurrenceInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  CumsumRecurrenceInstance* created = new (std::nothrow) CumsumRecurrenceInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kCumsumRecurrenceOutOfMemory;
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
    cumsum_recurrence_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kCumsumRecurrenceOutOfMemory;
    return kCumsumRecurrenceCudaError;
  }
  *instance = created;
  return kCumsumRecurrenceOk;
}

CumsumRecurrenceStatus cumsum_recurrence_run(CumsumRecurrenceInstance* instance,
                                             const CumsumRecurrenceInputs* in,
                                             const CumsumRecurrenceOutputs* out,
                                             cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kCumsumRecurrenceInputTable, *out, kCumsumRecurrenceOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const compose_2 = at<float>(instance->arena, 0);       // f32[8,75]
  float* const compose_3 = at<float>(instance->arena, 2560);    // f32[8,75]
  float* const compose_4 = at<float>(instance->arena, 5120);    // f32[8,37]
  float* const compose_5 = at<float>(instance->arena, 6400);    // f32[8,37]
  float* const compose = at<float>(instance->arena, 7680);      // f32[8,18]
  float* const compose_6 = at<float>(instance->arena, 8448);    // f32[8,18]
  float* const compose_7 = at<float>(instance->arena, 9216);    // f32[8,9]
  float* const compose_8 = at<float>(instance->arena, 9728);    // f32[8,9]
  float* const compose_9 = at<float>(instance->arena, 11264);   // f32[8,2]
  float* const compose_10 = at<float>(instance->arena, 11520);  // f32[8,2]
  float* const h_2 = at<float>(instance->arena, 10240);         // f32[8,9]
  float* const h_3 = at<float>(instance->arena, 10752);         // f32[8,9]

  // multiply.2  (cumsum.grain:11), and 2 more
  const kernels::compose::ComposeArrays compose_arrays = {
      .compose_2 = {in->a, compose_2},
      .compose_3 = {in->a, in->b, compose_3},
      .compose_4 = {in->a, in->b, compose_4, compose_5},
  };
  if (failed("compose", kernels::compose::enqueue(compose_arrays, stream))) {
    return kCumsumRecurrenceCudaError;
  }

  // multiply.6  (cumsum.grain:11), and 3 more
  const kernels::compose_2::Compose2Arrays compose_2_arrays = {
      .compose = {compose_4, compose},
      .compose_3 = {compose_4, compose_5, compose_6},
      .compose_4 = {compose_4, compose_5, compose_7, compose_8},
      .compose_5 = {compose_7, compose_8, compose_9, compose_10},
      .finished = instance->finished,
  };
  if (failed("compose_2", kernels::compose_2::enqueue(compose_2_arrays, stream))) {
    return kCumsumRecurrenceCudaError;
  }

  // pad.11  (cumsum.grain:18), and 1 more
  const kernels::h::HArrays h_arrays = {
      .h_2 = {compose_7, compose_8, compose_10, compose_9, h_2},
      .h_3 = {compose_8, compose_7, compose_10, compose_9, h_3},
  };
  if (failed("h", kernels::h::enqueue(h_arrays, stream))) return kCumsumRecurrenceCudaError;

  // h  (cumsum.grain:18)
  if (failed("h_2", kernels::h_2::enqueue(in->a, in->b, compose_3, compose_2, compose_5, compose_4,
                                          compose_6, compose, h_3, h_2, out->h, stream))) {
    return kCumsumRecurrenceCudaError;
  }

  return kCumsumRecurrenceOk;
}

void cumsum_recurrence_destroy(CumsumRecurrenceInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaFree(instance->finished);
  cudaSetDevice(current);
  delete instance;
}

const char* cumsum_recurrence_last_error() { return last_error; }
