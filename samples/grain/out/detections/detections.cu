// detections.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 1.5 kB; the largest live set is 1.5 kB.

#include "detections/detections.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = detections_kernels;

struct DetectionsInstance {
  int device = 0;         // that was current in create
  void* arena = nullptr;  // device memory for values between kernels
};

extern const DetectionsTensor kDetectionsInputTable[] = {
    {"logits", "f32", 2, kDetectionsInLogits, 6000},
    {"boxes_left", "f32", 1, kDetectionsInBoxesLeft, 1200},
    {"boxes_top", "f32", 1, kDetectionsInBoxesTop, 1200},
    {"boxes_right", "f32", 1, kDetectionsInBoxesRight, 1200},
    {"boxes_bottom", "f32", 1, kDetectionsInBoxesBottom, 1200},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const DetectionsTensor kDetectionsOutputTable[] = {
    {"box", "f32", 1, kDetectionsOutBox, 128},
    {"box_2", "f32", 1, kDetectionsOutBox2, 128},
    {"box_3", "f32", 1, kDetectionsOutBox3, 128},
    {"box_4", "f32", 1, kDetectionsOutBox4, 128},
    {"score", "f32", 1, kDetectionsOutScore, 128},
    {"class_", "s32", 1, kDetectionsOutClass, 128},
    {"kept", "pred", 1, kDetectionsOutKept, 32},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 1536;

thread_local char last_error[256] = "";

DetectionsStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "detections: %s%s%s%s",
                what, name, separator, other);
  return kDetectionsInvalidArgument;
}

// True if the call did not succeed; then detections_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "detections: %s: %s", what, reason);
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

DetectionsStatus detections_create(DetectionsInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  DetectionsInstance* created = new (std::nothrow) DetectionsInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kDetectionsOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (failed("create", error)) {
    detections_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kDetectionsOutOfMemory;
    return kDetectionsCudaError;
  }
  *instance = created;
  return kDetectionsOk;
}

DetectionsStatus detections_run(DetectionsInstance* instance, const DetectionsInputs* in,
                                const DetectionsOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kDetectionsInputTable, *out, kDetectionsOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const strength = at<float>(instance->arena, 0);      // f32[300]
  int* const score_indices = at<int>(instance->arena, 1280);  // s32[32]

  // strength  (detections.grain:18)
  if (failed("strength", kernels::strength::enqueue(in->logits, strength, stream))) {
    return kDetectionsCudaError;
  }

  // score, order  (detections.grain:19)
  if (failed("score", kernels::score::enqueue(strength, out->score, score_indices, stream))) {
    return kDetectionsCudaError;
  }

  // box_left, box_top, box_right, box_bottom, ...  (detections.grain:20)
  if (failed("detections", kernels::detections::enqueue(in->logits, score_indices, in->boxes_left,
                                                        in->boxes_top, in->boxes_right,
                                                        in->boxes_bottom, out->box, out->box_2,
                                                        out->box_3, out->box_4, out->class_,
                                                        out->kept, stream))) {
    return kDetectionsCudaError;
  }

  return kDetectionsOk;
}

void detections_destroy(DetectionsInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaSetDevice(current);
  delete instance;
}

const char* detections_last_error() { return last_error; }
