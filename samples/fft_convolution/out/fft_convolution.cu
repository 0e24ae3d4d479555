// fft_convolution.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 18.4 kB; the largest live set is 18.4 kB.
// Weights: 6.7 kB.
//
//   arena   +0      fft_1       c64[4,256]
//   arena   +16384  fft_2       c64[1,256]
//   arena   +8192   fft_3       c64[4,256]
//
//   weights +0      constant    c64[257]
//   weights +2304   constant_1  c64[1,257]
//   weights +4608   constant_2  c64[257]

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

constexpr size_t kArenaBytes = 18432;
constexpr size_t kWeightsBytes = 6664;

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

  Complex<float>* const fft_1 = at<Complex<float>>(instance->arena, 0);                        // c64[4,256]
  Complex<float>* const fft_2 = at<Complex<float>>(instance->arena, 16384);                    // c64[1,256]
  const Complex<float>* const constant = at<const Complex<float>>(instance->weights, 0);       // c64[257]
  const Complex<float>* const constant_1 = at<const Complex<float>>(instance->weights, 2304);  // c64[1,257]
  const Complex<float>* const constant_2 = at<const Complex<float>>(instance->weights, 4608);  // c64[257]
  Complex<float>* const fft_3 = at<Complex<float>>(instance->arena, 8192);                     // c64[4,256]

  // fft  (arrays.py:70)
  if (failed("fft_1", launch_fft_1(in->signal, fft_1, stream))) return kFftConvolutionCudaError;

  // fft.7  (arrays.py:70)
  if (failed("fft_2", launch_fft_2(in->kernel, fft_2, stream))) return kFftConvolutionCudaError;

  // fft.8  (arrays.py:71)
  if (failed("fft_3", launch_fft_3(fft_1, constant, fft_2, constant_1, constant_2, fft_3,
                                   stream))) {
    return kFftConvolutionCudaError;
  }

  // slice.1  (arrays.py:71)
  if (failed("slice", launch_slice(fft_3, out->slice, stream))) return kFftConvolutionCudaError;

  return kFftConvolutionOk;
}

void fft_convolution_destroy(FftConvolutionInstance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  cudaFree(instance->weights);
  delete instance;
}

const char* fft_convolution_last_error() { return last_error; }
