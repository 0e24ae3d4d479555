// token_sampling.h: the C interface of token_sampling, for C and C++; needs no CUDA header.
//
//   in   logits       f32[8,200]
//   in   temperature  f32[]
//   in   seed         u32[2]
//   out  token        s32[8]
//   out  kept         f32[8,40]
//
//   TokenSamplingInstance* instance;
//   if (token_sampling_create(&instance) != kTokenSamplingOk) {
//     puts(token_sampling_last_error());
//   }
//   token_sampling_run(instance, &in, &out, stream);  // as often as needed
//   token_sampling_destroy(instance);
//
// An instance belongs to one device: token_sampling_run refuses to run while another one is current,
// token_sampling_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in token_sampling_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define TOKEN_SAMPLING_INTERFACE 0x9254f9ec4e1b690dULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef TOKEN_SAMPLING_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum TokenSamplingStatus {
  kTokenSamplingOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kTokenSamplingInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kTokenSamplingOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kTokenSamplingCudaError = 3,
  // The caller was compiled with a header of another interface.
  kTokenSamplingOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kTokenSamplingOtherDevice = 5,
  // There is no graph of a run: kTokenSamplingCanCapture is 0.
  kTokenSamplingCannotCapture = 7,
} TokenSamplingStatus;

enum {
  kTokenSamplingInputCount = 3,
  kTokenSamplingOutputCount = 2,
  // 1 if token_sampling_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kTokenSamplingRunSynchronises = 0,
  // 1 if token_sampling_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kTokenSamplingCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kTokenSamplingInLogits[] = {8, 200};
static const int64_t kTokenSamplingInSeed[] = {2};
static const int64_t kTokenSamplingOutToken[] = {8};
static const int64_t kTokenSamplingOutKept[] = {8, 40};

// One input or output.
typedef struct TokenSamplingTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} TokenSamplingTensor;

// In the order of the structs below; the row after the last has no name.
extern const TokenSamplingTensor kTokenSamplingInputTable[];
extern const TokenSamplingTensor kTokenSamplingOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct TokenSamplingInputs {
  const float* logits;       // f32[8,200]
  const float* temperature;  // f32[]
  const uint32_t* seed;      // u32[2]
} TokenSamplingInputs;

typedef struct TokenSamplingOutputs {
  int* token;   // s32[8]
  float* kept;  // f32[8,40]
} TokenSamplingOutputs;

typedef struct TokenSamplingInstance TokenSamplingInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct TokenSamplingOptions {
  uint32_t size;            // sizeof(TokenSamplingOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // TOKEN_SAMPLING_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // token_sampling_workspace_bytes(). NULL: token_sampling_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by token_sampling_destroy, or by token_sampling_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} TokenSamplingOptions;

#define TOKEN_SAMPLING_OPTIONS \
  {sizeof(TokenSamplingOptions), -1, TOKEN_SAMPLING_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: TOKEN_SAMPLING_OPTIONS, as the library has them.
TokenSamplingStatus token_sampling_create_with(TokenSamplingInstance** instance,
                                               const TokenSamplingOptions* options);

// The same with TOKEN_SAMPLING_OPTIONS. Compiled into the caller, whose interface is compared.
static inline TokenSamplingStatus token_sampling_create(TokenSamplingInstance** instance) {
  const TokenSamplingOptions options = TOKEN_SAMPLING_OPTIONS;
  return token_sampling_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t token_sampling_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
TokenSamplingStatus token_sampling_run(TokenSamplingInstance* instance,
                                       const TokenSamplingInputs* in,
                                       const TokenSamplingOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct TokenSamplingGraph TokenSamplingGraph;
TokenSamplingStatus token_sampling_capture(TokenSamplingGraph** graph,
                                           TokenSamplingInstance* instance,
                                           const TokenSamplingInputs* in,
                                           const TokenSamplingOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
TokenSamplingStatus token_sampling_graph_launch(const TokenSamplingGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
TokenSamplingStatus token_sampling_graph_update(TokenSamplingGraph* graph,
                                                const TokenSamplingInputs* in,
                                                const TokenSamplingOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* token_sampling_graph_exec(const TokenSamplingGraph* graph);

// Its launches must be finished. NULL is allowed.
void token_sampling_graph_destroy(TokenSamplingGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void token_sampling_destroy(TokenSamplingInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* token_sampling_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* token_sampling_status_text(TokenSamplingStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct TokenSamplingInfo {
  uint32_t size;              // sizeof(TokenSamplingInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // TOKEN_SAMPLING_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as token_sampling_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kTokenSamplingCanCapture
} TokenSamplingInfo;

const TokenSamplingInfo* token_sampling_info(void);

#ifdef TOKEN_SAMPLING_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
