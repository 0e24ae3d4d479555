// softmax.h: the C interface of softmax, for C and C++; needs no CUDA header.
//
//   in   x            f32[64,97]
//   out  probability  f32[64,97]
//
//   SoftmaxInstance* instance;
//   if (softmax_create(&instance) != kSoftmaxOk) {
//     puts(softmax_last_error());
//   }
//   softmax_run(instance, &in, &out, stream);  // as often as needed
//   softmax_destroy(instance);
//
// An instance belongs to one device: softmax_run refuses to run while another one is current,
// softmax_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in softmax_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define SOFTMAX_INTERFACE 0x679e62834fd5381eULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef SOFTMAX_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum SoftmaxStatus {
  kSoftmaxOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kSoftmaxInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kSoftmaxOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kSoftmaxCudaError = 3,
  // The caller was compiled with a header of another interface.
  kSoftmaxOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kSoftmaxOtherDevice = 5,
  // There is no graph of a run: kSoftmaxCanCapture is 0.
  kSoftmaxCannotCapture = 7,
} SoftmaxStatus;

enum {
  kSoftmaxInputCount = 1,
  kSoftmaxOutputCount = 1,
  // 1 if softmax_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kSoftmaxRunSynchronises = 0,
  // 1 if softmax_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kSoftmaxCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kSoftmaxInX[] = {64, 97};
static const int64_t kSoftmaxOutProbability[] = {64, 97};

// One input or output.
typedef struct SoftmaxTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} SoftmaxTensor;

// In the order of the structs below; the row after the last has no name.
extern const SoftmaxTensor kSoftmaxInputTable[];
extern const SoftmaxTensor kSoftmaxOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct SoftmaxInputs {
  const float* x;  // f32[64,97]
} SoftmaxInputs;

typedef struct SoftmaxOutputs {
  float* probability;  // f32[64,97]
} SoftmaxOutputs;

typedef struct SoftmaxInstance SoftmaxInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct SoftmaxOptions {
  uint32_t size;            // sizeof(SoftmaxOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // SOFTMAX_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // softmax_workspace_bytes(). NULL: softmax_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by softmax_destroy, or by softmax_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} SoftmaxOptions;

#define SOFTMAX_OPTIONS \
  {sizeof(SoftmaxOptions), -1, SOFTMAX_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: SOFTMAX_OPTIONS, as the library has them.
SoftmaxStatus softmax_create_with(SoftmaxInstance** instance, const SoftmaxOptions* options);

// The same with SOFTMAX_OPTIONS. Compiled into the caller, whose interface is compared.
static inline SoftmaxStatus softmax_create(SoftmaxInstance** instance) {
  const SoftmaxOptions options = SOFTMAX_OPTIONS;
  return softmax_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t softmax_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
SoftmaxStatus softmax_run(SoftmaxInstance* instance, const SoftmaxInputs* in,
                          const SoftmaxOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct SoftmaxGraph SoftmaxGraph;
SoftmaxStatus softmax_capture(SoftmaxGraph** graph, SoftmaxInstance* instance,
                              const SoftmaxInputs* in, const SoftmaxOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
SoftmaxStatus softmax_graph_launch(const SoftmaxGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
SoftmaxStatus softmax_graph_update(SoftmaxGraph* graph, const SoftmaxInputs* in,
                                   const SoftmaxOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* softmax_graph_exec(const SoftmaxGraph* graph);

// Its launches must be finished. NULL is allowed.
void softmax_graph_destroy(SoftmaxGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void softmax_destroy(SoftmaxInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* softmax_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* softmax_status_text(SoftmaxStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct SoftmaxInfo {
  uint32_t size;              // sizeof(SoftmaxInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // SOFTMAX_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as softmax_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kSoftmaxCanCapture
} SoftmaxInfo;

const SoftmaxInfo* softmax_info(void);

#ifdef SOFTMAX_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
