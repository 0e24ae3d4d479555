// dropout.h: the C interface of dropout, for C and C++; needs no CUDA header.
//
//   in   x     f32[64,96]
//   in   seed  u32[2]
//   out  y     f32[64,96]
//
//   DropoutInstance* instance;
//   if (dropout_create(&instance) != kDropoutOk) {
//     puts(dropout_last_error());
//   }
//   dropout_run(instance, &in, &out, stream);  // as often as needed
//   dropout_destroy(instance);
//
// An instance belongs to the device that is current when it is created: dropout_run refuses to run
// while another one is, dropout_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef DROPOUT_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum DropoutStatus {
  kDropoutOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kDropoutInvalidArgument = 1,
  // dropout_create found too little memory.
  kDropoutOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kDropoutCudaError = 3,
} DropoutStatus;

enum {
  kDropoutInputCount = 2,
  kDropoutOutputCount = 1,
  // 1 if dropout_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kDropoutRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kDropoutInX[] = {64, 96};
static const int64_t kDropoutInSeed[] = {2};
static const int64_t kDropoutOutY[] = {64, 96};

// One input or output.
typedef struct DropoutTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} DropoutTensor;

// In the order of the structs below; the row after the last has no name.
extern const DropoutTensor kDropoutInputTable[];
extern const DropoutTensor kDropoutOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct DropoutInputs {
  const float* x;        // f32[64,96]
  const uint32_t* seed;  // u32[2]
} DropoutInputs;

typedef struct DropoutOutputs {
  float* y;  // f32[64,96]
} DropoutOutputs;

typedef struct DropoutInstance DropoutInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
DropoutStatus dropout_create(DropoutInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
DropoutStatus dropout_run(DropoutInstance* instance, const DropoutInputs* in,
                          const DropoutOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void dropout_destroy(DropoutInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* dropout_last_error(void);

#ifdef DROPOUT_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
