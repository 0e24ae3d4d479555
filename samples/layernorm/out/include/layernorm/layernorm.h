// layernorm.h: the C interface of layernorm, for C and C++; needs no CUDA header.
//
//   in   x           f32[64,96]
//   in   scale       f32[96]
//   in   bias        f32[96]
//   out  normalised  f32[64,96]
//
//   LayernormInstance* instance;
//   if (layernorm_create(&instance) != kLayernormOk) {
//     puts(layernorm_last_error());
//   }
//   layernorm_run(instance, &in, &out, stream);  // as often as needed
//   layernorm_destroy(instance);
//
// An instance belongs to one device: layernorm_run refuses to run while another one is current,
// layernorm_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in layernorm_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define LAYERNORM_INTERFACE 0x10c829a398ad165dULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef LAYERNORM_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum LayernormStatus {
  kLayernormOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kLayernormInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kLayernormOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kLayernormCudaError = 3,
  // The caller was compiled with a header of another interface.
  kLayernormOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kLayernormOtherDevice = 5,
  // There is no graph of a run: kLayernormCanCapture is 0.
  kLayernormCannotCapture = 7,
} LayernormStatus;

enum {
  kLayernormInputCount = 3,
  kLayernormOutputCount = 1,
  // 1 if layernorm_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kLayernormRunSynchronises = 0,
  // 1 if layernorm_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kLayernormCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kLayernormInX[] = {64, 96};
static const int64_t kLayernormInScale[] = {96};
static const int64_t kLayernormInBias[] = {96};
static const int64_t kLayernormOutNormalised[] = {64, 96};

// One input or output.
typedef struct LayernormTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} LayernormTensor;

// In the order of the structs below; the row after the last has no name.
extern const LayernormTensor kLayernormInputTable[];
extern const LayernormTensor kLayernormOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct LayernormInputs {
  const float* x;      // f32[64,96]
  const float* scale;  // f32[96]
  const float* bias;   // f32[96]
} LayernormInputs;

typedef struct LayernormOutputs {
  float* normalised;  // f32[64,96]
} LayernormOutputs;

typedef struct LayernormInstance LayernormInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct LayernormOptions {
  uint32_t size;            // sizeof(LayernormOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // LAYERNORM_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // layernorm_workspace_bytes(). NULL: layernorm_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by layernorm_destroy, or by layernorm_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} LayernormOptions;

#define LAYERNORM_OPTIONS \
  {sizeof(LayernormOptions), -1, LAYERNORM_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: LAYERNORM_OPTIONS, as the library has them.
LayernormStatus layernorm_create_with(LayernormInstance** instance, const LayernormOptions* options);

// The same with LAYERNORM_OPTIONS. Compiled into the caller, whose interface is compared.
static inline LayernormStatus layernorm_create(LayernormInstance** instance) {
  const LayernormOptions options = LAYERNORM_OPTIONS;
  return layernorm_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t layernorm_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
LayernormStatus layernorm_run(LayernormInstance* instance, const LayernormInputs* in,
                              const LayernormOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct LayernormGraph LayernormGraph;
LayernormStatus layernorm_capture(LayernormGraph** graph, LayernormInstance* instance,
                                  const LayernormInputs* in, const LayernormOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
LayernormStatus layernorm_graph_launch(const LayernormGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
LayernormStatus layernorm_graph_update(LayernormGraph* graph, const LayernormInputs* in,
                                       const LayernormOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* layernorm_graph_exec(const LayernormGraph* graph);

// Its launches must be finished. NULL is allowed.
void layernorm_graph_destroy(LayernormGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void layernorm_destroy(LayernormInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* layernorm_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* layernorm_status_text(LayernormStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct LayernormInfo {
  uint32_t size;              // sizeof(LayernormInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // LAYERNORM_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as layernorm_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kLayernormCanCapture
} LayernormInfo;

const LayernormInfo* layernorm_info(void);

#ifdef LAYERNORM_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
