// logsumexp.h: the C interface of logsumexp, for C and C++; needs no CUDA header.
//
//   in   x  f32[64,97]
//   out  y  f32[64]
//
//   LogsumexpInstance* instance;
//   if (logsumexp_create(&instance) != kLogsumexpOk) {
//     puts(logsumexp_last_error());
//   }
//   logsumexp_run(instance, &in, &out, stream);  // as often as needed
//   logsumexp_destroy(instance);
//
// An instance belongs to the device that is current when it is created: logsumexp_run refuses to run
// while another one is, logsumexp_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef LOGSUMEXP_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum LogsumexpStatus {
  kLogsumexpOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kLogsumexpInvalidArgument = 1,
  // logsumexp_create found too little memory.
  kLogsumexpOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kLogsumexpCudaError = 3,
} LogsumexpStatus;

enum {
  kLogsumexpInputCount = 1,
  kLogsumexpOutputCount = 1,
  // 1 if logsumexp_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kLogsumexpRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kLogsumexpInX[] = {64, 97};
static const int64_t kLogsumexpOutY[] = {64};

// One input or output.
typedef struct LogsumexpTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} LogsumexpTensor;

// In the order of the structs below; the row after the last has no name.
extern const LogsumexpTensor kLogsumexpInputTable[];
extern const LogsumexpTensor kLogsumexpOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct LogsumexpInputs {
  const float* x;  // f32[64,97]
} LogsumexpInputs;

typedef struct LogsumexpOutputs {
  float* y;  // f32[64]
} LogsumexpOutputs;

typedef struct LogsumexpInstance LogsumexpInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
LogsumexpStatus logsumexp_create(LogsumexpInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
LogsumexpStatus logsumexp_run(LogsumexpInstance* instance, const LogsumexpInputs* in,
                              const LogsumexpOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void logsumexp_destroy(LogsumexpInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* logsumexp_last_error(void);

#ifdef LOGSUMEXP_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
