// quantised_dense.h: the C interface of quantised_dense, for C and C++; needs no CUDA header.
//
//   in   x        f32[32,64]
//   in   w        s8[64,48]
//   in   w_scale  f32[48]
//   out  y        f32[32,48]
//
//   QuantisedDenseInstance* instance;
//   if (quantised_dense_create(&instance) != kQuantisedDenseOk) {
//     puts(quantised_dense_last_error());
//   }
//   quantised_dense_run(instance, &in, &out, stream);  // as often as needed
//   quantised_dense_destroy(instance);
//
// An instance belongs to one device: quantised_dense_run refuses to run while another one is current,
// quantised_dense_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in quantised_dense_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define QUANTISED_DENSE_INTERFACE 0x56a3df1a7b3b99a6ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef QUANTISED_DENSE_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum QuantisedDenseStatus {
  kQuantisedDenseOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kQuantisedDenseInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kQuantisedDenseOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kQuantisedDenseCudaError = 3,
  // The caller was compiled with a header of another interface.
  kQuantisedDenseOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kQuantisedDenseOtherDevice = 5,
  // There is no graph of a run: kQuantisedDenseCanCapture is 0.
  kQuantisedDenseCannotCapture = 7,
} QuantisedDenseStatus;

enum {
  kQuantisedDenseInputCount = 3,
  kQuantisedDenseOutputCount = 1,
  // 1 if quantised_dense_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kQuantisedDenseRunSynchronises = 0,
  // 1 if quantised_dense_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kQuantisedDenseCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kQuantisedDenseInX[] = {32, 64};
static const int64_t kQuantisedDenseInW[] = {64, 48};
static const int64_t kQuantisedDenseInWScale[] = {48};
static const int64_t kQuantisedDenseOutY[] = {32, 48};

// One input or output.
typedef struct QuantisedDenseTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} QuantisedDenseTensor;

// In the order of the structs below; the row after the last has no name.
extern const QuantisedDenseTensor kQuantisedDenseInputTable[];
extern const QuantisedDenseTensor kQuantisedDenseOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct QuantisedDenseInputs {
  const float* x;        // f32[32,64]
  const int8_t* w;       // s8[64,48]
  const float* w_scale;  // f32[48]
} QuantisedDenseInputs;

typedef struct QuantisedDenseOutputs {
  float* y;  // f32[32,48]
} QuantisedDenseOutputs;

typedef struct QuantisedDenseInstance QuantisedDenseInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct QuantisedDenseOptions {
  uint32_t size;            // sizeof(QuantisedDenseOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // QUANTISED_DENSE_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // quantised_dense_workspace_bytes(). NULL: quantised_dense_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by quantised_dense_destroy, or by quantised_dense_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} QuantisedDenseOptions;

#define QUANTISED_DENSE_OPTIONS \
  {sizeof(QuantisedDenseOptions), -1, QUANTISED_DENSE_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: QUANTISED_DENSE_OPTIONS, as the library has them.
QuantisedDenseStatus quantised_dense_create_with(QuantisedDenseInstance** instance,
                                                 const QuantisedDenseOptions* options);

// The same with QUANTISED_DENSE_OPTIONS. Compiled into the caller, whose interface is compared.
static inline QuantisedDenseStatus quantised_dense_create(QuantisedDenseInstance** instance) {
  const QuantisedDenseOptions options = QUANTISED_DENSE_OPTIONS;
  return quantised_dense_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t quantised_dense_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
QuantisedDenseStatus quantised_dense_run(QuantisedDenseInstance* instance,
                                         const QuantisedDenseInputs* in,
                                         const QuantisedDenseOutputs* out,
                                         struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct QuantisedDenseGraph QuantisedDenseGraph;
QuantisedDenseStatus quantised_dense_capture(QuantisedDenseGraph** graph,
                                             QuantisedDenseInstance* instance,
                                             const QuantisedDenseInputs* in,
                                             const QuantisedDenseOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
QuantisedDenseStatus quantised_dense_graph_launch(const QuantisedDenseGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
QuantisedDenseStatus quantised_dense_graph_update(QuantisedDenseGraph* graph,
                                                  const QuantisedDenseInputs* in,
                                                  const QuantisedDenseOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* quantised_dense_graph_exec(const QuantisedDenseGraph* graph);

// Its launches must be finished. NULL is allowed.
void quantised_dense_graph_destroy(QuantisedDenseGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void quantised_dense_destroy(QuantisedDenseInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* quantised_dense_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* quantised_dense_status_text(QuantisedDenseStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct QuantisedDenseInfo {
  uint32_t size;              // sizeof(QuantisedDenseInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // QUANTISED_DENSE_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as quantised_dense_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kQuantisedDenseCanCapture
} QuantisedDenseInfo;

const QuantisedDenseInfo* quantised_dense_info(void);

#ifdef QUANTISED_DENSE_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
