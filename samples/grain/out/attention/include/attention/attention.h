// attention.h: the C interface of attention, for C and C++; needs no CUDA header.
//
//   in   q      f32[2,4,16,12]
//   in   k      f32[2,4,16,12]
//   in   v      f32[2,4,16,12]
//   out  mixed  f32[2,4,16,12]
//
//   AttentionInstance* instance;
//   if (attention_create(&instance) != kAttentionOk) {
//     puts(attention_last_error());
//   }
//   attention_run(instance, &in, &out, stream);  // as often as needed
//   attention_destroy(instance);
//
// An instance belongs to one device: attention_run refuses to run while another one is current,
// attention_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in attention_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define ATTENTION_INTERFACE 0x6fad7faaf2cc5278ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef ATTENTION_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum AttentionStatus {
  kAttentionOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kAttentionInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kAttentionOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kAttentionCudaError = 3,
  // The caller was compiled with a header of another interface.
  kAttentionOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kAttentionOtherDevice = 5,
  // There is no graph of a run: kAttentionCanCapture is 0.
  kAttentionCannotCapture = 7,
} AttentionStatus;

enum {
  kAttentionInputCount = 3,
  kAttentionOutputCount = 1,
  // 1 if attention_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kAttentionRunSynchronises = 0,
  // 1 if attention_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kAttentionCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kAttentionInQ[] = {2, 4, 16, 12};
static const int64_t kAttentionInK[] = {2, 4, 16, 12};
static const int64_t kAttentionInV[] = {2, 4, 16, 12};
static const int64_t kAttentionOutMixed[] = {2, 4, 16, 12};

// One input or output.
typedef struct AttentionTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} AttentionTensor;

// In the order of the structs below; the row after the last has no name.
extern const AttentionTensor kAttentionInputTable[];
extern const AttentionTensor kAttentionOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct AttentionInputs {
  const float* q;  // f32[2,4,16,12]
  const float* k;  // f32[2,4,16,12]
  const float* v;  // f32[2,4,16,12]
} AttentionInputs;

typedef struct AttentionOutputs {
  float* mixed;  // f32[2,4,16,12]
} AttentionOutputs;

typedef struct AttentionInstance AttentionInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct AttentionOptions {
  uint32_t size;            // sizeof(AttentionOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // ATTENTION_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // attention_workspace_bytes(). NULL: attention_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by attention_destroy, or by attention_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} AttentionOptions;

#define ATTENTION_OPTIONS \
  {sizeof(AttentionOptions), -1, ATTENTION_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: ATTENTION_OPTIONS, as the library has them.
AttentionStatus attention_create_with(AttentionInstance** instance, const AttentionOptions* options);

// The same with ATTENTION_OPTIONS. Compiled into the caller, whose interface is compared.
static inline AttentionStatus attention_create(AttentionInstance** instance) {
  const AttentionOptions options = ATTENTION_OPTIONS;
  return attention_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t attention_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
AttentionStatus attention_run(AttentionInstance* instance, const AttentionInputs* in,
                              const AttentionOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct AttentionGraph AttentionGraph;
AttentionStatus attention_capture(AttentionGraph** graph, AttentionInstance* instance,
                                  const AttentionInputs* in, const AttentionOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
AttentionStatus attention_graph_launch(const AttentionGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
AttentionStatus attention_graph_update(AttentionGraph* graph, const AttentionInputs* in,
                                       const AttentionOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* attention_graph_exec(const AttentionGraph* graph);

// Its launches must be finished. NULL is allowed.
void attention_graph_destroy(AttentionGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void attention_destroy(AttentionInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* attention_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* attention_status_text(AttentionStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct AttentionInfo {
  uint32_t size;              // sizeof(AttentionInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // ATTENTION_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as attention_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kAttentionCanCapture
} AttentionInfo;

const AttentionInfo* attention_info(void);

#ifdef ATTENTION_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
