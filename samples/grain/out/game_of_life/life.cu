// life.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 6.4 kB; the largest live set is 6.4 kB.

#include "life/life.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>
#include <utility>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = life_kernels;

struct LifeInstance {
  int device = 0;                // that was current in create
  void* arena = nullptr;         // device memory for values between kernels
  uint32_t* finished = nullptr;  // blocks that have finished, zero between launches
};

extern const LifeTensor kLifeInputTable[] = {
    {"start", "u8", 2, kLifeInStart, 6144},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const LifeTensor kLifeOutputTable[] = {
    {"start", "u8", 2, kLifeOutStart, 6144},
    {"alive", "s32", 1, kLifeOutAlive, 400},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 6400;

thread_local char last_error[256] = "";

LifeStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "life: %s%s%s%s",
                what, name, separator, other);
  return kLifeInvalidArgument;
}

// True if the call did not succeed; then life_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "life: %s: %s", what, reason);
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

LifeStatus life_create(LifeInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  LifeInstance* created = new (std::nothrow) LifeInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kLifeOutOfMemory;
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
    life_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kLifeOutOfMemory;
    return kLifeCudaError;
  }
  *instance = created;
  return kLifeOk;
}

LifeStatus life_run(LifeInstance* instance, const LifeInputs* in, const LifeOutputs* out,
                    cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kLifeInputTable, *out, kLifeOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  int* const alive_2 = at<int>(instance->arena, 6144);       // s32[48]
  uint8_t* const start_2 = at<uint8_t>(instance->arena, 0);  // u8[64,96]

  // broadcast.17  (game_of_life.grain:5)
  if (failed("fill", kernels::fill::enqueue(out->alive, stream))) return kLifeCudaError;

  const uint8_t* start_current = in->start;
  uint8_t* start_next = start_2;
  uint8_t* start_spare = out->start;

  // while; its last step writes start
  for (int t = 0; t < 100; ++t) {
    // world_next, reduce.2  (game_of_life.grain:7), and 1 more
    const kernels::alive::AliveArrays alive_arrays = {
        .alive_2 = {start_current, start_next, alive_2},
        .alive_3 = {alive_2, out->alive, t},
        .finished = instance->finished,
    };
    if (failed("alive", kernels::alive::enqueue(alive_arrays, stream))) return kLifeCudaError;

    start_current = start_next;
    std::swap(start_next, start_spare);
  }

  return kLifeOk;
}

void life_destroy(LifeInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaFree(instance->finished);
  cudaSetDevice(current);
  delete instance;
}

const char* life_last_error() { return last_error; }
