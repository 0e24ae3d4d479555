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
// An instance belongs to one device: recurrence_run refuses to run while another one is current,
// recurrence_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in recurrence_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define RECURRENCE_INTERFACE 0xc3283f066dc2d063ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef RECURRENCE_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum RecurrenceStatus {
  kRecurrenceOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kRecurrenceInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kRecurrenceOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kRecurrenceCudaError = 3,
  // The caller was compiled with a header of another interface.
  kRecurrenceOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kRecurrenceOtherDevice = 5,
  // There is no graph of a run: kRecurrenceCanCapture is 0.
  kRecurrenceCannotCapture = 7,
} RecurrenceStatus;

enum {
  kRecurrenceInputCount = 2,
  kRecurrenceOutputCount = 1,
  // 1 if recurrence_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kRecurrenceRunSynchronises = 0,
  // 1 if recurrence_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kRecurrenceCanCapture = 1,
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

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct RecurrenceOptions {
  uint32_t size;            // sizeof(RecurrenceOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // RECURRENCE_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // recurrence_workspace_bytes(). NULL: recurrence_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by recurrence_destroy, or by recurrence_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} RecurrenceOptions;

#define RECURRENCE_OPTIONS \
  {sizeof(RecurrenceOptions), -1, RECURRENCE_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: RECURRENCE_OPTIONS, as the library has them.
RecurrenceStatus recurrence_create_with(RecurrenceInstance** instance,
                                        const RecurrenceOptions* options);

// The same with RECURRENCE_OPTIONS. Compiled into the caller, whose interface is compared.
static inline RecurrenceStatus recurrence_create(RecurrenceInstance** instance) {
  const RecurrenceOptions options = RECURRENCE_OPTIONS;
  return recurrence_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t recurrence_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
RecurrenceStatus recurrence_run(RecurrenceInstance* instance, const RecurrenceInputs* in,
                                const RecurrenceOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct RecurrenceGraph RecurrenceGraph;
RecurrenceStatus recurrence_capture(RecurrenceGraph** graph, RecurrenceInstance* instance,
                                    const RecurrenceInputs* in, const RecurrenceOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
RecurrenceStatus recurrence_graph_launch(const RecurrenceGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
RecurrenceStatus recurrence_graph_update(RecurrenceGraph* graph, const RecurrenceInputs* in,
                                         const RecurrenceOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* recurrence_graph_exec(const RecurrenceGraph* graph);

// Its launches must be finished. NULL is allowed.
void recurrence_graph_destroy(RecurrenceGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void recurrence_destroy(RecurrenceInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* recurrence_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* recurrence_status_text(RecurrenceStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct RecurrenceInfo {
  uint32_t size;              // sizeof(RecurrenceInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // RECURRENCE_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as recurrence_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kRecurrenceCanCapture
} RecurrenceInfo;

const RecurrenceInfo* recurrence_info(void);

#ifdef RECURRENCE_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
