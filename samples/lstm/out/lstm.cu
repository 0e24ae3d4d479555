// lstm.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 1.0 kB; the largest live set is 1.0 kB.

#include "lstm.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>
#include <utility>

#include "kernels.h"
#include "launcher/arguments.cuh"

using namespace lstm_kernels;

struct LstmInstance {
  void* arena = nullptr;  // device memory for values between kernels
};

extern const LstmTensor kLstmInputTable[] = {
    {"params_h_w", "f32", 2, kLstmInParamsHW, 9216},
    {"params_x_b", "f32", 1, kLstmInParamsXB, 384},
    {"params_x_w", "f32", 2, kLstmInParamsXW, 6144},
    {"xs", "f32", 3, kLstmInXs, 3072},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const LstmTensor kLstmOutputTable[] = {
    {"mul_1", "f32", 2, kLstmOutMul1, 384},
    {"add", "f32", 2, kLstmOutAdd, 384},
    {"mul_2", "f32", 3, kLstmOutMul2, 4608},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 1024;

thread_local char last_error[256] = "";

LstmStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "lstm: %s%s%s%s",
                what, name, separator, other);
  return kLstmInvalidArgument;
}

// True if the call did not succeed; then lstm_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "lstm: %s: %s", what, reason);
  return true;
}

// The array at a byte offset of the arena.
template <class T>
T* at(void* base, int64_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(base) + offset);
}

}  // namespace

LstmStatus lstm_create(LstmInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  LstmInstance* created = new (std::nothrow) LstmInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kLstmOutOfMemory;
  }
  cudaError_t error = cudaMalloc(&created->arena, kArenaBytes);
  if (failed("create", error)) {
    lstm_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kLstmOutOfMemory;
    return kLstmCudaError;
  }
  *instance = created;
  return kLstmOk;
}

LstmStatus lstm_run(LstmInstance* instance, const LstmInputs* in, const LstmOutputs* out,
                    cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const ArgumentProblem wrong = argument_problem(
      *in, kLstmInputTable, *out, kLstmOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const fill_2 = at<float>(instance->arena, 0);  // f32[4,24]
  float* const mul = at<float>(instance->arena, 512);   // f32[4,24]

  // broadcast_in_dim.7  (language.py:146), and 1 more
  const FillArrays fill_arrays = {
      .fill_1 = {out->mul_2},
      .fill_2 = {fill_2},
  };
  if (failed("fill", launch_fill(fill_arrays, stream))) return kLstmCudaError;

  const float* mul_current = fill_2;
  const float* add_current = fill_2;
  float* mul_next = mul;
  float* mul_spare = out->mul_1;

  // while.7; its last step writes mul_1
  for (int t = 0; t < 12; ++t) {
    // add.16, mul.5, dynamic_update_slice.1  (language.py:141)
    if (failed("step", launch_step(mul_current, add_current, in->xs, in->params_x_w, in->params_h_w,
                                   in->params_x_b, out->add, mul_next, out->mul_2, t, stream))) {
      return kLstmCudaError;
    }

    mul_current = mul_next;
    add_current = out->add;
    std::swap(mul_next, mul_spare);
  }

  return kLstmOk;
}

void lstm_destroy(LstmInstance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  delete instance;
}

const char* lstm_last_error() { return last_error; }
