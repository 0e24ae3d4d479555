// conjugate_gradient.h: the C interface of conjugate_gradient, for C and C++; needs no CUDA header.
//
//   in   b  f32[24,24]
//   out  n  s32[]
//   out  x  f32[24,24]
//
//   ConjugateGradientInstance* instance;
//   if (conjugate_gradient_create(&instance) != kConjugateGradientOk) {
//     puts(conjugate_gradient_last_error());
//   }
//   conjugate_gradient_run(instance, &in, &out, stream);  // as often as needed
//   conjugate_gradient_destroy(instance);
//
// An instance belongs to one device: conjugate_gradient_run refuses to run while another one is current,
// conjugate_gradient_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in conjugate_gradient_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define CONJUGATE_GRADIENT_INTERFACE 0xdf68a796be7207bcULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CONJUGATE_GRADIENT_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum ConjugateGradientStatus {
  kConjugateGradientOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kConjugateGradientInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kConjugateGradientOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kConjugateGradientCudaError = 3,
  // The caller was compiled with a header of another interface.
  kConjugateGradientOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kConjugateGradientOtherDevice = 5,
  // There is no graph of a run: kConjugateGradientCanCapture is 0.
  kConjugateGradientCannotCapture = 7,
} ConjugateGradientStatus;

enum {
  kConjugateGradientInputCount = 1,
  kConjugateGradientOutputCount = 2,
  // 1 if conjugate_gradient_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kConjugateGradientRunSynchronises = 0,
  // 1 if conjugate_gradient_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kConjugateGradientCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kConjugateGradientInB[] = {24, 24};
static const int64_t kConjugateGradientOutX[] = {24, 24};

// One input or output.
typedef struct ConjugateGradientTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} ConjugateGradientTensor;

// In the order of the structs below; the row after the last has no name.
extern const ConjugateGradientTensor kConjugateGradientInputTable[];
extern const ConjugateGradientTensor kConjugateGradientOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct ConjugateGradientInputs {
  const float* b;  // f32[24,24]
} ConjugateGradientInputs;

typedef struct ConjugateGradientOutputs {
  int* n;    // s32[]
  float* x;  // f32[24,24]
} ConjugateGradientOutputs;

typedef struct ConjugateGradientInstance ConjugateGradientInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct ConjugateGradientOptions {
  uint32_t size;            // sizeof(ConjugateGradientOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // CONJUGATE_GRADIENT_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // conjugate_gradient_workspace_bytes(). NULL: conjugate_gradient_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by conjugate_gradient_destroy, or by conjugate_gradient_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} ConjugateGradientOptions;

#define CONJUGATE_GRADIENT_OPTIONS \
  {sizeof(ConjugateGradientOptions), -1, CONJUGATE_GRADIENT_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: CONJUGATE_GRADIENT_OPTIONS, as the library has them.
ConjugateGradientStatus conjugate_gradient_create_with(ConjugateGradientInstance** instance,
                                                       const ConjugateGradientOptions* options);

// The same with CONJUGATE_GRADIENT_OPTIONS. Compiled into the caller, whose interface is compared.
static inline ConjugateGradientStatus conjugate_gradient_create(ConjugateGradientInstance** instance) {
  const ConjugateGradientOptions options = CONJUGATE_GRADIENT_OPTIONS;
  return conjugate_gradient_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t conjugate_gradient_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
ConjugateGradientStatus conjugate_gradient_run(ConjugateGradientInstance* instance,
                                               const ConjugateGradientInputs* in,
                                               const ConjugateGradientOutputs* out,
                                               struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct ConjugateGradientGraph ConjugateGradientGraph;
ConjugateGradientStatus conjugate_gradient_capture(ConjugateGradientGraph** graph,
                                                   ConjugateGradientInstance* instance,
                                                   const ConjugateGradientInputs* in,
                                                   const ConjugateGradientOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
ConjugateGradientStatus conjugate_gradient_graph_launch(const ConjugateGradientGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
ConjugateGradientStatus conjugate_gradient_graph_update(ConjugateGradientGraph* graph,
                                                        const ConjugateGradientInputs* in,
                                                        const ConjugateGradientOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* conjugate_gradient_graph_exec(const ConjugateGradientGraph* graph);

// Its launches must be finished. NULL is allowed.
void conjugate_gradient_graph_destroy(ConjugateGradientGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void conjugate_gradient_destroy(ConjugateGradientInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* conjugate_gradient_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* conjugate_gradient_status_text(ConjugateGradientStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct ConjugateGradientInfo {
  uint32_t size;              // sizeof(ConjugateGradientInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // CONJUGATE_GRADIENT_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as conjugate_gradient_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kConjugateGradientCanCapture
} ConjugateGradientInfo;

const ConjugateGradientInfo* conjugate_gradient_info(void);

#ifdef CONJUGATE_GRADIENT_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
