// kmeans.h: the C interface of kmeans, for C and C++; needs no CUDA header.
//
//   in   points      f32[400,3]
//   in   centres     f32[8,3]
//   out  centres     f32[8,3]
//   out  assignment  s32[400]
//   out  steps       s32[]
//
//   KmeansInstance* instance;
//   if (kmeans_create(&instance) != kKmeansOk) {
//     puts(kmeans_last_error());
//   }
//   kmeans_run(instance, &in, &out, stream);  // as often as needed
//   kmeans_destroy(instance);
//
// An instance belongs to one device: kmeans_run refuses to run while another one is current,
// kmeans_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in kmeans_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define KMEANS_INTERFACE 0xc9db99e6bba213bdULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef KMEANS_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum KmeansStatus {
  kKmeansOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kKmeansInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kKmeansOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kKmeansCudaError = 3,
  // The caller was compiled with a header of another interface.
  kKmeansOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kKmeansOtherDevice = 5,
  // There is no graph of a run: kKmeansCanCapture is 0.
  kKmeansCannotCapture = 7,
} KmeansStatus;

enum {
  kKmeansInputCount = 2,
  kKmeansOutputCount = 3,
  // 1 if kmeans_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kKmeansRunSynchronises = 0,
  // 1 if kmeans_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kKmeansCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kKmeansInPoints[] = {400, 3};
static const int64_t kKmeansInCentres[] = {8, 3};
static const int64_t kKmeansOutCentres[] = {8, 3};
static const int64_t kKmeansOutAssignment[] = {400};

// One input or output.
typedef struct KmeansTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} KmeansTensor;

// In the order of the structs below; the row after the last has no name.
extern const KmeansTensor kKmeansInputTable[];
extern const KmeansTensor kKmeansOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct KmeansInputs {
  const float* points;   // f32[400,3]
  const float* centres;  // f32[8,3]
} KmeansInputs;

typedef struct KmeansOutputs {
  float* centres;   // f32[8,3]
  int* assignment;  // s32[400]
  int* steps;       // s32[]
} KmeansOutputs;

typedef struct KmeansInstance KmeansInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct KmeansOptions {
  uint32_t size;            // sizeof(KmeansOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // KMEANS_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // kmeans_workspace_bytes(). NULL: kmeans_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by kmeans_destroy, or by kmeans_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} KmeansOptions;

#define KMEANS_OPTIONS \
  {sizeof(KmeansOptions), -1, KMEANS_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need and copies the constants to the device.
// *instance is NULL if this fails. Without options: KMEANS_OPTIONS, as the library has them.
KmeansStatus kmeans_create_with(KmeansInstance** instance, const KmeansOptions* options);

// The same with KMEANS_OPTIONS. Compiled into the caller, whose interface is compared.
static inline KmeansStatus kmeans_create(KmeansInstance** instance) {
  const KmeansOptions options = KMEANS_OPTIONS;
  return kmeans_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t kmeans_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
KmeansStatus kmeans_run(KmeansInstance* instance, const KmeansInputs* in, const KmeansOutputs* out,
                        struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct KmeansGraph KmeansGraph;
KmeansStatus kmeans_capture(KmeansGraph** graph, KmeansInstance* instance, const KmeansInputs* in,
                            const KmeansOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
KmeansStatus kmeans_graph_launch(const KmeansGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
KmeansStatus kmeans_graph_update(KmeansGraph* graph, const KmeansInputs* in,
                                 const KmeansOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* kmeans_graph_exec(const KmeansGraph* graph);

// Its launches must be finished. NULL is allowed.
void kmeans_graph_destroy(KmeansGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void kmeans_destroy(KmeansInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* kmeans_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* kmeans_status_text(KmeansStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct KmeansInfo {
  uint32_t size;              // sizeof(KmeansInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // KMEANS_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as kmeans_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kKmeansCanCapture
} KmeansInfo;

const KmeansInfo* kmeans_info(void);

#ifdef KMEANS_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
