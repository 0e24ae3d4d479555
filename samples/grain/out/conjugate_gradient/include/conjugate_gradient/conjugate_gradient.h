// conjugate_gradient.h: the C interface of conjugate_gradient, for C and C++; needs no CUDA header.
//
//   in   b      f32[24,24]
//   out  sum    s32[]
//   out  sum_2  f32[24,24]
//
//   ConjugateGradientInstance* instance;
//   if (conjugate_gradient_create(&instance) != kConjugateGradientOk) {
//     puts(conjugate_gradient_last_error());
//   }
//   conjugate_gradient_run(instance, &in, &out, stream);  // as often as needed
//   conjugate_gradient_destroy(instance);
//
// An instance belongs to the device that is current when it is created: conjugate_gradient_run refuses to run
// while another one is, conjugate_gradient_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CONJUGATE_GRADIENT_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum ConjugateGradientStatus {
  kConjugateGradientOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kConjugateGradientInvalidArgument = 1,
  // conjugate_gradient_create found too little memory.
  kConjugateGradientOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kConjugateGradientCudaError = 3,
} ConjugateGradientStatus;

enum {
  kConjugateGradientInputCount = 1,
  kConjugateGradientOutputCount = 2,
  // 1 if conjugate_gradient_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kConjugateGradientRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kConjugateGradientInB[] = {24, 24};
static const int64_t kConjugateGradientOutSum2[] = {24, 24};

// One input or output.
typedef struct ConjugateGradientTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} ConjugateGradientTensor;

// In the order of the structs below; the row after the last has no name.
extern const ConjugateGradientTensor kConjugateGradientInputTable[];
extern const ConjugateGradientTensor kConjugateGradientOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct ConjugateGradientInputs {
  const float* b;  // f32[24,24]
} ConjugateGradientInputs;

typedef struct ConjugateGradientOutputs {
  int* sum;      // s32[]
  float* sum_2;  // f32[24,24]
} ConjugateGradientOutputs;

typedef struct ConjugateGradientInstance ConjugateGradientInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
ConjugateGradientStatus conjugate_gradient_create(ConjugateGradientInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
ConjugateGradientStatus conjugate_gradient_run(ConjugateGradientInstance* instance,
                                               const ConjugateGradientInputs* in,
                                               const ConjugateGradientOutputs* out,
                                               struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void conjugate_gradient_destroy(ConjugateGradientInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* conjugate_gradient_last_error(void);

#ifdef CONJUGATE_GRADIENT_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
