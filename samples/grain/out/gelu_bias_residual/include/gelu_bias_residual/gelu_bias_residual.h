// gelu_bias_residual.h: the C interface of gelu_bias_residual, for C and C++; needs no CUDA header.
//
//   in   x         f32[64,96]
//   in   bias      f32[96]
//   in   residual  f32[64,96]
//   out  y         f32[64,96]
//
//   GeluBiasResidualInstance* instance;
//   if (gelu_bias_residual_create(&instance) != kGeluBiasResidualOk) {
//     puts(gelu_bias_residual_last_error());
//   }
//   gelu_bias_residual_run(instance, &in, &out, stream);  // as often as needed
//   gelu_bias_residual_destroy(instance);
//
// An instance belongs to the device that is current when it is created: gelu_bias_residual_run refuses to run
// while another one is, gelu_bias_residual_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef GELU_BIAS_RESIDUAL_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum GeluBiasResidualStatus {
  kGeluBiasResidualOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kGeluBiasResidualInvalidArgument = 1,
  // gelu_bias_residual_create found too little memory.
  kGeluBiasResidualOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kGeluBiasResidualCudaError = 3,
} GeluBiasResidualStatus;

enum {
  kGeluBiasResidualInputCount = 3,
  kGeluBiasResidualOutputCount = 1,
  // 1 if gelu_bias_residual_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kGeluBiasResidualRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kGeluBiasResidualInX[] = {64, 96};
static const int64_t kGeluBiasResidualInBias[] = {96};
static const int64_t kGeluBiasResidualInResidual[] = {64, 96};
static const int64_t kGeluBiasResidualOutY[] = {64, 96};

// One input or output.
typedef struct GeluBiasResidualTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} GeluBiasResidualTensor;

// In the order of the structs below; the row after the last has no name.
extern const GeluBiasResidualTensor kGeluBiasResidualInputTable[];
extern const GeluBiasResidualTensor kGeluBiasResidualOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct GeluBiasResidualInputs {
  const float* x;         // f32[64,96]
  const float* bias;      // f32[96]
  const float* residual;  // f32[64,96]
} GeluBiasResidualInputs;

typedef struct GeluBiasResidualOutputs {
  float* y;  // f32[64,96]
} GeluBiasResidualOutputs;

typedef struct GeluBiasResidualInstance GeluBiasResidualInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
GeluBiasResidualStatus gelu_bias_residual_create(GeluBiasResidualInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
GeluBiasResidualStatus gelu_bias_residual_run(GeluBiasResidualInstance* instance,
                                              const GeluBiasResidualInputs* in,
                                              const GeluBiasResidualOutputs* out,
                                              struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void gelu_bias_residual_destroy(GeluBiasResidualInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* gelu_bias_residual_last_error(void);

#ifdef GELU_BIAS_RESIDUAL_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
