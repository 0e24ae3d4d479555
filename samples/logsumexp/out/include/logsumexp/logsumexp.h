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

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

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
  // There is no graph of a run: kLogsumexpCanCapture is 0.
  kLogsumexpCannotCapture = 7,
} LogsumexpStatus;

enum {
  kLogsumexpInputCount = 1,
  kLogsumexpOutputCount = 1,
  // 1 if logsumexp_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kLogsumexpRunSynchronises = 0,
  // 1 if logsumexp_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kLogsumexpCanCapture = 1,
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
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by logsumexp_destroy, or by logsumexp_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} LogsumexpOptions;

#define LOGSUMEXP_OPTIONS \
  {sizeof(LogsumexpOptions), -1, LOGSUMEXP_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

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

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct LogsumexpGraph LogsumexpGraph;
LogsumexpStatus logsumexp_capture(LogsumexpGraph** graph, LogsumexpInstance* instance,
                                  const LogsumexpInputs* in, const LogsumexpOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
LogsumexpStatus logsumexp_graph_launch(const LogsumexpGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
LogsumexpStatus logsumexp_graph_update(LogsumexpGraph* graph, const LogsumexpInputs* in,
                                       const LogsumexpOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* logsumexp_graph_exec(const LogsumexpGraph* graph);

// Its launches must be finished. NULL is allowed.
void logsumexp_graph_destroy(LogsumexpGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void logsumexp_destroy(LogsumexpInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* logsumexp_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* logsumexp_status_text(LogsumexpStatus status);

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
  int32_t can_capture;        // kLogsumexpCanCapture
} LogsumexpInfo;

const LogsumexpInfo* logsumexp_info(void);

#ifdef LOGSUMEXP_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
