// kmeans.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 2.8 kB; the largest live set is 2.8 kB.
// Weights: 257 bytes.

#include "kmeans/kmeans.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>
#include <utility>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = kmeans_kernels;

extern "C" const unsigned char kmeans_weights[];  // weights.bin, see weights.cpp

struct KmeansInstance {
  int device = 0;             // that was current in create
  void* arena = nullptr;      // device memory for values between kernels
  void* weights = nullptr;    // weights.bin in device memory
  void* condition = nullptr;  // pinned: what the host reads of a loop or branch
};

extern const KmeansTensor kKmeansInputTable[] = {
    {"x", "f32", 2, kKmeansInX, 4800},
    {"start", "f32", 2, kKmeansInStart, 96},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const KmeansTensor kKmeansOutputTable[] = {
    {"start", "f32", 2, kKmeansOutStart, 96},
    {"result", "s32", 1, kKmeansOutResult, 1600},
    {"sum", "s32", 0, nullptr, 4},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 2816;
constexpr size_t kWeightsBytes = 257;

thread_local char last_error[256] = "";

KmeansStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "kmeans: %s%s%s%s",
                what, name, separator, other);
  return kKmeansInvalidArgument;
}

// True if the call did not succeed; then kmeans_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "kmeans: %s: %s", what, reason);
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

// Waits for the stream and reads the condition of a loop or branch.
bool read_condition(void* pinned, const bool* condition, cudaStream_t stream, cudaError_t* error) {
  *error = cudaMemcpyAsync(pinned, condition, sizeof *condition, cudaMemcpyDeviceToHost, stream);
  if (*error == cudaSuccess) *error = cudaStreamSynchronize(stream);
  return *error == cudaSuccess && *static_cast<const bool*>(pinned);
}

}  // namespace

KmeansStatus kmeans_create(KmeansInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  KmeansInstance* created = new (std::nothrow) KmeansInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kKmeansOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->weights, kWeightsBytes);
  }
  if (error == cudaSuccess) {
    error = cudaMemcpy(created->weights, kmeans_weights, kWeightsBytes, cudaMemcpyHostToDevice);
  }
  if (error == cudaSuccess) {
    error = cudaStreamSynchronize(nullptr);
  }
  if (error == cudaSuccess) {
    error = cudaMallocHost(&created->condition, sizeof(bool));
  }
  if (failed("create", error)) {
    kmeans_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kKmeansOutOfMemory;
    return kKmeansCudaError;
  }
  *instance = created;
  return kKmeansOk;
}

KmeansStatus kmeans_run(KmeansInstance* instance, const KmeansInputs* in, const KmeansOutputs* out,
                        cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kKmeansInputTable, *out, kKmeansOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  int* const j = at<int>(instance->arena, 0);                          // s32[400]
  float* const sums = at<float>(instance->arena, 1792);                // f32[8,3]
  float* const count = at<float>(instance->arena, 2048);               // f32[8]
  float* const start_2 = at<float>(instance->arena, 2304);             // f32[8,3]
  bool* const while_2 = at<bool>(instance->arena, 2560);               // pred[]
  const int* const constant = at<const int>(instance->weights, 0);     // s32[]
  const bool* const while_3 = at<const bool>(instance->weights, 256);  // pred[]

  // j.1  (kmeans.grain:8)
  if (failed("nearest", kernels::nearest::enqueue(in->x, in->start, j, stream))) {
    return kKmeansCudaError;
  }

  const int* sum_current = constant;
  const float* start_current = in->start;
  const bool* more_current = while_3;
  float* start_next = out->start;
  float* start_spare = start_2;
  int* result_next = out->result;
  int* result_current = j;

  // while
  for (;;) {
    cudaError_t error;
    const bool goes_on = read_condition(instance->condition, more_current, stream, &error);
    if (failed("condition", error)) return kKmeansCudaError;
    if (!goes_on) break;

    // sums  (kmeans.grain:19)
    if (failed("sums", kernels::sums::enqueue(result_current, in->x, sums, stream))) {
      return kKmeansCudaError;
    }

    // count  (kmeans.grain:20)
    if (failed("count", kernels::count::enqueue(result_current, count, stream))) {
      return kKmeansCudaError;
    }

    // moved, j.6  (kmeans.grain:21)
    if (failed("nearest_2", kernels::nearest_2::enqueue(start_current, in->x, count, sums,
                                                        start_next, result_next, stream))) {
      return kKmeansCudaError;
    }

    // steps_next, and.5  (kmeans.grain:22)
    if (failed("while_", kernels::while_::enqueue(sum_current, result_next, result_current,
                                                  out->sum, while_2, stream))) {
      return kKmeansCudaError;
    }

    sum_current = out->sum;
    start_current = start_next;
    more_current = while_2;
    std::swap(start_next, start_spare);
    std::swap(result_next, result_current);
  }

  // sum
  if (sum_current != out->sum && failed("copy", cudaMemcpyAsync(out->sum, sum_current, 4,
                                                                cudaMemcpyDeviceToDevice,
                                                                stream))) {
    return kKmeansCudaError;
  }

  // start
  if (start_current != out->start && failed("copy", cudaMemcpyAsync(out->start, start_current, 96,
                                                                    cudaMemcpyDeviceToDevice,
                                                                    stream))) {
    return kKmeansCudaError;
  }

  // result
  if (result_current != out->result && failed("copy", cudaMemcpyAsync(out->result, result_current,
                                                                      1600,
                                                                      cudaMemcpyDeviceToDevice,
                                                                      stream))) {
    return kKmeansCudaError;
  }

  return kKmeansOk;
}

void kmeans_destroy(KmeansInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaFree(instance->weights);
  cudaFreeHost(instance->condition);
  cudaSetDevice(current);
  delete instance;
}

const char* kmeans_last_error() { return last_error; }
