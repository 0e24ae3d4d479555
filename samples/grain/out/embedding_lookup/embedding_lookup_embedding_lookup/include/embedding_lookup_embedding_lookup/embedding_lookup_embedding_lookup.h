// embedding_lookup_embedding_lookup.h: the C interface of embedding_lookup_embedding_lookup, for C and C++; needs no CUDA header.
//
//   in   table      f32[200,32]
//   in   positions  f32[48,32]
//   in   segments   f32[2,32]
//   in   tokens     s32[4,24]
//   in   segment    s32[4,24]
//   out  x          f32[4,24,32]
//   out  bag        f32[4,32]
//
//   EmbeddingLookupEmbeddingLookupInstance* instance;
//   if (embedding_lookup_embedding_lookup_create(&instance) != kEmbeddingLookupEmbeddingLookupOk) {
//     puts(embedding_lookup_embedding_lookup_last_error());
//   }
//   embedding_lookup_embedding_lookup_run(instance, &in, &out, stream);  // as often as needed
//   embedding_lookup_embedding_lookup_destroy(instance);
//
// An instance belongs to one device: embedding_lookup_embedding_lookup_run refuses to run while another one is current,
// embedding_lookup_embedding_lookup_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in embedding_lookup_embedding_lookup_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define EMBEDDING_LOOKUP_EMBEDDING_LOOKUP_INTERFACE 0xf993adc0fb237d01ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef EMBEDDING_LOOKUP_EMBEDDING_LOOKUP_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum EmbeddingLookupEmbeddingLookupStatus {
  kEmbeddingLookupEmbeddingLookupOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kEmbeddingLookupEmbeddingLookupInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kEmbeddingLookupEmbeddingLookupOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kEmbeddingLookupEmbeddingLookupCudaError = 3,
  // The caller was compiled with a header of another interface.
  kEmbeddingLookupEmbeddingLookupOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kEmbeddingLookupEmbeddingLookupOtherDevice = 5,
  // There is no graph of a run: kEmbeddingLookupEmbeddingLookupCanCapture is 0.
  kEmbeddingLookupEmbeddingLookupCannotCapture = 7,
} EmbeddingLookupEmbeddingLookupStatus;

enum {
  kEmbeddingLookupEmbeddingLookupInputCount = 5,
  kEmbeddingLookupEmbeddingLookupOutputCount = 2,
  // 1 if embedding_lookup_embedding_lookup_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kEmbeddingLookupEmbeddingLookupRunSynchronises = 0,
  // 1 if embedding_lookup_embedding_lookup_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kEmbeddingLookupEmbeddingLookupCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kEmbeddingLookupEmbeddingLookupInTable[] = {200, 32};
static const int64_t kEmbeddingLookupEmbeddingLookupInPositions[] = {48, 32};
static const int64_t kEmbeddingLookupEmbeddingLookupInSegments[] = {2, 32};
static const int64_t kEmbeddingLookupEmbeddingLookupInTokens[] = {4, 24};
static const int64_t kEmbeddingLookupEmbeddingLookupInSegment[] = {4, 24};
static const int64_t kEmbeddingLookupEmbeddingLookupOutX[] = {4, 24, 32};
static const int64_t kEmbeddingLookupEmbeddingLookupOutBag[] = {4, 32};

// One input or output.
typedef struct EmbeddingLookupEmbeddingLookupTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} EmbeddingLookupEmbeddingLookupTensor;

// In the order of the structs below; the row after the last has no name.
extern const EmbeddingLookupEmbeddingLookupTensor kEmbeddingLookupEmbeddingLookupInputTable[];
extern const EmbeddingLookupEmbeddingLookupTensor kEmbeddingLookupEmbeddingLookupOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct EmbeddingLookupEmbeddingLookupInputs {
  const float* table;      // f32[200,32]
  const float* positions;  // f32[48,32]
  const float* segments;   // f32[2,32]
  const int* tokens;       // s32[4,24]
  const int* segment;      // s32[4,24]
} EmbeddingLookupEmbeddingLookupInputs;

typedef struct EmbeddingLookupEmbeddingLookupOutputs {
  float* x;    // f32[4,24,32]
  float* bag;  // f32[4,32]
} EmbeddingLookupEmbeddingLookupOutputs;

typedef struct EmbeddingLookupEmbeddingLookupInstance EmbeddingLookupEmbeddingLookupInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct EmbeddingLookupEmbeddingLookupOptions {
  uint32_t size;            // sizeof(EmbeddingLookupEmbeddingLookupOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // EMBEDDING_LOOKUP_EMBEDDING_LOOKUP_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // embedding_lookup_embedding_lookup_workspace_bytes(). NULL: embedding_lookup_embedding_lookup_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by embedding_lookup_embedding_lookup_destroy, or by embedding_lookup_embedding_lookup_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} EmbeddingLookupEmbeddingLookupOptions;

#define EMBEDDING_LOOKUP_EMBEDDING_LOOKUP_OPTIONS \
  {sizeof(EmbeddingLookupEmbeddingLookupOptions), -1, EMBEDDING_LOOKUP_EMBEDDING_LOOKUP_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: EMBEDDING_LOOKUP_EMBEDDING_LOOKUP_OPTIONS, as the library has them.
EmbeddingLookupEmbeddingLookupStatus embedding_lookup_embedding_lookup_create_with(EmbeddingLookupEmbeddingLookupInstance** instance,
                                                                                   const EmbeddingLookupEmbeddingLookupOptions* options);

// The same with EMBEDDING_LOOKUP_EMBEDDING_LOOKUP_OPTIONS. Compiled into the caller, whose interface is compared.
static inline EmbeddingLookupEmbeddingLookupStatus embedding_lookup_embedding_lookup_create(EmbeddingLookupEmbeddingLookupInstance** instance) {
  const EmbeddingLookupEmbeddingLookupOptions options = EMBEDDING_LOOKUP_EMBEDDING_LOOKUP_OPTIONS;
  return embedding_lookup_embedding_lookup_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t embedding_lookup_embedding_lookup_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
EmbeddingLookupEmbeddingLookupStatus embedding_lookup_embedding_lookup_run(EmbeddingLookupEmbeddingLookupInstance* instance,
                                                                           const EmbeddingLookupEmbeddingLookupInputs* in,
                                                                           const EmbeddingLookupEmbeddingLookupOutputs* out,
                                                                           struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct EmbeddingLookupEmbeddingLookupGraph EmbeddingLookupEmbeddingLookupGraph;
EmbeddingLookupEmbeddingLookupStatus embedding_lookup_embedding_lookup_capture(EmbeddingLookupEmbeddingLookupGraph** graph,
                                                                               EmbeddingLookupEmbeddingLookupInstance* instance,
                                                                               const EmbeddingLookupEmbeddingLookupInputs* in,
                                                                               const EmbeddingLookupEmbeddingLookupOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
EmbeddingLookupEmbeddingLookupStatus embedding_lookup_embedding_lookup_graph_launch(const EmbeddingLookupEmbeddingLookupGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
EmbeddingLookupEmbeddingLookupStatus embedding_lookup_embedding_lookup_graph_update(EmbeddingLookupEmbeddingLookupGraph* graph,
                                                                                    const EmbeddingLookupEmbeddingLookupInputs* in,
                                                                                    const EmbeddingLookupEmbeddingLookupOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* embedding_lookup_embedding_lookup_graph_exec(const EmbeddingLookupEmbeddingLookupGraph* graph);

// Its launches must be finished. NULL is allowed.
void embedding_lookup_embedding_lookup_graph_destroy(EmbeddingLookupEmbeddingLookupGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void embedding_lookup_embedding_lookup_destroy(EmbeddingLookupEmbeddingLookupInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* embedding_lookup_embedding_lookup_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* embedding_lookup_embedding_lookup_status_text(EmbeddingLookupEmbeddingLookupStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct EmbeddingLookupEmbeddingLookupInfo {
  uint32_t size;              // sizeof(EmbeddingLookupEmbeddingLookupInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // EMBEDDING_LOOKUP_EMBEDDING_LOOKUP_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as embedding_lookup_embedding_lookup_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kEmbeddingLookupEmbeddingLookupCanCapture
} EmbeddingLookupEmbeddingLookupInfo;

const EmbeddingLookupEmbeddingLookupInfo* embedding_lookup_embedding_lookup_info(void);

#ifdef EMBEDDING_LOOKUP_EMBEDDING_LOOKUP_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
