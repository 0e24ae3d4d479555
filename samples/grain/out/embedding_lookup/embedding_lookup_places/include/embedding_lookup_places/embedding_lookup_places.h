// embedding_lookup_places.h: the C interface of embedding_lookup_places, for C and C++; needs no CUDA header.
//
//   in   tokens  s32[4,24]
//   out  place   s32[4,24]
//
//   EmbeddingLookupPlacesInstance* instance;
//   if (embedding_lookup_places_create(&instance) != kEmbeddingLookupPlacesOk) {
//     puts(embedding_lookup_places_last_error());
//   }
//   embedding_lookup_places_run(instance, &in, &out, stream);  // as often as needed
//   embedding_lookup_places_destroy(instance);
//
// An instance belongs to one device: embedding_lookup_places_run refuses to run while another one is current,
// embedding_lookup_places_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in embedding_lookup_places_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define EMBEDDING_LOOKUP_PLACES_INTERFACE 0xb4fa6d47a217dcc2ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef EMBEDDING_LOOKUP_PLACES_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum EmbeddingLookupPlacesStatus {
  kEmbeddingLookupPlacesOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kEmbeddingLookupPlacesInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kEmbeddingLookupPlacesOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kEmbeddingLookupPlacesCudaError = 3,
  // The caller was compiled with a header of another interface.
  kEmbeddingLookupPlacesOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kEmbeddingLookupPlacesOtherDevice = 5,
  // There is no graph of a run: kEmbeddingLookupPlacesCanCapture is 0.
  kEmbeddingLookupPlacesCannotCapture = 7,
} EmbeddingLookupPlacesStatus;

enum {
  kEmbeddingLookupPlacesInputCount = 1,
  kEmbeddingLookupPlacesOutputCount = 1,
  // 1 if embedding_lookup_places_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kEmbeddingLookupPlacesRunSynchronises = 0,
  // 1 if embedding_lookup_places_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kEmbeddingLookupPlacesCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kEmbeddingLookupPlacesInTokens[] = {4, 24};
static const int64_t kEmbeddingLookupPlacesOutPlace[] = {4, 24};

// One input or output.
typedef struct EmbeddingLookupPlacesTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} EmbeddingLookupPlacesTensor;

// In the order of the structs below; the row after the last has no name.
extern const EmbeddingLookupPlacesTensor kEmbeddingLookupPlacesInputTable[];
extern const EmbeddingLookupPlacesTensor kEmbeddingLookupPlacesOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct EmbeddingLookupPlacesInputs {
  const int* tokens;  // s32[4,24]
} EmbeddingLookupPlacesInputs;

typedef struct EmbeddingLookupPlacesOutputs {
  int* place;  // s32[4,24]
} EmbeddingLookupPlacesOutputs;

typedef struct EmbeddingLookupPlacesInstance EmbeddingLookupPlacesInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct EmbeddingLookupPlacesOptions {
  uint32_t size;            // sizeof(EmbeddingLookupPlacesOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // EMBEDDING_LOOKUP_PLACES_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // embedding_lookup_places_workspace_bytes(). NULL: embedding_lookup_places_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by embedding_lookup_places_destroy, or by embedding_lookup_places_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} EmbeddingLookupPlacesOptions;

#define EMBEDDING_LOOKUP_PLACES_OPTIONS \
  {sizeof(EmbeddingLookupPlacesOptions), -1, EMBEDDING_LOOKUP_PLACES_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: EMBEDDING_LOOKUP_PLACES_OPTIONS, as the library has them.
EmbeddingLookupPlacesStatus embedding_lookup_places_create_with(EmbeddingLookupPlacesInstance** instance,
                                                                const EmbeddingLookupPlacesOptions* options);

// The same with EMBEDDING_LOOKUP_PLACES_OPTIONS. Compiled into the caller, whose interface is compared.
static inline EmbeddingLookupPlacesStatus embedding_lookup_places_create(EmbeddingLookupPlacesInstance** instance) {
  const EmbeddingLookupPlacesOptions options = EMBEDDING_LOOKUP_PLACES_OPTIONS;
  return embedding_lookup_places_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t embedding_lookup_places_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
EmbeddingLookupPlacesStatus embedding_lookup_places_run(EmbeddingLookupPlacesInstance* instance,
                                                        const EmbeddingLookupPlacesInputs* in,
                                                        const EmbeddingLookupPlacesOutputs* out,
                                                        struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct EmbeddingLookupPlacesGraph EmbeddingLookupPlacesGraph;
EmbeddingLookupPlacesStatus embedding_lookup_places_capture(EmbeddingLookupPlacesGraph** graph,
                                                            EmbeddingLookupPlacesInstance* instance,
                                                            const EmbeddingLookupPlacesInputs* in,
                                                            const EmbeddingLookupPlacesOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
EmbeddingLookupPlacesStatus embedding_lookup_places_graph_launch(const EmbeddingLookupPlacesGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
EmbeddingLookupPlacesStatus embedding_lookup_places_graph_update(EmbeddingLookupPlacesGraph* graph,
                                                                 const EmbeddingLookupPlacesInputs* in,
                                                                 const EmbeddingLookupPlacesOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* embedding_lookup_places_graph_exec(const EmbeddingLookupPlacesGraph* graph);

// Its launches must be finished. NULL is allowed.
void embedding_lookup_places_graph_destroy(EmbeddingLookupPlacesGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void embedding_lookup_places_destroy(EmbeddingLookupPlacesInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* embedding_lookup_places_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* embedding_lookup_places_status_text(EmbeddingLookupPlacesStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct EmbeddingLookupPlacesInfo {
  uint32_t size;              // sizeof(EmbeddingLookupPlacesInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // EMBEDDING_LOOKUP_PLACES_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as embedding_lookup_places_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kEmbeddingLookupPlacesCanCapture
} EmbeddingLookupPlacesInfo;

const EmbeddingLookupPlacesInfo* embedding_lookup_places_info(void);

#ifdef EMBEDDING_LOOKUP_PLACES_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
