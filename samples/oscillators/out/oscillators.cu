// oscillators.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 21.5 kB; the largest live set is 21.5 kB.

#include "oscillators/oscillators.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = oscillators_kernels;

struct OscillatorsInstance {
  int device = 0;                // that was current in create
  void* arena = nullptr;         // device memory for values between kernels
  uint32_t* finished = nullptr;  // blocks that have finished, zero between launches
};

extern const OscillatorsTensor kOscillatorsInputTable[] = {
    {"x", "f32", 1, kOscillatorsInX, 16384},
    {"v", "f32", 1, kOscillatorsInV, 16384},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const OscillatorsTensor kOscillatorsOutputTable[] = {
    {"x", "f32", 1, kOscillatorsOutX, 16384},
    {"v", "f32", 1, kOscillatorsOutV, 16384},
    {"scaled", "f32", 0, nullptr, 4},
    {"energy", "f32", 1, kOscillatorsOutEnergy, 160},
    {"part", "f32", 1, kOscillatorsOutPart, 160},
    {"part_2", "s32", 1, kOscillatorsOutPart2, 160},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 21504;

thread_local char last_error[256] = "";

OscillatorsStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "oscillators: %s%s%s%s",
                what, name, separator, other);
  return kOscillatorsInvalidArgument;
}

// True if the call did not succeed; then oscillators_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "oscillators: %s: %s", what, reason);
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

OscillatorsStatus oscillators_create(OscillatorsInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  OscillatorsInstance* created = new (std::nothrow) OscillatorsInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kOscillatorsOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->finished, 4 * sizeof(uint32_t));
  }
  if (error == cudaSuccess) {
    error = cudaMemset(created->finished, 0, 4 * sizeof(uint32_t));
  }
  if (error == cudaSuccess) {
    error = cudaStreamSynchronize(nullptr);
  }
  if (failed("create", error)) {
    oscillators_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kOscillatorsOutOfMemory;
    return kOscillatorsCudaError;
  }
  *instance = created;
  return kOscillatorsOk;
}

OscillatorsStatus oscillators_run(OscillatorsInstance* instance, const OscillatorsInputs* in,
                                  const OscillatorsOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kOscillatorsInputTable, *out, kOscillatorsOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const push_v_sum = at<float>(instance->arena, 20480);            // f32[40]
  float* const product_sum = at<float>(instance->arena, 20736);           // f32[40]
  float* const max = at<float>(instance->arena, 20992);                   // f32[40]
  int* const count = at<int>(instance->arena, 21248);                     // s32[40]
  float* const push_v_sum_of_blocks = at<float>(instance->arena, 0);      // f32[32,40]
  float* const product_sum_of_blocks = at<float>(instance->arena, 5120);  // f32[32,40]
  float* const max_of_blocks = at<float>(instance->arena, 10240);         // f32[32,40]
  int* const count_of_blocks = at<int>(instance->arena, 15360);           // s32[32,40]

  // get-tuple-element.22, get-tuple-element.23, get-tuple-element.36, get-tuple-element.37, ...
  // (make_samples.py:67)
  if (failed("step", kernels::step::enqueue(in->x, in->v, out->x, out->v, push_v_sum, product_sum,
                                            max, count, push_v_sum_of_blocks, product_sum_of_blocks,
                                            max_of_blocks, count_of_blocks, instance->finished + 1,
                                            stream))) {
    return kOscillatorsCudaError;
  }

  // div.3, get-tuple-element.57, get-tuple-element.58, get-tuple-element.59  (make_samples.py:68)
  if (failed("oscillators", kernels::oscillators::enqueue(push_v_sum, product_sum, max, count,
                                                          out->scaled, out->energy, out->part,
                                                          out->part_2, stream))) {
    return kOscillatorsCudaError;
  }

  return kOscillatorsOk;
}

void oscillators_destroy(OscillatorsInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaFree(instance->finished);
  cudaSetDevice(current);
  delete instance;
}

const char* oscillators_last_error() { return last_error; }
