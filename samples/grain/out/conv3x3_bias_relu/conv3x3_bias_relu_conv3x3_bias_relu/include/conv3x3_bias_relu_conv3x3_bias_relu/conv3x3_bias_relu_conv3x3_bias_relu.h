// conv3x3_bias_relu_conv3x3_bias_relu.h: the C interface of conv3x3_bias_relu_conv3x3_bias_relu, for C and C++; needs no CUDA header.
//
//   in   x     f32[2,16,16,3]
//   in   w     f32[3,3,3,8]
//   in   bias  f32[8]
//   out  y     f32[2,16,16,8]
//
//   Conv3x3BiasReluConv3x3BiasReluInstance* instance;
//   if (conv3x3_bias_relu_conv3x3_bias_relu_create(&instance) != kConv3x3BiasReluConv3x3BiasReluOk) {
//     puts(conv3x3_bias_relu_conv3x3_bias_relu_last_error());
//   }
//   conv3x3_bias_relu_conv3x3_bias_relu_run(instance, &in, &out, stream);  // as often as needed
//   conv3x3_bias_relu_conv3x3_bias_relu_destroy(instance);
//
// An instance belongs to one device: conv3x3_bias_relu_conv3x3_bias_relu_run refuses to run while another one is current,
// conv3x3_bias_relu_conv3x3_bias_relu_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in conv3x3_bias_relu_conv3x3_bias_relu_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define CONV3X3_BIAS_RELU_CONV3X3_BIAS_RELU_INTERFACE 0xadab054a5497a1f7ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CONV3X3_BIAS_RELU_CONV3X3_BIAS_RELU_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum Conv3x3BiasReluConv3x3BiasReluStatus {
  kConv3x3BiasReluConv3x3BiasReluOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kConv3x3BiasReluConv3x3BiasReluInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kConv3x3BiasReluConv3x3BiasReluOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kConv3x3BiasReluConv3x3BiasReluCudaError = 3,
  // The caller was compiled with a header of another interface.
  kConv3x3BiasReluConv3x3BiasReluOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kConv3x3BiasReluConv3x3BiasReluOtherDevice = 5,
  // There is no graph of a run: kConv3x3BiasReluConv3x3BiasReluCanCapture is 0.
  kConv3x3BiasReluConv3x3BiasReluCannotCapture = 7,
} Conv3x3BiasReluConv3x3BiasReluStatus;

enum {
  kConv3x3BiasReluConv3x3BiasReluInputCount = 3,
  kConv3x3BiasReluConv3x3BiasReluOutputCount = 1,
  // 1 if conv3x3_bias_relu_conv3x3_bias_relu_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kConv3x3BiasReluConv3x3BiasReluRunSynchronises = 0,
  // 1 if conv3x3_bias_relu_conv3x3_bias_relu_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kConv3x3BiasReluConv3x3BiasReluCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kConv3x3BiasReluConv3x3BiasReluInX[] = {2, 16, 16, 3};
static const int64_t kConv3x3BiasReluConv3x3BiasReluInW[] = {3, 3, 3, 8};
static const int64_t kConv3x3BiasReluConv3x3BiasReluInBias[] = {8};
static const int64_t kConv3x3BiasReluConv3x3BiasReluOutY[] = {2, 16, 16, 8};

// One input or output.
typedef struct Conv3x3BiasReluConv3x3BiasReluTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} Conv3x3BiasReluConv3x3BiasReluTensor;

// In the order of the structs below; the row after the last has no name.
extern const Conv3x3BiasReluConv3x3BiasReluTensor kConv3x3BiasReluConv3x3BiasReluInputTable[];
extern const Conv3x3BiasReluConv3x3BiasReluTensor kConv3x3BiasReluConv3x3BiasReluOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct Conv3x3BiasReluConv3x3BiasReluInputs {
  const float* x;     // f32[2,16,16,3]
  const float* w;     // f32[3,3,3,8]
  const float* bias;  // f32[8]
} Conv3x3BiasReluConv3x3BiasReluInputs;

typedef struct Conv3x3BiasReluConv3x3BiasReluOutputs {
  float* y;  // f32[2,16,16,8]
} Conv3x3BiasReluConv3x3BiasReluOutputs;

typedef struct Conv3x3BiasReluConv3x3BiasReluInstance Conv3x3BiasReluConv3x3BiasReluInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct Conv3x3BiasReluConv3x3BiasReluOptions {
  uint32_t size;            // sizeof(Conv3x3BiasReluConv3x3BiasReluOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // CONV3X3_BIAS_RELU_CONV3X3_BIAS_RELU_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // conv3x3_bias_relu_conv3x3_bias_relu_workspace_bytes(). NULL: conv3x3_bias_relu_conv3x3_bias_relu_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by conv3x3_bias_relu_conv3x3_bias_relu_destroy, or by conv3x3_bias_relu_conv3x3_bias_relu_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} Conv3x3BiasReluConv3x3BiasReluOptions;

#define CONV3X3_BIAS_RELU_CONV3X3_BIAS_RELU_OPTIONS \
  {sizeof(Conv3x3BiasReluConv3x3BiasReluOptions), -1, CONV3X3_BIAS_RELU_CONV3X3_BIAS_RELU_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: CONV3X3_BIAS_RELU_CONV3X3_BIAS_RELU_OPTIONS, as the library has them.
Conv3x3BiasReluConv3x3BiasReluStatus conv3x3_bias_relu_conv3x3_bias_relu_create_with(Conv3x3BiasReluConv3x3BiasReluInstance** instance,
                                                                                     const Conv3x3BiasReluConv3x3BiasReluOptions* options);

// The same with CONV3X3_BIAS_RELU_CONV3X3_BIAS_RELU_OPTIONS. Compiled into the caller, whose interface is compared.
static inline Conv3x3BiasReluConv3x3BiasReluStatus conv3x3_bias_relu_conv3x3_bias_relu_create(Conv3x3BiasReluConv3x3BiasReluInstance** instance) {
  const Conv3x3BiasReluConv3x3BiasReluOptions options = CONV3X3_BIAS_RELU_CONV3X3_BIAS_RELU_OPTIONS;
  return conv3x3_bias_relu_conv3x3_bias_relu_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t conv3x3_bias_relu_conv3x3_bias_relu_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
Conv3x3BiasReluConv3x3BiasReluStatus conv3x3_bias_relu_conv3x3_bias_relu_run(Conv3x3BiasReluConv3x3BiasReluInstance* instance,
                                                                             const Conv3x3BiasReluConv3x3BiasReluInputs* in,
                                                                             const Conv3x3BiasReluConv3x3BiasReluOutputs* out,
                                                                             struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct Conv3x3BiasReluConv3x3BiasReluGraph Conv3x3BiasReluConv3x3BiasReluGraph;
Conv3x3BiasReluConv3x3BiasReluStatus conv3x3_bias_relu_conv3x3_bias_relu_capture(Conv3x3BiasReluConv3x3BiasReluGraph** graph,
                                                                                 Conv3x3BiasReluConv3x3BiasReluInstance* instance,
                                                                                 const Conv3x3BiasReluConv3x3BiasReluInputs* in,
                                                                                 const Conv3x3BiasReluConv3x3BiasReluOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
Conv3x3BiasReluConv3x3BiasReluStatus conv3x3_bias_relu_conv3x3_bias_relu_graph_launch(const Conv3x3BiasReluConv3x3BiasReluGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
Conv3x3BiasReluConv3x3BiasReluStatus conv3x3_bias_relu_conv3x3_bias_relu_graph_update(Conv3x3BiasReluConv3x3BiasReluGraph* graph,
                                                                                      const Conv3x3BiasReluConv3x3BiasReluInputs* in,
                                                                                      const Conv3x3BiasReluConv3x3BiasReluOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* conv3x3_bias_relu_conv3x3_bias_relu_graph_exec(const Conv3x3BiasReluConv3x3BiasReluGraph* graph);

// Its launches must be finished. NULL is allowed.
void conv3x3_bias_relu_conv3x3_bias_relu_graph_destroy(Conv3x3BiasReluConv3x3BiasReluGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void conv3x3_bias_relu_conv3x3_bias_relu_destroy(Conv3x3BiasReluConv3x3BiasReluInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* conv3x3_bias_relu_conv3x3_bias_relu_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* conv3x3_bias_relu_conv3x3_bias_relu_status_text(Conv3x3BiasReluConv3x3BiasReluStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct Conv3x3BiasReluConv3x3BiasReluInfo {
  uint32_t size;              // sizeof(Conv3x3BiasReluConv3x3BiasReluInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // CONV3X3_BIAS_RELU_CONV3X3_BIAS_RELU_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as conv3x3_bias_relu_conv3x3_bias_relu_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kConv3x3BiasReluConv3x3BiasReluCanCapture
} Conv3x3BiasReluConv3x3BiasReluInfo;

const Conv3x3BiasReluConv3x3BiasReluInfo* conv3x3_bias_relu_conv3x3_bias_relu_info(void);

#ifdef CONV3X3_BIAS_RELU_CONV3X3_BIAS_RELU_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
