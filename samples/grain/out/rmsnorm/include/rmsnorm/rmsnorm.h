// rmsnorm.h: the C interface of rmsnorm, for C and C++; needs no CUDA header.
//
//   in   x      bf16[64,96]
//   in   scale  bf16[96]
//   out  y      bf16[64,96]
//
//   RmsnormInstance* instance;
//   if (rmsnorm_create(&instance) != kRmsnormOk) {
//     puts(rmsnorm_last_error());
//   }
//   rmsnorm_run(instance, &in, &out, stream);  // as often as needed
//   rmsnorm_destroy(instance);
//
// An instance belongs to one device: rmsnorm_run refuses to run while another one is current,
// rmsnorm_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in rmsnorm_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define RMSNORM_INTERFACE 0xc4915227a93cf8a0ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef RMSNORM_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum RmsnormStatus {
  kRmsnormOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kRmsnormInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kRmsnormOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kRmsnormCudaError = 3,
  // The caller was compiled with a header of another interface.
  kRmsnormOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kRmsnormOtherDevice = 5,
  // There is no graph of a run: kRmsnormCanCapture is 0.
  kRmsnormCannotCapture = 7,
} RmsnormStatus;

enum {
  kRmsnormInputCount = 2,
  kRmsnormOutputCount = 1,
  // 1 if rmsnorm_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kRmsnormRunSynchronises = 0,
  // 1 if rmsnorm_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kRmsnormCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kRmsnormInX[] = {64, 96};
static const int64_t kRmsnormInScale[] = {96};
static const int64_t kRmsnormOutY[] = {64, 96};

// One input or output.
typedef struct RmsnormTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} RmsnormTensor;

// In the order of the structs below; the row after the last has no name.
extern const RmsnormTensor kRmsnormInputTable[];
extern const RmsnormTensor kRmsnormOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct RmsnormInputs {
  const uint16_t* x;      // bf16[64,96]
  const uint16_t* scale;  // bf16[96]
} RmsnormInputs;

typedef struct RmsnormOutputs {
  uint16_t* y;  // bf16[64,96]
} RmsnormOutputs;

typedef struct RmsnormInstance RmsnormInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct RmsnormOptions {
  uint32_t size;            // sizeof(RmsnormOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // RMSNORM_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // rmsnorm_workspace_bytes(). NULL: rmsnorm_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by rmsnorm_destroy, or by rmsnorm_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} RmsnormOptions;

#define RMSNORM_OPTIONS \
  {sizeof(RmsnormOptions), -1, RMSNORM_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: RMSNORM_OPTIONS, as the library has them.
RmsnormStatus rmsnorm_create_with(RmsnormInstance** instance, const RmsnormOptions* options);

// The same with RMSNORM_OPTIONS. Compiled into the caller, whose interface is compared.
static inline RmsnormStatus rmsnorm_create(RmsnormInstance** instance) {
  const RmsnormOptions options = RMSNORM_OPTIONS;
  return rmsnorm_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t rmsnorm_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
RmsnormStatus rmsnorm_run(RmsnormInstance* instance, const RmsnormInputs* in,
                          const RmsnormOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct RmsnormGraph RmsnormGraph;
RmsnormStatus rmsnorm_capture(RmsnormGraph** graph, RmsnormInstance* instance,
                              const RmsnormInputs* in, const RmsnormOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
RmsnormStatus rmsnorm_graph_launch(const RmsnormGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
RmsnormStatus rmsnorm_graph_update(RmsnormGraph* graph, const RmsnormInputs* in,
                                   const RmsnormOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* rmsnorm_graph_exec(const RmsnormGraph* graph);

// Its launches must be finished. NULL is allowed.
void rmsnorm_graph_destroy(RmsnormGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void rmsnorm_destroy(RmsnormInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* rmsnorm_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* rmsnorm_status_text(RmsnormStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct RmsnormInfo {
  uint32_t size;              // sizeof(RmsnormInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // RMSNORM_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as rmsnorm_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kRmsnormCanCapture
} RmsnormInfo;

const RmsnormInfo* rmsnorm_info(void);

#ifdef RMSNORM_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
