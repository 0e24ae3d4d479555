// oscillators.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 82.9 kB; the largest live set is 82.9 kB.

#include "oscillators.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"

using namespace oscillators_kernels;

struct OscillatorsInstance {
  void* arena = nullptr;  // device memory for values between kernels
};

extern const OscillatorsTensor kOscillatorsInputTable[] = {
    {"x", "f32", 1, kOscillatorsInX, 16384},
    {"v", "f32", 1, kOscillatorsInV, 16384},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const OscillatorsTensor kOscillatorsOutputTable[] = {
    {"x", "f32", 1, kOscillatorsOutX, 16384},
    {"v", "f32", 1, kOscillatorsOutV, 16384},
    {"div_1", "f32", 0, nullptr, 4},
    {"div_2", "f32", 1, kOscillatorsOutDiv2, 160},
    {"dynamic_slice_1", "f32", 1, kOscillatorsOutDynamicSlice1, 160},
    {"dynamic_slice_2", "s32", 1, kOscillatorsOutDynamicSlice2, 160},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 82944;

thread_local char last_error[256] = "";

OscillatorsStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "oscillators: %s%s%s%s",
                what, name, separator, other);
  return kOscillatorsInvalidArgument;
}

// True if the call did not succeed; then oscillators_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "oscillators: %s: %s", what, reason);
  return true;
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
  cudaError_t error = cudaMalloc(&created->arena, kArenaBytes);
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
  const ArgumentProblem wrong = argument_problem(
      *in, kOscillatorsInputTable, *out, kOscillatorsOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const sum_1 = at<float>(instance->arena, 0);        // f32[40,128]
  float* const sum_2 = at<float>(instance->arena, 20480);    // f32[40,128]
  float* const max = at<float>(instance->arena, 40960);      // f32[40,128]
  int* const sum_3 = at<int>(instance->arena, 61440);        // s32[40,128]
  float* const max_1 = at<float>(instance->arena, 81920);    // f32[40]
  float* const sum_1_1 = at<float>(instance->arena, 82176);  // f32[40]
  float* const sum_2_1 = at<float>(instance->arena, 82432);  // f32[40]
  int* const sum_3_1 = at<int>(instance->arena, 82688);      // s32[40]

  // get-tuple-element.22, get-tuple-element.23, get-tuple-element.36, get-tuple-element.37, ...
  // (make_samples.py:67)
  if (failed("step", launch_step(in->x, in->v, out->x, out->v, sum_1, sum_2, max, sum_3, stream))) {
    return kOscillatorsCudaError;
  }

  // reduce.6  (make_samples.py:67), and 3 more
  const SumArrays sum_arrays = {
      .max = {max, max_1},
      .sum_1 =
          {
              {sum_1, sum_1_1},
              {sum_2, sum_2_1},
          },
      .sum_3 = {sum_3, sum_3_1},
  };
  if (failed("sum", launch_sum(sum_arrays, stream))) return kOscillatorsCudaError;

  // div.3, get-tuple-element.57, get-tuple-element.58, get-tuple-element.59  (make_samples.py:68)
  if (failed("oscillators", launch_oscillators(sum_1_1, sum_2_1, max_1, sum_3_1, out->div_1,
                                               out->div_2, out->dynamic_slice_1,
                                               out->dynamic_slice_2, stream))) {
    return kOscillatorsCudaError;
  }

  return kOscillatorsOk;
}

void oscillators_destroy(OscillatorsInstance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  delete instance;
}

const char* oscillators_last_error() { return last_error; }
