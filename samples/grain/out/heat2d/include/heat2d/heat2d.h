// heat2d.h: the C interface of heat2d, for C and C++; needs no CUDA header.
//
//   in   start  f32[32,32]
//   out  start  f32[32,32]
//
//   Heat2dInstance* instance;
//   if (heat2d_create(&instance) != kHeat2dOk) {
//     puts(heat2d_last_error());
//   }
//   heat2d_run(instance, &in, &out, stream);  // as often as needed
//   heat2d_destroy(instance);
//
// An instance belongs to the device that is current when it is created: heat2d_run refuses to run
// while another one is, heat2d_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef HEAT2D_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum Heat2dStatus {
  kHeat2dOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kHeat2dInvalidArgument = 1,
  // heat2d_create found too little memory.
  kHeat2dOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kHeat2dCudaError = 3,
} Heat2dStatus;

enum {
  kHeat2dInputCount = 1,
  kHeat2dOutputCount = 1,
  // 1 if heat2d_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kHeat2dRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kHeat2dInStart[] = {32, 32};
static const int64_t kHeat2dOutStart[] = {32, 32};

// One input or output.
typedef struct Heat2dTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} Heat2dTensor;

// In the order of the structs below; the row after the last has no name.
extern const Heat2dTensor kHeat2dInputTable[];
extern const Heat2dTensor kHeat2dOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct Heat2dInputs {
  const float* start;  // f32[32,32]
} Heat2dInputs;

typedef struct Heat2dOutputs {
  float* start;  // f32[32,32]
} Heat2dOutputs;

typedef struct Heat2dInstance Heat2dInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
Heat2dStatus heat2d_create(Heat2dInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
Heat2dStatus heat2d_run(Heat2dInstance* instance, const Heat2dInputs* in, const Heat2dOutputs* out,
                        struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void heat2d_destroy(Heat2dInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* heat2d_last_error(void);

#ifdef HEAT2D_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
