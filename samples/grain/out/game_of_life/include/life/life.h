// life.h: the C interface of life, for C and C++; needs no CUDA header.
//
//   in   start  u8[64,96]
//   out  world  u8[64,96]
//   out  alive  s32[100]
//
//   LifeInstance* instance;
//   if (life_create(&instance) != kLifeOk) {
//     puts(life_last_error());
//   }
//   life_run(instance, &in, &out, stream);  // as often as needed
//   life_destroy(instance);
//
// An instance belongs to one device: life_run refuses to run while another one is current,
// life_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in life_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define LIFE_INTERFACE 0xdfc66967f11d6367ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef LIFE_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum LifeStatus {
  kLifeOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kLifeInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kLifeOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kLifeCudaError = 3,
  // The caller was compiled with a header of another interface.
  kLifeOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kLifeOtherDevice = 5,
  // There is no graph of a run: kLifeCanCapture is 0.
  kLifeCannotCapture = 7,
} LifeStatus;

enum {
  kLifeInputCount = 1,
  kLifeOutputCount = 2,
  // 1 if life_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kLifeRunSynchronises = 0,
  // 1 if life_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kLifeCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kLifeInStart[] = {64, 96};
static const int64_t kLifeOutWorld[] = {64, 96};
static const int64_t kLifeOutAlive[] = {100};

// One input or output.
typedef struct LifeTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} LifeTensor;

// In the order of the structs below; the row after the last has no name.
extern const LifeTensor kLifeInputTable[];
extern const LifeTensor kLifeOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct LifeInputs {
  const uint8_t* start;  // u8[64,96]
} LifeInputs;

typedef struct LifeOutputs {
  uint8_t* world;  // u8[64,96]
  int* alive;      // s32[100]
} LifeOutputs;

typedef struct LifeInstance LifeInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct LifeOptions {
  uint32_t size;            // sizeof(LifeOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // LIFE_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // life_workspace_bytes(). NULL: life_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by life_destroy, or by life_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} LifeOptions;

#define LIFE_OPTIONS \
  {sizeof(LifeOptions), -1, LIFE_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: LIFE_OPTIONS, as the library has them.
LifeStatus life_create_with(LifeInstance** instance, const LifeOptions* options);

// The same with LIFE_OPTIONS. Compiled into the caller, whose interface is compared.
static inline LifeStatus life_create(LifeInstance** instance) {
  const LifeOptions options = LIFE_OPTIONS;
  return life_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t life_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
LifeStatus life_run(LifeInstance* instance, const LifeInputs* in, const LifeOutputs* out,
                    struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct LifeGraph LifeGraph;
LifeStatus life_capture(LifeGraph** graph, LifeInstance* instance, const LifeInputs* in,
                        const LifeOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
LifeStatus life_graph_launch(const LifeGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
LifeStatus life_graph_update(LifeGraph* graph, const LifeInputs* in, const LifeOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* life_graph_exec(const LifeGraph* graph);

// Its launches must be finished. NULL is allowed.
void life_graph_destroy(LifeGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void life_destroy(LifeInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* life_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* life_status_text(LifeStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct LifeInfo {
  uint32_t size;              // sizeof(LifeInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // LIFE_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as life_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kLifeCanCapture
} LifeInfo;

const LifeInfo* life_info(void);

#ifdef LIFE_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
