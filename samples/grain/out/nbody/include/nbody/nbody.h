// nbody.h: the C interface of nbody, for C and C++; needs no CUDA header.
//
//   in   position0  f32[48,3]
//   in   velocity0  f32[48,3]
//   in   mass       f32[48]
//   out  position   f32[48,3]
//   out  velocity   f32[48,3]
//
//   NbodyInstance* instance;
//   if (nbody_create(&instance) != kNbodyOk) {
//     puts(nbody_last_error());
//   }
//   nbody_run(instance, &in, &out, stream);  // as often as needed
//   nbody_destroy(instance);
//
// An instance belongs to one device: nbody_run refuses to run while another one is current,
// nbody_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in nbody_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define NBODY_INTERFACE 0xc82fb3908a88359bULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef NBODY_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum NbodyStatus {
  kNbodyOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kNbodyInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kNbodyOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kNbodyCudaError = 3,
  // The caller was compiled with a header of another interface.
  kNbodyOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kNbodyOtherDevice = 5,
  // There is no graph of a run: kNbodyCanCapture is 0.
  kNbodyCannotCapture = 7,
} NbodyStatus;

enum {
  kNbodyInputCount = 3,
  kNbodyOutputCount = 2,
  // 1 if nbody_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kNbodyRunSynchronises = 0,
  // 1 if nbody_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kNbodyCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kNbodyInPosition0[] = {48, 3};
static const int64_t kNbodyInVelocity0[] = {48, 3};
static const int64_t kNbodyInMass[] = {48};
static const int64_t kNbodyOutPosition[] = {48, 3};
static const int64_t kNbodyOutVelocity[] = {48, 3};

// One input or output.
typedef struct NbodyTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} NbodyTensor;

// In the order of the structs below; the row after the last has no name.
extern const NbodyTensor kNbodyInputTable[];
extern const NbodyTensor kNbodyOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct NbodyInputs {
  const float* position0;  // f32[48,3]
  const float* velocity0;  // f32[48,3]
  const float* mass;       // f32[48]
} NbodyInputs;

typedef struct NbodyOutputs {
  float* position;  // f32[48,3]
  float* velocity;  // f32[48,3]
} NbodyOutputs;

typedef struct NbodyInstance NbodyInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct NbodyOptions {
  uint32_t size;            // sizeof(NbodyOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // NBODY_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // nbody_workspace_bytes(). NULL: nbody_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by nbody_destroy, or by nbody_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} NbodyOptions;

#define NBODY_OPTIONS \
  {sizeof(NbodyOptions), -1, NBODY_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: NBODY_OPTIONS, as the library has them.
NbodyStatus nbody_create_with(NbodyInstance** instance, const NbodyOptions* options);

// The same with NBODY_OPTIONS. Compiled into the caller, whose interface is compared.
static inline NbodyStatus nbody_create(NbodyInstance** instance) {
  const NbodyOptions options = NBODY_OPTIONS;
  return nbody_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t nbody_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
NbodyStatus nbody_run(NbodyInstance* instance, const NbodyInputs* in, const NbodyOutputs* out,
                      struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct NbodyGraph NbodyGraph;
NbodyStatus nbody_capture(NbodyGraph** graph, NbodyInstance* instance, const NbodyInputs* in,
                          const NbodyOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
NbodyStatus nbody_graph_launch(const NbodyGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
NbodyStatus nbody_graph_update(NbodyGraph* graph, const NbodyInputs* in, const NbodyOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* nbody_graph_exec(const NbodyGraph* graph);

// Its launches must be finished. NULL is allowed.
void nbody_graph_destroy(NbodyGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void nbody_destroy(NbodyInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* nbody_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* nbody_status_text(NbodyStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct NbodyInfo {
  uint32_t size;              // sizeof(NbodyInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // NBODY_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as nbody_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kNbodyCanCapture
} NbodyInfo;

const NbodyInfo* nbody_info(void);

#ifdef NBODY_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
