// recurrence.h: the C interface of recurrence, for C and C++; needs no CUDA header.
//
//   in   decay  f32[8,512,4]
//   in   value  f32[8,512,4]
//   out  sum    f32[8,512,4]
//
//   RecurrenceInstance* instance;
//   if (recurrence_create(&instance) != kRecurrenceOk) {
//     puts(recurrence_last_error());
//   }
//   recurrence_run(instance, &in, &out, stream);  // as often as needed
//   recurrence_destroy(instance);
//
// An instance belongs to the device that is current when it is created: recurrence_run refuses to run
// while another one is, recurrence_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef RECURRENCE_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum RecurrenceStatus {
  kRecurrenceOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kRecurrenceInvalidArgument = 1,
  // recurrence_create found too little memory.
  kRecurrenceOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kRecurrenceCudaError = 3,
} RecurrenceStatus;

enum {
  kRecurrenceInputCount = 2,
  kRecurrenceOutputCount = 1,
  // 1 if recurrence_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kRecurrenceRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kRecurrenceInDecay[] = {8, 512, 4};
static const int64_t kRecurrenceInValue[] = {8, 512, 4};
static const int64_t kRecurrenceOutSum[] = {8, 512, 4};

// One input or output.
typedef struct RecurrenceTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} RecurrenceTensor;

// In the order of the structs below; the row after the last has no name.
extern const RecurrenceTensor kRecurrenceInputTable[];
extern const RecurrenceTensor kRecurrenceOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct RecurrenceInputs {
  const float* decay;  // f32[8,512,4]
  const float* value;  // f32[8,512,4]
} RecurrenceInputs;

typedef struct RecurrenceOutputs {
  float* sum;  // f32[8,512,4]
} RecurrenceOutputs;

typedef struct RecurrenceInstance RecurrenceInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
RecurrenceStatus recurrence_create(RecurrenceInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
RecurrenceStatus recurrence_run(RecurrenceInstance* instance, const RecurrenceInputs* in,
                                const RecurrenceOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void recurrence_destroy(RecurrenceInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* recurrence_last_error(void);

#ifdef RECURRENCE_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
