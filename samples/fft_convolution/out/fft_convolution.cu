// fft_convolution.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 36.9 kB; the largest live set is 36.9 kB.
// Weights: 32.8 kB.
//
//   arena   +0      dot         f32[4,1,16,2,32]
//   arena   +16384  dot_1       c64[4,32,1,16]
//   arena   +0      dot_2       f32[1,1,16,2,32]
//   arena   +32768  dot_3       c64[1,32,1,16]
//   arena   +0      dot_4       c64[4,1,16,32]
//   arena   +16384  dot_5       c64[4,32,1,16]
//
//   weights +0      constant    f32[32,2,32]
//   weights +8192   constant_1  c64[16,32]
//   weights +12288  constant_2  c64[16,16]
//   weights +14336  constant_3  c64[1,1,16,32]
//   weights +18432  constant_4  c64[32,32]
//   weights +26624  constant_5  c64[16,32]
//   weights +30720  constant_6  c64[16,16]

#include "fft_convolution.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace fft_convolution_kernels;

extern "C" const unsigned char fft_convolution_weights[];  // weights.bin, see weights.cpp

struct FftConvolutionInstance {
  void* arena = nullptr;    // device memory for values between kernels
  void* weights = nullptr;  // weights.bin in device memory
};

extern const FftConvolutionTensor kFftConvolutionInputTable[] = {
    {"signal", "f32", 2, kFftConvolutionInSignal, 4096},
    {"kernel", "f32", 1, kFftConvolutionInKernel, 1024},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const FftConvolutionTensor kFftConvolutionOutputTable[] = {
    {"slice", "f32", 2, kFftConvolutionOutSlice, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 36864;
constexpr size_t kWeightsBytes = 32768;

thread_local char last_error[256] = "";

FftConvolutionStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "fft_convolution: %s %s %s", what, name, other);
  return kFftConvolutionInvalidArgument;
}

// True if the call did not succeed; then fft_convolution_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "fft_convolution: %s: %s", what, reason);
  return true;
}

// The array at a byte offset of the arena or the weights.
template <class T>
T* at(void* base, int64_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(base) + offset);
}

// The bytes an input or output of the caller covers.
struct Range {
  uintptr_t begin;
  uintptr_t end;
  const char* name;
  bool written;
};

// Refuses null and misaligned pointers, and outputs that overlap an input or another output.
FftConvolutionStatus check_arguments(const FftConvolutionInputs& in,
                                     const FftConvolutionOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kFftConvolutionInputCount + kFftConvolutionOutputCount + 1] = {};
  static_assert(sizeof in == kFftConvolutionInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kFftConvolutionOutputCount * sizeof(void*));
  std::memcpy(pointers + kFftConvolutionInputCount, &out, sizeof out);

  Range ranges[kFftConvolutionInputCount + kFftConvolutionOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kFftConvolutionInputCount + kFftConvolutionOutputCount; ++i) {
    const bool written = i >= kFftConvolutionInputCount;
    const FftConvolutionTensor& tensor =
        written ? kFftConvolutionOutputTable[i - kFftConvolutionInputCount]
                : kFftConvolutionInputTable[i];
    if (tensor.bytes == 0) continue;
    const uintptr_t begin = reinterpret_cast<uintptr_t>(pointers[i]);
    if (begin == 0) return refuse("null pointer for", tensor.name);
    if (begin % 16 != 0) return refuse("not 16-byte aligned:", tensor.name);
    ranges[count++] = {begin, begin + static_cast<uintptr_t>(tensor.bytes), tensor.name, written};
  }

  // Sorted by a heap: g++ 12 sees errors in std::sort of a short array that are none.
  const auto before = [](const Range& a, const Range& b) { return a.begin < b.begin; };
  std::make_heap(ranges, ranges + count, before);
  std::sort_heap(ranges, ranges + count, before);
  const Range* last = nullptr;  // of the ranges so far, the one that ends last
  const Range* last_written = nullptr;
  for (int i = 0; i < count; ++i) {
    const Range& range = ranges[i];
    const Range* other = range.written ? last : last_written;
    if (other != nullptr && range.begin < other->end) {
      return refuse("overlapping:", range.name, other->name);
    }
    if (last == nullptr || range.end > last->end) last = &range;
    if (!range.written) continue;
    if (last_written == nullptr || range.end > last_written->end) last_written = &range;
  }
  return kFftConvolutionOk;
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
  cudaError_t error = cudaSuccess;
  if (error == cudaSuccess) error = cudaMalloc(&created->arena, kArenaBytes);
  if (error == cudaSuccess) error = cudaMalloc(&created->weights, kWeightsBytes);
  if (error == cudaSuccess) error = cudaMemcpy(created->weights, fft_convolution_weights, kWeightsBytes, cudaMemcpyHostToDevice);
  if (failed("create", error)) {
    fft_convolution_destroy(created);
    return error == cudaErrorMemoryAllocation ? kFftConvolutionOutOfMemory : kFftConvolutionCudaError;
  }
  *instance = created;
  return kFftConvolutionOk;
}

FftConvolutionStatus fft_convolution_run(FftConvolutionInstance* instance,
                                         const FftConvolutionInputs* in,
                                         const FftConvolutionOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const FftConvolutionStatus status = check_arguments(*in, *out);
  if (status != kFftConvolutionOk) return status;

  const float* const constant = at<const float>(instance->weights, 0);                          // f32[32,2,32]
  float* const dot = at<float>(instance->arena, 0);                                             // f32[4,1,16,2,32]
  const Complex<float>* const constant_1 = at<const Complex<float>>(instance->weights, 8192);   // c64[16,32]
  const Complex<float>* const constant_2 = at<const Complex<float>>(instance->weights, 12288);  // c64[16,16]
  Complex<float>* const dot_1 = at<Complex<float>>(instance->arena, 16384);                     // c64[4,32,1,16]
  float* const dot_2 = at<float>(instance->arena, 0);                                           // f32[1,1,16,2,32]
  const Complex<float>* const constant_3 = at<const Complex<float>>(instance->weights, 14336);  // c64[1,1,16,32]
  Complex<float>* const dot_3 = at<Complex<float>>(instance->arena, 32768);                     // c64[1,32,1,16]
  const Complex<float>* const constant_4 = at<const Complex<float>>(instance->weights, 18432);  // c64[32,32]
  Complex<float>* const dot_4 = at<Complex<float>>(instance->arena, 0);                         // c64[4,1,16,32]
  const Complex<float>* const constant_5 = at<const Complex<float>>(instance->weights, 26624);  // c64[16,32]
  const Complex<float>* const constant_6 = at<const Complex<float>>(instance->weights, 30720);  // c64[16,16]
  Complex<float>* const dot_5 = at<Complex<float>>(instance->arena, 16384);                     // c64[4,32,1,16]

  // dot  (arrays.py:70)
  if (failed("dot_1", launch_dot_1(in->signal, constant, dot, stream))) {
    return kFftConvolutionCudaError;
  }

  // dot.1  (arrays.py:70)
  if (failed("dot_2", launch_dot_2(dot, constant_1, constant_2, dot_1, stream))) {
    return kFftConvolutionCudaError;
  }

  // dot.2  (arrays.py:70)
  if (failed("dot_3", launch_dot_3(in->kernel, constant, dot_2, stream))) {
    return kFftConvolutionCudaError;
  }

  // dot.3  (arrays.py:70)
  if (failed("dot_4", launch_dot_4(dot_2, constant_3, constant_2, dot_3, stream))) {
    return kFftConvolutionCudaError;
  }

  // dot.4  (arrays.py:71)
  if (failed("dot_5", launch_dot_5(dot_1, dot_3, constant_4, dot_4, stream))) {
    return kFftConvolutionCudaError;
  }

  // dot.5  (arrays.py:71)
  if (failed("dot_6", launch_dot_6(dot_4, constant_5, constant_6, dot_5, stream))) {
    return kFftConvolutionCudaError;
  }

  // slice.1  (arrays.py:71)
  if (failed("slice", launch_slice(dot_5, out->slice, stream))) return kFftConvolutionCudaError;

  return kFftConvolutionOk;
}

void fft_convolution_destroy(FftConvolutionInstance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  cudaFree(instance->weights);
  delete instance;
}

const char* fft_convolution_last_error() { return last_error; }
