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
// An instance belongs to one device: cumsum_recurrence_run refuses to run while another one is current,
// cumsum_recurrence_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in cumsum_recurrence_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define CUMSUM_RECURRENCE_INTERFACE 0x05b5763a4538bbe1ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CUMSUM_RECURRENCE_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum CumsumRecurrenceStatus {
  kCumsumRecurrenceOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kCumsumRecurrenceInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kCumsumRecurrenceOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kCumsumRecurrenceCudaError = 3,
  // The caller was compiled with a header of another interface.
  kCumsumRecurrenceOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kCumsumRecurrenceOtherDevice = 5,
  // There is no graph of a run: kCumsumRecurrenceCanCapture is 0.
  kCumsumRecurrenceCannotCapture = 7,
} CumsumRecurrenceStatus;

enum {
  kCumsumRecurrenceInputCount = 2,
  kCumsumRecurrenceOutputCount = 1,
  // 1 if cumsum_recurrence_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kCumsumRecurrenceRunSynchronises = 0,
  // 1 if cumsum_recurrence_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kCumsumRecurrenceCanCapture = 1,
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

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct CumsumRecurrenceOptions {
  uint32_t size;            // sizeof(CumsumRecurrenceOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // CUMSUM_RECURRENCE_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // cumsum_recurrence_workspace_bytes(). NULL: cumsum_recurrence_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by cumsum_recurrence_destroy, or by cumsum_recurrence_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} CumsumRecurrenceOptions;

#define CUMSUM_RECURRENCE_OPTIONS \
  {sizeof(CumsumRecurrenceOptions), -1, CUMSUM_RECURRENCE_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: CUMSUM_RECURRENCE_OPTIONS, as the library has them.
CumsumRecurrenceStatus cumsum_recurrence_create_with(CumsumRecurrenceInstance** instance,
                                                     const CumsumRecurrenceOptions* options);

// The same with CUMSUM_RECURRENCE_OPTIONS. Compiled into the caller, whose interface is compared.
static inline CumsumRecurrenceStatus cumsum_recurrence_create(CumsumRecurrenceInstance** instance) {
  const CumsumRecurrenceOptions options = CUMSUM_RECURRENCE_OPTIONS;
  return cumsum_recurrence_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t cumsum_recurrence_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
CumsumRecurrenceStatus cumsum_recurrence_run(CumsumRecurrenceInstance* instance,
                                             const CumsumRecurrenceInputs* in,
                                             const CumsumRecurrenceOutputs* out,
                                             struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct CumsumRecurrenceGraph CumsumRecurrenceGraph;
CumsumRecurrenceStatus cumsum_recurrence_capture(CumsumRecurrenceGraph** graph,
                                                 CumsumRecurrenceInstance* instance,
                                                 const CumsumRecurrenceInputs* in,
                                                 const CumsumRecurrenceOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
CumsumRecurrenceStatus cumsum_recurrence_graph_launch(const CumsumRecurrenceGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
CumsumRecurrenceStatus cumsum_recurrence_graph_update(CumsumRecurrenceGraph* graph,
                                                      const CumsumRecurrenceInputs* in,
                                                      const CumsumRecurrenceOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* cumsum_recurrence_graph_exec(const CumsumRecurrenceGraph* graph);

// Its launches must be finished. NULL is allowed.
void cumsum_recurrence_graph_destroy(CumsumRecurrenceGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void cumsum_recurrence_destroy(CumsumRecurrenceInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* cumsum_recurrence_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* cumsum_recurrence_status_text(CumsumRecurrenceStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct CumsumRecurrenceInfo {
  uint32_t size;              // sizeof(CumsumRecurrenceInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // CUMSUM_RECURRENCE_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as cumsum_recurrence_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kCumsumRecurrenceCanCapture
} CumsumRecurrenceInfo;

const CumsumRecurrenceInfo* cumsum_recurrence_info(void);

#ifdef CUMSUM_RECURRENCE_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
