// kalman.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 768 bytes; the largest live set is 768 bytes.
// Weights: 16 bytes.

#include "kalman/kalman.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>
#include <utility>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = kalman_kernels;

extern "C" const unsigned char kalman_weights[];  // weights.bin, see weights.cpp

struct KalmanInstance {
  int device = 0;                // that was current in create
  void* arena = nullptr;         // device memory for values between kernels
  void* weights = nullptr;       // weights.bin in device memory
  uint32_t* finished = nullptr;  // blocks that have finished, zero between launches
};

extern const KalmanTensor kKalmanInputTable[] = {
    {"first_x", "f32", 2, kKalmanInFirstX, 256},
    {"first_p", "f32", 3, kKalmanInFirstP, 512},
    {"measured", "f32", 2, kKalmanInMeasured, 6400},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const KalmanTensor kKalmanOutputTable[] = {
    {"first_x", "f32", 2, kKalmanOutFirstX, 256},
    {"first_p", "f32", 3, kKalmanOutFirstP, 512},
    {"place", "f32", 2, kKalmanOutPlace, 6400},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 768;
constexpr size_t kWeightsBytes = 16;

thread_local char last_error[256] = "";

KalmanStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "kalman: %s%s%s%s",
                what, name, separator, other);
  return kKalmanInvalidArgument;
}

// True if the call did not succeed; then kalman_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "kalman: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

// The array at a byte offset of the arena or the weights.
template <class T>
T* at(void* base, int64_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(base) + offset);
}

}  // namespace

KalmanStatus kalman_create(KalmanInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  KalmanInstance* created = new (std::nothrow) KalmanInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kKalmanOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->weights, kWeightsBytes);
  }
  if (error == cudaSuccess) {
    error = cudaMemcpy(created->weights, kalman_weights, kWeightsBytes, cudaMemcpyHostToDevice);
  }
  if (error == cudaSuccess) {
    error = cudaStreamSynchronize(nullptr);
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
    kalman_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kKalmanOutOfMemory;
    return kKalmanCudaError;
  }
  *instance = created;
  return kKalmanOk;
}

KalmanStatus kalman_run(KalmanInstance* instance, const KalmanInputs* in, const KalmanOutputs* out,
                        cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kKalmanInputTable, *out, kKalmanOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const p = at<float>(instance->arena, 0);                // f32[32,2,2]
  const float* const f = at<const float>(instance->weights, 0);  // f32[2,2]
  float* const first_x_2 = at<float>(instance->arena, 512);      // f32[32,2]

  // broadcast.10  (kalman.grain:28)
  if (failed("fill", kernels::fill::enqueue(out->place, stream))) return kKalmanCudaError;

  const float* first_x_current = in->first_x;
  const float* first_p_current = in->first_p;
  float* first_x_next = first_x_2;
  float* first_x_spare = out->first_x;

  // while; its last step writes first_x
  for (int t = 0; t < 50; ++t) {
    // dot.2  (kalman.grain:15), and 2 more
    const kernels::predict::PredictArrays predict_arrays = {
        .predict_2 = {first_p_current, f, p},
        .place = {first_x_current, in->measured, f, p, first_x_next, out->place, t},
        .correct = {p, out->first_p},
        .finished = instance->finished,
    };
    if (failed("predict", kernels::predict::enqueue(predict_arrays, stream))) {
      return kKalmanCudaError;
    }

    first_x_current = first_x_next;
    first_p_current = out->first_p;
    std::swap(first_x_next, first_x_spare);
  }

  return kKalmanOk;
}

void kalman_destroy(KalmanInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaFree(instance->weights);
  cudaFree(instance->finished);
  cudaSetDevice(current);
  delete instance;
}

const char* kalman_last_error() { return last_error; }
