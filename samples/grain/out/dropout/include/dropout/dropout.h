// dropout.h: the C interface of dropout, for C and C++; needs no CUDA header.
//
//   in   x     f32[64,96]
//   in   seed  u32[2]
//   out  y     f32[64,96]
//
//   DropoutInstance* instance;
//   if (dropout_create(&instance) != kDropoutOk) {
//     puts(dropout_last_error());
//   }
//   dropout_run(instance, &in, &out, stream);  // as often as needed
//   dropout_destroy(instance);
//
// An instance belongs to one device: dropout_run refuses to run while another one is current,
// dropout_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in dropout_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define DROPOUT_INTERFACE 0xc9e48d110f9358ffULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef DROPOUT_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum DropoutStatus {
  kDropoutOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kDropoutInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kDropoutOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kDropoutCudaError = 3,
  // The caller was compiled with a header of another interface.
  kDropoutOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kDropoutOtherDevice = 5,
  // There is no graph of a run: kDropoutCanCapture is 0.
  kDropoutCannotCapture = 7,
} DropoutStatus;

enum {
  kDropoutInputCount = 2,
  kDropoutOutputCount = 1,
  // 1 if dropout_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kDropoutRunSynchronises = 0,
  // 1 if dropout_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kDropoutCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kDropoutInX[] = {64, 96};
static const int64_t kDropoutInSeed[] = {2};
static const int64_t kDropoutOutY[] = {64, 96};

// One input or output.
typedef struct DropoutTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} DropoutTensor;

// In the order of the structs below; the row after the last has no name.
extern const DropoutTensor kDropoutInputTable[];
extern const DropoutTensor kDropoutOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct DropoutInputs {
  const float* x;        // f32[64,96]
  const uint32_t* seed;  // u32[2]
} DropoutInputs;

typedef struct DropoutOutputs {
  float* y;  // f32[64,96]
} DropoutOutputs;

typedef struct DropoutInstance DropoutInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct DropoutOptions {
  uint32_t size;            // sizeof(DropoutOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // DROPOUT_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // dropout_workspace_bytes(). NULL: dropout_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by dropout_destroy, or by dropout_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} DropoutOptions;

#define DROPOUT_OPTIONS \
  {sizeof(DropoutOptions), -1, DROPOUT_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: DROPOUT_OPTIONS, as the library has them.
DropoutStatus dropout_create_with(DropoutInstance** instance, const DropoutOptions* options);

// The same with DROPOUT_OPTIONS. Compiled into the caller, whose interface is compared.
static inline DropoutStatus dropout_create(DropoutInstance** instance) {
  const DropoutOptions options = DROPOUT_OPTIONS;
  return dropout_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t dropout_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
DropoutStatus dropout_run(DropoutInstance* instance, const DropoutInputs* in,
                          const DropoutOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct DropoutGraph DropoutGraph;
DropoutStatus dropout_capture(DropoutGraph** graph, DropoutInstance* instance,
                              const DropoutInputs* in, const DropoutOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
DropoutStatus dropout_graph_launch(const DropoutGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
DropoutStatus dropout_graph_update(DropoutGraph* graph, const DropoutInputs* in,
                                   const DropoutOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* dropout_graph_exec(const DropoutGraph* graph);

// Its launches must be finished. NULL is allowed.
void dropout_graph_destroy(DropoutGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void dropout_destroy(DropoutInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* dropout_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* dropout_status_text(DropoutStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct DropoutInfo {
  uint32_t size;              // sizeof(DropoutInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // DROPOUT_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as dropout_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kDropoutCanCapture
} DropoutInfo;

const DropoutInfo* dropout_info(void);

#ifdef DROPOUT_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
