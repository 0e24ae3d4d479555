// cumsum_recurrence.h: the C interface of cumsum_recurrence, for C and C++; needs no CUDA header.
//
//   in   a  f32[8,300]
//   in   b  f32[8,300]
//   out  h  f32[8,300]
//
//   CumsumRecurrenceInstance* instance;
//   if (cumsum_recurrence_create(&instance) != kCumsumRecurrenceOk) {
//     puts(cumsum_recurrence_last_error());
//   }
//   cumsum_recurrence_run(instance, &in, &out, stream);  // as often as needed
//   cumsum_recurrence_destroy(instance);
//
// An instance belongs to the device that is current when it is created: cumsum_recurrence_run refuses to run
// while another one is, cumsum_recurrence_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CUMSUM_RECURRENCE_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum CumsumRecurrenceStatus {
  kCumsumRecurrenceOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kCumsumRecurrenceInvalidArgument = 1,
  // cumsum_recurrence_create found too little memory.
  kCumsumRecurrenceOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kCumsumRecurrenceCudaError = 3,
} CumsumRecurrenceStatus;

enum {
  kCumsumRecurrenceInputCount = 2,
  kCumsumRecurrenceOutputCount = 1,
  // 1 if cumsum_recurrence_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kCumsumRecurrenceRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kCumsumRecurrenceInA[] = {8, 300};
static const int64_t kCumsumRecurrenceInB[] = {8, 300};
static const int64_t kCumsumRecurrenceOutH[] = {8, 300};

// One input or output.
typedef struct CumsumRecurrenceTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} CumsumRecurrenceTensor;

// In the order of the structs below; the row after the last has no name.
extern const CumsumRecurrenceTensor kCumsumRecurrenceInputTable[];
extern const CumsumRecurrenceTensor kCumsumRecurrenceOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct CumsumRecurrenceInputs {
  const float* a;  // f32[8,300]
  const float* b;  // f32[8,300]
} CumsumRecurrenceInputs;

typedef struct CumsumRecurrenceOutputs {
  float* h;  // f32[8,300]
} CumsumRecurrenceOutputs;

typedef struct CumsumRecurrenceInstance CumsumRecurrenceInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
CumsumRecurrenceStatus cumsum_recurrence_create(CumsumRecurrenceInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
CumsumRecurrenceStatus cumsum_recurrence_run(CumsumRecurrenceInstance* instance,
                                             const CumsumRecurrenceInputs* in,
                                             const CumsumRecurrenceOutputs* out,
                                             struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void cumsum_recurrence_destroy(CumsumRecurrenceInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* cumsum_recurrence_last_error(void);

#ifdef CUMSUM_RECURRENCE_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
