// layernorm.h: the C interface of layernorm, for C and C++; needs no CUDA header.
//
//   in   x      f32[64,96]
//   in   scale  f32[96]
//   in   bias   f32[96]
//   out  y      f32[64,96]
//
//   LayernormInstance* instance;
//   if (layernorm_create(&instance) != kLayernormOk) {
//     puts(layernorm_last_error());
//   }
//   layernorm_run(instance, &in, &out, stream);  // as often as needed
//   layernorm_destroy(instance);
//
// An instance belongs to the device that is current when it is created: layernorm_run refuses to run
// while another one is, layernorm_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef LAYERNORM_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum LayernormStatus {
  kLayernormOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kLayernormInvalidArgument = 1,
  // layernorm_create found too little memory.
  kLayernormOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kLayernormCudaError = 3,
} LayernormStatus;

enum {
  kLayernormInputCount = 3,
  kLayernormOutputCount = 1,
  // 1 if layernorm_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kLayernormRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kLayernormInX[] = {64, 96};
static const int64_t kLayernormInScale[] = {96};
static const int64_t kLayernormInBias[] = {96};
static const int64_t kLayernormOutY[] = {64, 96};

// One input or output.
typedef struct LayernormTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} LayernormTensor;

// In the order of the structs below; the row after the last has no name.
extern const LayernormTensor kLayernormInputTable[];
extern const LayernormTensor kLayernormOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct LayernormInputs {
  const float* x;      // f32[64,96]
  const float* scale;  // f32[96]
  const float* bias;   // f32[96]
} LayernormInputs;

typedef struct LayernormOutputs {
  float* y;  // f32[64,96]
} LayernormOutputs;

typedef struct LayernormInstance LayernormInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
LayernormStatus layernorm_create(LayernormInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
LayernormStatus layernorm_run(LayernormInstance* instance, const LayernormInputs* in,
                              const LayernormOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void layernorm_destroy(LayernormInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* layernorm_last_error(void);

#ifdef LAYERNORM_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
