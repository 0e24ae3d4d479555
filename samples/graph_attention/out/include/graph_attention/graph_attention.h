// graph_attention.h: the C interface of graph_attention, for C and C++; needs no CUDA header.
//
//   in   features   f32[60,16]
//   in   senders    s32[500]
//   in   receivers  s32[500]
//   in   weights    f32[2,16,16]
//   in   scores     f32[2,2,16]
//   out  features   f32[60,16]
//   out  degrees    s32[60]
//
//   GraphAttentionInstance* instance;
//   if (graph_attention_create(&instance) != kGraphAttentionOk) {
//     puts(graph_attention_last_error());
//   }
//   graph_attention_run(instance, &in, &out, stream);  // as often as needed
//   graph_attention_destroy(instance);
//
// An instance belongs to one device: graph_attention_run refuses to run while another one is current,
// graph_attention_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in graph_attention_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define GRAPH_ATTENTION_INTERFACE 0x3d1bb267931be1c1ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef GRAPH_ATTENTION_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum GraphAttentionStatus {
  kGraphAttentionOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kGraphAttentionInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kGraphAttentionOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kGraphAttentionCudaError = 3,
  // The caller was compiled with a header of another interface.
  kGraphAttentionOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kGraphAttentionOtherDevice = 5,
  // There is no graph of a run: kGraphAttentionCanCapture is 0.
  kGraphAttentionCannotCapture = 7,
} GraphAttentionStatus;

enum {
  kGraphAttentionInputCount = 5,
  kGraphAttentionOutputCount = 2,
  // 1 if graph_attention_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kGraphAttentionRunSynchronises = 0,
  // 1 if graph_attention_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kGraphAttentionCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kGraphAttentionInFeatures[] = {60, 16};
static const int64_t kGraphAttentionInSenders[] = {500};
static const int64_t kGraphAttentionInReceivers[] = {500};
static const int64_t kGraphAttentionInWeights[] = {2, 16, 16};
static const int64_t kGraphAttentionInScores[] = {2, 2, 16};
static const int64_t kGraphAttentionOutFeatures[] = {60, 16};
static const int64_t kGraphAttentionOutDegrees[] = {60};

// One input or output.
typedef struct GraphAttentionTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} GraphAttentionTensor;

// In the order of the structs below; the row after the last has no name.
extern const GraphAttentionTensor kGraphAttentionInputTable[];
extern const GraphAttentionTensor kGraphAttentionOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct GraphAttentionInputs {
  const float* features;  // f32[60,16]
  const int* senders;     // s32[500]
  const int* receivers;   // s32[500]
  const float* weights;   // f32[2,16,16]
  const float* scores;    // f32[2,2,16]
} GraphAttentionInputs;

typedef struct GraphAttentionOutputs {
  float* features;  // f32[60,16]
  int* degrees;     // s32[60]
} GraphAttentionOutputs;

typedef struct GraphAttentionInstance GraphAttentionInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct GraphAttentionOptions {
  uint32_t size;            // sizeof(GraphAttentionOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // GRAPH_ATTENTION_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // graph_attention_workspace_bytes(). NULL: graph_attention_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by graph_attention_destroy, or by graph_attention_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} GraphAttentionOptions;

#define GRAPH_ATTENTION_OPTIONS \
  {sizeof(GraphAttentionOptions), -1, GRAPH_ATTENTION_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: GRAPH_ATTENTION_OPTIONS, as the library has them.
GraphAttentionStatus graph_attention_create_with(GraphAttentionInstance** instance,
                                                 const GraphAttentionOptions* options);

// The same with GRAPH_ATTENTION_OPTIONS. Compiled into the caller, whose interface is compared.
static inline GraphAttentionStatus graph_attention_create(GraphAttentionInstance** instance) {
  const GraphAttentionOptions options = GRAPH_ATTENTION_OPTIONS;
  return graph_attention_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t graph_attention_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
GraphAttentionStatus graph_attention_run(GraphAttentionInstance* instance,
                                         const GraphAttentionInputs* in,
                                         const GraphAttentionOutputs* out,
                                         struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct GraphAttentionGraph GraphAttentionGraph;
GraphAttentionStatus graph_attention_capture(GraphAttentionGraph** graph,
                                             GraphAttentionInstance* instance,
                                             const GraphAttentionInputs* in,
                                             const GraphAttentionOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
GraphAttentionStatus graph_attention_graph_launch(const GraphAttentionGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
GraphAttentionStatus graph_attention_graph_update(GraphAttentionGraph* graph,
                                                  const GraphAttentionInputs* in,
                                                  const GraphAttentionOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* graph_attention_graph_exec(const GraphAttentionGraph* graph);

// Its launches must be finished. NULL is allowed.
void graph_attention_graph_destroy(GraphAttentionGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void graph_attention_destroy(GraphAttentionInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* graph_attention_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* graph_attention_status_text(GraphAttentionStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct GraphAttentionInfo {
  uint32_t size;              // sizeof(GraphAttentionInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // GRAPH_ATTENTION_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as graph_attention_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kGraphAttentionCanCapture
} GraphAttentionInfo;

const GraphAttentionInfo* graph_attention_info(void);

#ifdef GRAPH_ATTENTION_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
