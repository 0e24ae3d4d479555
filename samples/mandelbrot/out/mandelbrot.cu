// mandelbrot.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 12.5 kB; the largest live set is 12.5 kB.

#include "mandelbrot.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"

using namespace mandelbrot_kernels;

struct MandelbrotInstance {
  void* arena = nullptr;      // device memory for values between kernels
  void* condition = nullptr;  // pinned: what the host reads of a loop or branch
};

extern const MandelbrotTensor kMandelbrotInputTable[] = {
    {"xs", "f32", 1, kMandelbrotInXs, 128},
    {"ys", "f32", 1, kMandelbrotInYs, 128},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const MandelbrotTensor kMandelbrotOutputTable[] = {
    {"select", "s32", 2, kMandelbrotOutSelect, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 12544;

thread_local char last_error[256] = "";

MandelbrotStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "mandelbrot: %s%s%s%s",
                what, name, separator, other);
  return kMandelbrotInvalidArgument;
}

// True if the call did not succeed; then mandelbrot_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "mandelbrot: %s: %s", what, reason);
  return true;
}

// The array at a byte offset of the arena.
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

MandelbrotStatus mandelbrot_create(MandelbrotInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  MandelbrotInstance* created = new (std::nothrow) MandelbrotInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kMandelbrotOutOfMemory;
  }
  cudaError_t error = cudaMalloc(&created->arena, kArenaBytes);
  if (error == cudaSuccess) {
    error = cudaMallocHost(&created->condition, sizeof(bool));
  }
  if (failed("create", error)) {
    mandelbrot_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kMandelbrotOutOfMemory;
    return kMandelbrotCudaError;
  }
  *instance = created;
  return kMandelbrotOk;
}

MandelbrotStatus mandelbrot_run(MandelbrotInstance* instance, const MandelbrotInputs* in,
                                const MandelbrotOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const ArgumentProblem wrong = argument_problem(
      *in, kMandelbrotInputTable, *out, kMandelbrotOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const fill_2 = at<float>(instance->arena, 0);       // f32[32,32]
  bool* const any = at<bool>(instance->arena, 12288);        // pred[]
  float* const select_1 = at<float>(instance->arena, 4096);  // f32[32,32]
  float* const select_2 = at<float>(instance->arena, 8192);  // f32[32,32]

  // broadcast_in_dim.5  (simulation.py:92)
  if (failed("fill_1", launch_fill_1(out->select, stream))) return kMandelbrotCudaError;

  // broadcast.13
  if (failed("fill_2", launch_fill_2(fill_2, stream))) return kMandelbrotCudaError;

  const float* broadcast_current = fill_2;
  const float* broadcast_current_2 = fill_2;

  // while.20
  for (;;) {
    // while.13  (simulation.py:92)
    if (failed("any", launch_any(out->select, broadcast_current, broadcast_current_2, any,
                                 stream))) {
      return kMandelbrotCudaError;
    }

    cudaError_t error;
    const bool goes_on = read_condition(instance->condition, any, stream, &error);
    if (failed("condition", error)) return kMandelbrotCudaError;
    if (!goes_on) break;

    // while.3, while.4, while.5  (simulation.py:92)
    if (failed("select", launch_select(out->select, broadcast_current, broadcast_current_2, in->xs,
                                       in->ys, out->select, select_1, select_2, stream))) {
      return kMandelbrotCudaError;
    }

    broadcast_current = select_1;
    broadcast_current_2 = select_2;
  }

  return kMandelbrotOk;
}

void mandelbrot_destroy(MandelbrotInstance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  cudaFreeHost(instance->condition);
  delete instance;
}

const char* mandelbrot_last_error() { return last_error; }
