// boids.h: the C interface of boids, for C and C++; needs no CUDA header.
//
//   in   position  f32[256,2]
//   in   velocity  f32[256,2]
//   out  position  f32[256,2]
//   out  velocity  f32[256,2]
//
//   BoidsInstance* instance;
//   if (boids_create(&instance) != kBoidsOk) {
//     puts(boids_last_error());
//   }
//   boids_run(instance, &in, &out, stream);  // as often as needed
//   boids_destroy(instance);
//
// An instance belongs to one device: boids_run refuses to run while another one is current,
// boids_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in boids_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define BOIDS_INTERFACE 0x5dff2640e9777785ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef BOIDS_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum BoidsStatus {
  kBoidsOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kBoidsInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kBoidsOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kBoidsCudaError = 3,
  // The caller was compiled with a header of another interface.
  kBoidsOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kBoidsOtherDevice = 5,
  // There is no graph of a run: kBoidsCanCapture is 0.
  kBoidsCannotCapture = 7,
} BoidsStatus;

enum {
  kBoidsInputCount = 2,
  kBoidsOutputCount = 2,
  // 1 if boids_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kBoidsRunSynchronises = 0,
  // 1 if boids_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kBoidsCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kBoidsInPosition[] = {256, 2};
static const int64_t kBoidsInVelocity[] = {256, 2};
static const int64_t kBoidsOutPosition[] = {256, 2};
static const int64_t kBoidsOutVelocity[] = {256, 2};

// One input or output.
typedef struct BoidsTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} BoidsTensor;

// In the order of the structs below; the row after the last has no name.
extern const BoidsTensor kBoidsInputTable[];
extern const BoidsTensor kBoidsOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct BoidsInputs {
  const float* position;  // f32[256,2]
  const float* velocity;  // f32[256,2]
} BoidsInputs;

typedef struct BoidsOutputs {
  float* position;  // f32[256,2]
  float* velocity;  // f32[256,2]
} BoidsOutputs;

typedef struct BoidsInstance BoidsInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct BoidsOptions {
  uint32_t size;            // sizeof(BoidsOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // BOIDS_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // boids_workspace_bytes(). NULL: boids_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by boids_destroy, or by boids_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} BoidsOptions;

#define BOIDS_OPTIONS \
  {sizeof(BoidsOptions), -1, BOIDS_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: BOIDS_OPTIONS, as the library has them.
BoidsStatus boids_create_with(BoidsInstance** instance, const BoidsOptions* options);

// The same with BOIDS_OPTIONS. Compiled into the caller, whose interface is compared.
static inline BoidsStatus boids_create(BoidsInstance** instance) {
  const BoidsOptions options = BOIDS_OPTIONS;
  return boids_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t boids_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
BoidsStatus boids_run(BoidsInstance* instance, const BoidsInputs* in, const BoidsOutputs* out,
                      struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct BoidsGraph BoidsGraph;
BoidsStatus boids_capture(BoidsGraph** graph, BoidsInstance* instance, const BoidsInputs* in,
                          const BoidsOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
BoidsStatus boids_graph_launch(const BoidsGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
BoidsStatus boids_graph_update(BoidsGraph* graph, const BoidsInputs* in, const BoidsOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* boids_graph_exec(const BoidsGraph* graph);

// Its launches must be finished. NULL is allowed.
void boids_graph_destroy(BoidsGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void boids_destroy(BoidsInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* boids_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* boids_status_text(BoidsStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct BoidsInfo {
  uint32_t size;              // sizeof(BoidsInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // BOIDS_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as boids_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kBoidsCanCapture
} BoidsInfo;

const BoidsInfo* boids_info(void);

#ifdef BOIDS_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
