// heat2d.h: the C interface of heat2d, for C and C++; needs no CUDA header.
//
//   in   u  f32[32,32]
//   out  u  f32[32,32]
//
//   Heat2dInstance* instance;
//   if (heat2d_create(&instance) != kHeat2dOk) {
//     puts(heat2d_last_error());
//   }
//   heat2d_run(instance, &in, &out, stream);  // as often as needed
//   heat2d_destroy(instance);
//
// An instance belongs to one device: heat2d_run refuses to run while another one is current,
// heat2d_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in heat2d_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define HEAT2D_INTERFACE 0xd21a37c2498b5ab3ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef HEAT2D_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum Heat2dStatus {
  kHeat2dOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kHeat2dInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kHeat2dOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kHeat2dCudaError = 3,
  // The caller was compiled with a header of another interface.
  kHeat2dOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kHeat2dOtherDevice = 5,
  // There is no graph of a run: kHeat2dCanCapture is 0.
  kHeat2dCannotCapture = 7,
} Heat2dStatus;

enum {
  kHeat2dInputCount = 1,
  kHeat2dOutputCount = 1,
  // 1 if heat2d_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kHeat2dRunSynchronises = 0,
  // 1 if heat2d_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kHeat2dCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kHeat2dInU[] = {32, 32};
static const int64_t kHeat2dOutU[] = {32, 32};

// One input or output.
typedef struct Heat2dTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} Heat2dTensor;

// In the order of the structs below; the row after the last has no name.
extern const Heat2dTensor kHeat2dInputTable[];
extern const Heat2dTensor kHeat2dOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct Heat2dInputs {
  const float* u;  // f32[32,32]
} Heat2dInputs;

typedef struct Heat2dOutputs {
  float* u;  // f32[32,32]
} Heat2dOutputs;

typedef struct Heat2dInstance Heat2dInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct Heat2dOptions {
  uint32_t size;            // sizeof(Heat2dOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // HEAT2D_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // heat2d_workspace_bytes(). NULL: heat2d_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by heat2d_destroy, or by heat2d_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} Heat2dOptions;

#define HEAT2D_OPTIONS \
  {sizeof(Heat2dOptions), -1, HEAT2D_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: HEAT2D_OPTIONS, as the library has them.
Heat2dStatus heat2d_create_with(Heat2dInstance** instance, const Heat2dOptions* options);

// The same with HEAT2D_OPTIONS. Compiled into the caller, whose interface is compared.
static inline Heat2dStatus heat2d_create(Heat2dInstance** instance) {
  const Heat2dOptions options = HEAT2D_OPTIONS;
  return heat2d_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t heat2d_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
Heat2dStatus heat2d_run(Heat2dInstance* instance, const Heat2dInputs* in, const Heat2dOutputs* out,
                        struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct Heat2dGraph Heat2dGraph;
Heat2dStatus heat2d_capture(Heat2dGraph** graph, Heat2dInstance* instance, const Heat2dInputs* in,
                            const Heat2dOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
Heat2dStatus heat2d_graph_launch(const Heat2dGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
Heat2dStatus heat2d_graph_update(Heat2dGraph* graph, const Heat2dInputs* in,
                                 const Heat2dOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* heat2d_graph_exec(const Heat2dGraph* graph);

// Its launches must be finished. NULL is allowed.
void heat2d_graph_destroy(Heat2dGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void heat2d_destroy(Heat2dInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* heat2d_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* heat2d_status_text(Heat2dStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct Heat2dInfo {
  uint32_t size;              // sizeof(Heat2dInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // HEAT2D_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as heat2d_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kHeat2dCanCapture
} Heat2dInfo;

const Heat2dInfo* heat2d_info(void);

#ifdef HEAT2D_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
