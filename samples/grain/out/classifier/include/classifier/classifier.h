// classifier.h: the C interface of classifier, for C and C++; needs no CUDA header.
//
//   in   x      f32[32,16]
//   out  probs  f32[32,4]
//   out  best   s32[32]
//
//   ClassifierInstance* instance;
//   if (classifier_create(&instance) != kClassifierOk) {
//     puts(classifier_last_error());
//   }
//   classifier_run(instance, &in, &out, stream);  // as often as needed
//   classifier_destroy(instance);
//
// An instance belongs to one device: classifier_run refuses to run while another one is current,
// classifier_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in classifier_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define CLASSIFIER_INTERFACE 0xdfdd01efc8a09dacULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CLASSIFIER_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum ClassifierStatus {
  kClassifierOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kClassifierInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kClassifierOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kClassifierCudaError = 3,
  // The caller was compiled with a header of another interface.
  kClassifierOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kClassifierOtherDevice = 5,
  // There is no graph of a run: kClassifierCanCapture is 0.
  kClassifierCannotCapture = 7,
} ClassifierStatus;

enum {
  kClassifierInputCount = 1,
  kClassifierOutputCount = 2,
  // 1 if classifier_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kClassifierRunSynchronises = 0,
  // 1 if classifier_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kClassifierCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kClassifierInX[] = {32, 16};
static const int64_t kClassifierOutProbs[] = {32, 4};
static const int64_t kClassifierOutBest[] = {32};

// One input or output.
typedef struct ClassifierTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} ClassifierTensor;

// In the order of the structs below; the row after the last has no name.
extern const ClassifierTensor kClassifierInputTable[];
extern const ClassifierTensor kClassifierOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct ClassifierInputs {
  const float* x;  // f32[32,16]
} ClassifierInputs;

typedef struct ClassifierOutputs {
  float* probs;  // f32[32,4]
  int* best;     // s32[32]
} ClassifierOutputs;

typedef struct ClassifierInstance ClassifierInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct ClassifierOptions {
  uint32_t size;            // sizeof(ClassifierOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // CLASSIFIER_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // classifier_workspace_bytes(). NULL: classifier_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by classifier_destroy, or by classifier_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} ClassifierOptions;

#define CLASSIFIER_OPTIONS \
  {sizeof(ClassifierOptions), -1, CLASSIFIER_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need and copies the constants to the device.
// *instance is NULL if this fails. Without options: CLASSIFIER_OPTIONS, as the library has them.
ClassifierStatus classifier_create_with(ClassifierInstance** instance,
                                        const ClassifierOptions* options);

// The same with CLASSIFIER_OPTIONS. Compiled into the caller, whose interface is compared.
static inline ClassifierStatus classifier_create(ClassifierInstance** instance) {
  const ClassifierOptions options = CLASSIFIER_OPTIONS;
  return classifier_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t classifier_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
ClassifierStatus classifier_run(ClassifierInstance* instance, const ClassifierInputs* in,
                                const ClassifierOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct ClassifierGraph ClassifierGraph;
ClassifierStatus classifier_capture(ClassifierGraph** graph, ClassifierInstance* instance,
                                    const ClassifierInputs* in, const ClassifierOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
ClassifierStatus classifier_graph_launch(const ClassifierGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
ClassifierStatus classifier_graph_update(ClassifierGraph* graph, const ClassifierInputs* in,
                                         const ClassifierOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* classifier_graph_exec(const ClassifierGraph* graph);

// Its launches must be finished. NULL is allowed.
void classifier_graph_destroy(ClassifierGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void classifier_destroy(ClassifierInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* classifier_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* classifier_status_text(ClassifierStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct ClassifierInfo {
  uint32_t size;              // sizeof(ClassifierInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // CLASSIFIER_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as classifier_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kClassifierCanCapture
} ClassifierInfo;

const ClassifierInfo* classifier_info(void);

#ifdef CLASSIFIER_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
