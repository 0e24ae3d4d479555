// classifier.h: the C interface of classifier, for C and C++; needs no CUDA header.
//
//   in   x     f32[32,16]
//   out  p     f32[32,4]
//   out  best  s32[32]
//
//   ClassifierInstance* instance;
//   if (classifier_create(&instance) != kClassifierOk) {
//     puts(classifier_last_error());
//   }
//   classifier_run(instance, &in, &out, stream);  // as often as needed
//   classifier_destroy(instance);
//
// An instance belongs to the device that is current when it is created: classifier_run refuses to run
// while another one is, classifier_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CLASSIFIER_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum ClassifierStatus {
  kClassifierOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kClassifierInvalidArgument = 1,
  // classifier_create found too little memory.
  kClassifierOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kClassifierCudaError = 3,
} ClassifierStatus;

enum {
  kClassifierInputCount = 1,
  kClassifierOutputCount = 2,
  // 1 if classifier_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kClassifierRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kClassifierInX[] = {32, 16};
static const int64_t kClassifierOutP[] = {32, 4};
static const int64_t kClassifierOutBest[] = {32};

// One input or output.
typedef struct ClassifierTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} ClassifierTensor;

// In the order of the structs below; the row after the last has no name.
extern const ClassifierTensor kClassifierInputTable[];
extern const ClassifierTensor kClassifierOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct ClassifierInputs {
  const float* x;  // f32[32,16]
} ClassifierInputs;

typedef struct ClassifierOutputs {
  float* p;   // f32[32,4]
  int* best;  // s32[32]
} ClassifierOutputs;

typedef struct ClassifierInstance ClassifierInstance;

// Allocates what runs need and copies the constants to the device.
// *instance is NULL if this fails.
ClassifierStatus classifier_create(ClassifierInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
ClassifierStatus classifier_run(ClassifierInstance* instance, const ClassifierInputs* in,
                                const ClassifierOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void classifier_destroy(ClassifierInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* classifier_last_error(void);

#ifdef CLASSIFIER_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
