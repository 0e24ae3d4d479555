// softmax.h: the C interface of softmax, for C and C++; needs no CUDA header.
//
//   in   x      f32[64,97]
//   out  probs  f32[64,97]
//
//   SoftmaxInstance* instance;
//   if (softmax_create(&instance) != kSoftmaxOk) {
//     puts(softmax_last_error());
//   }
//   softmax_run(instance, &in, &out, stream);  // as often as needed
//   softmax_destroy(instance);
//
// An instance belongs to the device that is current when it is created: softmax_run refuses to run
// while another one is, softmax_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef SOFTMAX_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum SoftmaxStatus {
  kSoftmaxOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kSoftmaxInvalidArgument = 1,
  // softmax_create found too little memory.
  kSoftmaxOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kSoftmaxCudaError = 3,
} SoftmaxStatus;

enum {
  kSoftmaxInputCount = 1,
  kSoftmaxOutputCount = 1,
  // 1 if softmax_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kSoftmaxRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kSoftmaxInX[] = {64, 97};
static const int64_t kSoftmaxOutProbs[] = {64, 97};

// One input or output.
typedef struct SoftmaxTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} SoftmaxTensor;

// In the order of the structs below; the row after the last has no name.
extern const SoftmaxTensor kSoftmaxInputTable[];
extern const SoftmaxTensor kSoftmaxOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct SoftmaxInputs {
  const float* x;  // f32[64,97]
} SoftmaxInputs;

typedef struct SoftmaxOutputs {
  float* probs;  // f32[64,97]
} SoftmaxOutputs;

typedef struct SoftmaxInstance SoftmaxInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
SoftmaxStatus softmax_create(SoftmaxInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
SoftmaxStatus softmax_run(SoftmaxInstance* instance, const SoftmaxInputs* in,
                          const SoftmaxOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void softmax_destroy(SoftmaxInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* softmax_last_error(void);

#ifdef SOFTMAX_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
