// fft_convolution.h: the C interface of fft_convolution, for C and C++; needs no CUDA header.
//
//   in   signal  f32[4,256]
//   in   kernel  f32[256]
//   out  y       f32[4,256]
//
//   FftConvolutionInstance* instance;
//   if (fft_convolution_create(&instance) != kFftConvolutionOk) {
//     puts(fft_convolution_last_error());
//   }
//   fft_convolution_run(instance, &in, &out, stream);  // as often as needed
//   fft_convolution_destroy(instance);
//
// An instance belongs to the device that is current when it is created: fft_convolution_run refuses to run
// while another one is, fft_convolution_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef FFT_CONVOLUTION_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum FftConvolutionStatus {
  kFftConvolutionOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kFftConvolutionInvalidArgument = 1,
  // fft_convolution_create found too little memory.
  kFftConvolutionOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kFftConvolutionCudaError = 3,
} FftConvolutionStatus;

enum {
  kFftConvolutionInputCount = 2,
  kFftConvolutionOutputCount = 1,
  // 1 if fft_convolution_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kFftConvolutionRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kFftConvolutionInSignal[] = {4, 256};
static const int64_t kFftConvolutionInKernel[] = {256};
static const int64_t kFftConvolutionOutY[] = {4, 256};

// One input or output.
typedef struct FftConvolutionTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} FftConvolutionTensor;

// In the order of the structs below; the row after the last has no name.
extern const FftConvolutionTensor kFftConvolutionInputTable[];
extern const FftConvolutionTensor kFftConvolutionOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct FftConvolutionInputs {
  const float* signal;  // f32[4,256]
  const float* kernel;  // f32[256]
} FftConvolutionInputs;

typedef struct FftConvolutionOutputs {
  float* y;  // f32[4,256]
} FftConvolutionOutputs;

typedef struct FftConvolutionInstance FftConvolutionInstance;

// Allocates what runs need and copies the constants to the device.
// *instance is NULL if this fails.
FftConvolutionStatus fft_convolution_create(FftConvolutionInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
FftConvolutionStatus fft_convolution_run(FftConvolutionInstance* instance,
                                         const FftConvolutionInputs* in,
                                         const FftConvolutionOutputs* out,
                                         struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void fft_convolution_destroy(FftConvolutionInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* fft_convolution_last_error(void);

#ifdef FFT_CONVOLUTION_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
