// sort_argsort.h: the C interface of sort_argsort, for C and C++; needs no CUDA header.
//
//   in   x         f32[6,100]
//   in   group     s32[6,100]
//   out  sorted    f32[6,100]
//   out  order     s32[6,100]
//   out  by_group  s32[6,100]
//   out  x_by      f32[6,100]
//
//   SortArgsortInstance* instance;
//   if (sort_argsort_create(&instance) != kSortArgsortOk) {
//     puts(sort_argsort_last_error());
//   }
//   sort_argsort_run(instance, &in, &out, stream);  // as often as needed
//   sort_argsort_destroy(instance);
//
// An instance belongs to one device: sort_argsort_run refuses to run while another one is current,
// sort_argsort_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in sort_argsort_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define SORT_ARGSORT_INTERFACE 0x569c884941ce3678ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef SORT_ARGSORT_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum SortArgsortStatus {
  kSortArgsortOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kSortArgsortInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kSortArgsortOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kSortArgsortCudaError = 3,
  // The caller was compiled with a header of another interface.
  kSortArgsortOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kSortArgsortOtherDevice = 5,
  // There is no graph of a run: kSortArgsortCanCapture is 0.
  kSortArgsortCannotCapture = 7,
} SortArgsortStatus;

enum {
  kSortArgsortInputCount = 2,
  kSortArgsortOutputCount = 4,
  // 1 if sort_argsort_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kSortArgsortRunSynchronises = 0,
  // 1 if sort_argsort_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kSortArgsortCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kSortArgsortInX[] = {6, 100};
static const int64_t kSortArgsortInGroup[] = {6, 100};
static const int64_t kSortArgsortOutSorted[] = {6, 100};
static const int64_t kSortArgsortOutOrder[] = {6, 100};
static const int64_t kSortArgsortOutByGroup[] = {6, 100};
static const int64_t kSortArgsortOutXBy[] = {6, 100};

// One input or output.
typedef struct SortArgsortTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} SortArgsortTensor;

// In the order of the structs below; the row after the last has no name.
extern const SortArgsortTensor kSortArgsortInputTable[];
extern const SortArgsortTensor kSortArgsortOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct SortArgsortInputs {
  const float* x;    // f32[6,100]
  const int* group;  // s32[6,100]
} SortArgsortInputs;

typedef struct SortArgsortOutputs {
  float* sorted;  // f32[6,100]
  int* order;     // s32[6,100]
  int* by_group;  // s32[6,100]
  float* x_by;    // f32[6,100]
} SortArgsortOutputs;

typedef struct SortArgsortInstance SortArgsortInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct SortArgsortOptions {
  uint32_t size;            // sizeof(SortArgsortOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // SORT_ARGSORT_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // sort_argsort_workspace_bytes(). NULL: sort_argsort_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by sort_argsort_destroy, or by sort_argsort_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} SortArgsortOptions;

#define SORT_ARGSORT_OPTIONS \
  {sizeof(SortArgsortOptions), -1, SORT_ARGSORT_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: SORT_ARGSORT_OPTIONS, as the library has them.
SortArgsortStatus sort_argsort_create_with(SortArgsortInstance** instance,
                                           const SortArgsortOptions* options);

// The same with SORT_ARGSORT_OPTIONS. Compiled into the caller, whose interface is compared.
static inline SortArgsortStatus sort_argsort_create(SortArgsortInstance** instance) {
  const SortArgsortOptions options = SORT_ARGSORT_OPTIONS;
  return sort_argsort_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t sort_argsort_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
SortArgsortStatus sort_argsort_run(SortArgsortInstance* instance, const SortArgsortInputs* in,
                                   const SortArgsortOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct SortArgsortGraph SortArgsortGraph;
SortArgsortStatus sort_argsort_capture(SortArgsortGraph** graph, SortArgsortInstance* instance,
                                       const SortArgsortInputs* in, const SortArgsortOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
SortArgsortStatus sort_argsort_graph_launch(const SortArgsortGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
SortArgsortStatus sort_argsort_graph_update(SortArgsortGraph* graph, const SortArgsortInputs* in,
                                            const SortArgsortOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* sort_argsort_graph_exec(const SortArgsortGraph* graph);

// Its launches must be finished. NULL is allowed.
void sort_argsort_graph_destroy(SortArgsortGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void sort_argsort_destroy(SortArgsortInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* sort_argsort_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* sort_argsort_status_text(SortArgsortStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct SortArgsortInfo {
  uint32_t size;              // sizeof(SortArgsortInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // SORT_ARGSORT_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as sort_argsort_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kSortArgsortCanCapture
} SortArgsortInfo;

const SortArgsortInfo* sort_argsort_info(void);

#ifdef SORT_ARGSORT_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
