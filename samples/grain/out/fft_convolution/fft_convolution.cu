// fft_convolution.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 10.2 kB; the largest live set is 10.2 kB.
// Weights: 6.7 kB.

#include "fft_convolution/fft_convolution.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = fft_convolution_kernels;

extern "C" const unsigned char fft_convolution_weights[];  // weights.bin, see weights.cpp

struct FftConvolutionInstance {
  int device = 0;           // that was current in create
  void* arena = nullptr;    // device memory for values between kernels
  void* weights = nullptr;  // weights.bin in device memory
};

extern const FftConvolutionTensor kFftConvolutionInputTable[] = {
    {"signal", "f32", 2, kFftConvolutionInSignal, 4096},
    {"kernel", "f32", 1, kFftConvolutionInKernel, 1024},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const FftConvolutionTensor kFftConvolutionOutputTable[] = {
    {"y", "f32", 2, kFftConvolutionOutY, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 10240;
constexpr size_t kWeightsBytes = 6664;

thread_local char last_error[256] = "";

FftConvolutionStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "fft_convolution: %s%s%s%s",
                what, name, separator, other);
  return kFftConvolutionInvalidArgument;
}

// True if the call did not succeed; then fft_convolution_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "fft_convolution: %s: %s", what, reason);
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

FftConvolutionStatus fft_convolution_create(FftConvolutionInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  FftConvolutionInstance* created = new (std::nothrow) FftConvolutionInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kFftConvolutionOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->weights, kWeightsBytes);
  }
  if (error == cudaSuccess) {
    error = cudaMemcpy(created->weights, fft_convolution_weights, kWeightsBytes,
                       cudaMemcpyHostToDevice);
  }
  if (error == cudaSuccess) {
    error = cudaStreamSynchronize(nullptr);
  }
  if (failed("create", error)) {
    fft_convolution_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kFftConvolutionOutOfMemory;
    return kFftConvolutionCudaError;
  }
  *instance = created;
  return kFftConvolutionOk;
}

FftConvolutionStatus fft_convolution_run(FftConvolutionInstance* instance,
                                         const FftConvolutionInputs* in,
                                         const FftConvolutionOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kFftConvolutionInputTable, *out, kFftConvolutionOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  Complex<float>* const response = at<Complex<float>>(instance->arena, 8192);  // c64[1,256]
  Complex<float>* const a = at<Complex<float>>(instance->arena, 0);            // c64[4,256]
  const Complex<float>* const constant =
      at<const Complex<float>>(instance->weights, 0);  // c64[257]
  const Complex<float>* const response_2 =
      at<const Complex<float>>(instance->weights, 2304);  // c64[1,257]
  const Complex<float>* const constant_2 =
      at<const Complex<float>>(instance->weights, 4608);  // c64[257]

  // fft.3  (fft_convolution.grain:7)
  if (failed("response", kernels::response::enqueue(in->kernel, response, stream))) {
    return kFftConvolutionCudaError;
  }

  // fft.4  (fft_convolution.grain:8)
  if (failed("a", kernels::a::enqueue(in->signal, a, stream))) return kFftConvolutionCudaError;

  // y  (fft_convolution.grain:10)
  if (failed("y", kernels::y::enqueue(a, constant, response, response_2, constant_2, out->y,
                                      stream))) {
    return kFftConvolutionCudaError;
  }

  return kFftConvolutionOk;
}

void fft_convolution_destroy(FftConvolutionInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaFree(instance->weights);
  cudaSetDevice(current);
  delete instance;
}

const char* fft_convolution_last_error() { return last_error; }
