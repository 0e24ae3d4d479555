// histogram.h: the C interface of histogram, for C and C++; needs no CUDA header.
//
//   in   values      f32[2000]
//   in   weights_in  f32[2000]
//   out  counts      s32[32]
//   out  sums        f32[32]
//   out  peaks       f32[32]
//
//   HistogramInstance* instance;
//   if (histogram_create(&instance) != kHistogramOk) {
//     puts(histogram_last_error());
//   }
//   histogram_run(instance, &in, &out, stream);  // as often as needed
//   histogram_destroy(instance);
//
// An instance belongs to one device: histogram_run refuses to run while another one is current,
// histogram_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in histogram_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define HISTOGRAM_INTERFACE 0xc98a27dfef5f10feULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef HISTOGRAM_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum HistogramStatus {
  kHistogramOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kHistogramInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kHistogramOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kHistogramCudaError = 3,
  // The caller was compiled with a header of another interface.
  kHistogramOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kHistogramOtherDevice = 5,
  // There is no graph of a run: kHistogramCanCapture is 0.
  kHistogramCannotCapture = 7,
} HistogramStatus;

enum {
  kHistogramInputCount = 2,
  kHistogramOutputCount = 3,
  // 1 if histogram_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kHistogramRunSynchronises = 0,
  // 1 if histogram_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kHistogramCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kHistogramInValues[] = {2000};
static const int64_t kHistogramInWeightsIn[] = {2000};
static const int64_t kHistogramOutCounts[] = {32};
static const int64_t kHistogramOutSums[] = {32};
static const int64_t kHistogramOutPeaks[] = {32};

// One input or output.
typedef struct HistogramTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} HistogramTensor;

// In the order of the structs below; the row after the last has no name.
extern const HistogramTensor kHistogramInputTable[];
extern const HistogramTensor kHistogramOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct HistogramInputs {
  const float* values;      // f32[2000]
  const float* weights_in;  // f32[2000]
} HistogramInputs;

typedef struct HistogramOutputs {
  int* counts;   // s32[32]
  float* sums;   // f32[32]
  float* peaks;  // f32[32]
} HistogramOutputs;

typedef struct HistogramInstance HistogramInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct HistogramOptions {
  uint32_t size;            // sizeof(HistogramOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // HISTOGRAM_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // histogram_workspace_bytes(). NULL: histogram_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by histogram_destroy, or by histogram_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} HistogramOptions;

#define HISTOGRAM_OPTIONS \
  {sizeof(HistogramOptions), -1, HISTOGRAM_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: HISTOGRAM_OPTIONS, as the library has them.
HistogramStatus histogram_create_with(HistogramInstance** instance, const HistogramOptions* options);

// The same with HISTOGRAM_OPTIONS. Compiled into the caller, whose interface is compared.
static inline HistogramStatus histogram_create(HistogramInstance** instance) {
  const HistogramOptions options = HISTOGRAM_OPTIONS;
  return histogram_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t histogram_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
HistogramStatus histogram_run(HistogramInstance* instance, const HistogramInputs* in,
                              const HistogramOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct HistogramGraph HistogramGraph;
HistogramStatus histogram_capture(HistogramGraph** graph, HistogramInstance* instance,
                                  const HistogramInputs* in, const HistogramOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
HistogramStatus histogram_graph_launch(const HistogramGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
HistogramStatus histogram_graph_update(HistogramGraph* graph, const HistogramInputs* in,
                                       const HistogramOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* histogram_graph_exec(const HistogramGraph* graph);

// Its launches must be finished. NULL is allowed.
void histogram_graph_destroy(HistogramGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void histogram_destroy(HistogramInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* histogram_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* histogram_status_text(HistogramStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct HistogramInfo {
  uint32_t size;              // sizeof(HistogramInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // HISTOGRAM_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as histogram_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kHistogramCanCapture
} HistogramInfo;

const HistogramInfo* histogram_info(void);

#ifdef HISTOGRAM_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
