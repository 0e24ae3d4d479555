// mandelbrot.h: the C interface of mandelbrot, for C and C++; needs no CUDA header.
//
//   in   xs      f32[32]
//   in   ys      f32[32]
//   out  while_  s32[32,32]
//
//   MandelbrotInstance* instance;
//   if (mandelbrot_create(&instance) != kMandelbrotOk) {
//     puts(mandelbrot_last_error());
//   }
//   mandelbrot_run(instance, &in, &out, stream);  // as often as needed
//   mandelbrot_destroy(instance);
//
// An instance belongs to the device that is current when it is created: mandelbrot_run refuses to run
// while another one is, mandelbrot_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef MANDELBROT_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum MandelbrotStatus {
  kMandelbrotOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kMandelbrotInvalidArgument = 1,
  // mandelbrot_create found too little memory.
  kMandelbrotOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kMandelbrotCudaError = 3,
} MandelbrotStatus;

enum {
  kMandelbrotInputCount = 2,
  kMandelbrotOutputCount = 1,
  // 1 if mandelbrot_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kMandelbrotRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kMandelbrotInXs[] = {32};
static const int64_t kMandelbrotInYs[] = {32};
static const int64_t kMandelbrotOutWhile[] = {32, 32};

// One input or output.
typedef struct MandelbrotTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} MandelbrotTensor;

// In the order of the structs below; the row after the last has no name.
extern const MandelbrotTensor kMandelbrotInputTable[];
extern const MandelbrotTensor kMandelbrotOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct MandelbrotInputs {
  const float* xs;  // f32[32]
  const float* ys;  // f32[32]
} MandelbrotInputs;

typedef struct MandelbrotOutputs {
  int* while_;  // s32[32,32]
} MandelbrotOutputs;

typedef struct MandelbrotInstance MandelbrotInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
MandelbrotStatus mandelbrot_create(MandelbrotInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
MandelbrotStatus mandelbrot_run(MandelbrotInstance* instance, const MandelbrotInputs* in,
                                const MandelbrotOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void mandelbrot_destroy(MandelbrotInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* mandelbrot_last_error(void);

#ifdef MANDELBROT_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
