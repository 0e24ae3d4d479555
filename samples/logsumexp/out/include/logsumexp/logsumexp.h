// logsumexp.h: the C interface of logsumexp, for C and C++; needs no CUDA header.
//
//   in   x            f32[64,97]
//   out  log_sum_exp  f32[64]
//
//   LogsumexpInstance* instance;
//   if (logsumexp_create(&instance) != kLogsumexpOk) {
//     puts(logsumexp_last_error());
//   }
//   logsumexp_run(instance, &in, &out, stream);  // as often as needed
//   logsumexp_destroy(instance);
//
// An instance belongs to one device: logsumexp_run refuses to run while another one is current,
// logsumexp_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in logsumexp_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define LOGSUMEXP_INTERFACE 0x1d2d3b6f1fb67878ULL

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
  // Too little memory for an instance; the workspace that was given is too small.
  kLogsumexpOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kLogsumexpCudaError = 3,
  // The caller was compiled with a header of another interface.
  kLogsumexpOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kLogsumexpOtherDevice = 5,
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
static const int64_t kLogsumexpOutLogSumExp[] = {64};

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
  float* log_sum_exp;  // f32[64]
} LogsumexpOutputs;

typedef struct LogsumexpInstance LogsumexpInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct LogsumexpOptions {
  uint32_t size;            // sizeof(LogsumexpOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // LOGSUMEXP_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // logsumexp_workspace_bytes(). NULL: logsumexp_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
} LogsumexpOptions;

#define LOGSUMEXP_OPTIONS {sizeof(LogsumexpOptions), -1, LOGSUMEXP_INTERFACE, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: LOGSUMEXP_OPTIONS, as the library has them.
LogsumexpStatus logsumexp_create_with(LogsumexpInstance** instance, const LogsumexpOptions* options);

// The same with LOGSUMEXP_OPTIONS. Compiled into the caller, whose interface is compared.
static inline LogsumexpStatus logsumexp_create(LogsumexpInstance** instance) {
  const LogsumexpOptions options = LOGSUMEXP_OPTIONS;
  return logsumexp_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t logsumexp_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
LogsumexpStatus logsumexp_run(LogsumexpInstance* instance, const LogsumexpInputs* in,
                              const LogsumexpOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void logsumexp_destroy(LogsumexpInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* logsumexp_last_error(void);

// What the library is. Later versions may have more fields, at the end.
typedef struct LogsumexpInfo {
  uint32_t size;              // sizeof(LogsumexpInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // LOGSUMEXP_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as logsumexp_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
} LogsumexpInfo;

const LogsumexpInfo* logsumexp_info(void);

#ifdef LOGSUMEXP_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
