// quantised_dense.h: the C interface of quantised_dense, for C and C++; needs no CUDA header.
//
//   in   x        f32[32,64]
//   in   w        s8[64,48]
//   in   w_scale  f32[48]
//   out  y        f32[32,48]
//
//   QuantisedDenseInstance* instance;
//   if (quantised_dense_create(&instance) != kQuantisedDenseOk) {
//     puts(quantised_dense_last_error());
//   }
//   quantised_dense_run(instance, &in, &out, stream);  // as often as needed
//   quantised_dense_destroy(instance);
//
// An instance belongs to the device that is current when it is created: quantised_dense_run refuses to run
// while another one is, quantised_dense_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef QUANTISED_DENSE_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum QuantisedDenseStatus {
  kQuantisedDenseOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kQuantisedDenseInvalidArgument = 1,
  // quantised_dense_create found too little memory.
  kQuantisedDenseOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kQuantisedDenseCudaError = 3,
} QuantisedDenseStatus;

enum {
  kQuantisedDenseInputCount = 3,
  kQuantisedDenseOutputCount = 1,
  // 1 if quantised_dense_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kQuantisedDenseRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kQuantisedDenseInX[] = {32, 64};
static const int64_t kQuantisedDenseInW[] = {64, 48};
static const int64_t kQuantisedDenseInWScale[] = {48};
static const int64_t kQuantisedDenseOutY[] = {32, 48};

// One input or output.
typedef struct QuantisedDenseTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} QuantisedDenseTensor;

// In the order of the structs below; the row after the last has no name.
extern const QuantisedDenseTensor kQuantisedDenseInputTable[];
extern const QuantisedDenseTensor kQuantisedDenseOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct QuantisedDenseInputs {
  const float* x;        // f32[32,64]
  const int8_t* w;       // s8[64,48]
  const float* w_scale;  // f32[48]
} QuantisedDenseInputs;

typedef struct QuantisedDenseOutputs {
  float* y;  // f32[32,48]
} QuantisedDenseOutputs;

typedef struct QuantisedDenseInstance QuantisedDenseInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
QuantisedDenseStatus quantised_dense_create(QuantisedDenseInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
QuantisedDenseStatus quantised_dense_run(QuantisedDenseInstance* instance,
                                         const QuantisedDenseInputs* in,
                                         const QuantisedDenseOutputs* out,
                                         struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void quantised_dense_destroy(QuantisedDenseInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* quantised_dense_last_error(void);

#ifdef QUANTISED_DENSE_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
