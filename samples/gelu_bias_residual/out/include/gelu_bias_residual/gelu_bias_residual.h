// gelu_bias_residual.h: the C interface of gelu_bias_residual, for C and C++; needs no CUDA header.
//
//   in   x         f32[64,96]
//   in   bias      f32[96]
//   in   residual  f32[64,96]
//   out  sum       f32[64,96]
//
//   GeluBiasResidualInstance* instance;
//   if (gelu_bias_residual_create(&instance) != kGeluBiasResidualOk) {
//     puts(gelu_bias_residual_last_error());
//   }
//   gelu_bias_residual_run(instance, &in, &out, stream);  // as often as needed
//   gelu_bias_residual_destroy(instance);
//
// An instance belongs to one device: gelu_bias_residual_run refuses to run while another one is current,
// gelu_bias_residual_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in gelu_bias_residual_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define GELU_BIAS_RESIDUAL_INTERFACE 0xf08a3793e2224e15ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef GELU_BIAS_RESIDUAL_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum GeluBiasResidualStatus {
  kGeluBiasResidualOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kGeluBiasResidualInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kGeluBiasResidualOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kGeluBiasResidualCudaError = 3,
  // The caller was compiled with a header of another interface.
  kGeluBiasResidualOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kGeluBiasResidualOtherDevice = 5,
  // There is no graph of a run: kGeluBiasResidualCanCapture is 0.
  kGeluBiasResidualCannotCapture = 7,
} GeluBiasResidualStatus;

enum {
  kGeluBiasResidualInputCount = 3,
  kGeluBiasResidualOutputCount = 1,
  // 1 if gelu_bias_residual_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kGeluBiasResidualRunSynchronises = 0,
  // 1 if gelu_bias_residual_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kGeluBiasResidualCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kGeluBiasResidualInX[] = {64, 96};
static const int64_t kGeluBiasResidualInBias[] = {96};
static const int64_t kGeluBiasResidualInResidual[] = {64, 96};
static const int64_t kGeluBiasResidualOutSum[] = {64, 96};

// One input or output.
typedef struct GeluBiasResidualTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} GeluBiasResidualTensor;

// In the order of the structs below; the row after the last has no name.
extern const GeluBiasResidualTensor kGeluBiasResidualInputTable[];
extern const GeluBiasResidualTensor kGeluBiasResidualOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct GeluBiasResidualInputs {
  const float* x;         // f32[64,96]
  const float* bias;      // f32[96]
  const float* residual;  // f32[64,96]
} GeluBiasResidualInputs;

typedef struct GeluBiasResidualOutputs {
  float* sum;  // f32[64,96]
} GeluBiasResidualOutputs;

typedef struct GeluBiasResidualInstance GeluBiasResidualInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct GeluBiasResidualOptions {
  uint32_t size;            // sizeof(GeluBiasResidualOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // GELU_BIAS_RESIDUAL_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // gelu_bias_residual_workspace_bytes(). NULL: gelu_bias_residual_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by gelu_bias_residual_destroy, or by gelu_bias_residual_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} GeluBiasResidualOptions;

#define GELU_BIAS_RESIDUAL_OPTIONS \
  {sizeof(GeluBiasResidualOptions), -1, GELU_BIAS_RESIDUAL_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: GELU_BIAS_RESIDUAL_OPTIONS, as the library has them.
GeluBiasResidualStatus gelu_bias_residual_create_with(GeluBiasResidualInstance** instance,
                                                      const GeluBiasResidualOptions* options);

// The same with GELU_BIAS_RESIDUAL_OPTIONS. Compiled into the caller, whose interface is compared.
static inline GeluBiasResidualStatus gelu_bias_residual_create(GeluBiasResidualInstance** instance) {
  const GeluBiasResidualOptions options = GELU_BIAS_RESIDUAL_OPTIONS;
  return gelu_bias_residual_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t gelu_bias_residual_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
GeluBiasResidualStatus gelu_bias_residual_run(GeluBiasResidualInstance* instance,
                                              const GeluBiasResidualInputs* in,
                                              const GeluBiasResidualOutputs* out,
                                              struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct GeluBiasResidualGraph GeluBiasResidualGraph;
GeluBiasResidualStatus gelu_bias_residual_capture(GeluBiasResidualGraph** graph,
                                                  GeluBiasResidualInstance* instance,
                                                  const GeluBiasResidualInputs* in,
                                                  const GeluBiasResidualOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
GeluBiasResidualStatus gelu_bias_residual_graph_launch(const GeluBiasResidualGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
GeluBiasResidualStatus gelu_bias_residual_graph_update(GeluBiasResidualGraph* graph,
                                                       const GeluBiasResidualInputs* in,
                                                       const GeluBiasResidualOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* gelu_bias_residual_graph_exec(const GeluBiasResidualGraph* graph);

// Its launches must be finished. NULL is allowed.
void gelu_bias_residual_graph_destroy(GeluBiasResidualGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void gelu_bias_residual_destroy(GeluBiasResidualInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* gelu_bias_residual_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* gelu_bias_residual_status_text(GeluBiasResidualStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct GeluBiasResidualInfo {
  uint32_t size;              // sizeof(GeluBiasResidualInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // GELU_BIAS_RESIDUAL_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as gelu_bias_residual_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kGeluBiasResidualCanCapture
} GeluBiasResidualInfo;

const GeluBiasResidualInfo* gelu_bias_residual_info(void);

#ifdef GELU_BIAS_RESIDUAL_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
