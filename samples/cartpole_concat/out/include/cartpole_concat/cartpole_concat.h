// cartpole_concat.h: the C interface of cartpole_concat, for C and C++; needs no CUDA header.
//
//   in   state     f32[64,4]
//   in   actions   s32[16,64]
//   in   starts    f32[16,64,4]
//   out  state     f32[64,4]
//   out  episodes  s32[64]
//
//   CartpoleConcatInstance* instance;
//   if (cartpole_concat_create(&instance) != kCartpoleConcatOk) {
//     puts(cartpole_concat_last_error());
//   }
//   cartpole_concat_run(instance, &in, &out, stream);  // as often as needed
//   cartpole_concat_destroy(instance);
//
// An instance belongs to one device: cartpole_concat_run refuses to run while another one is current,
// cartpole_concat_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in cartpole_concat_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define CARTPOLE_CONCAT_INTERFACE 0xefa19f790be829a7ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CARTPOLE_CONCAT_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum CartpoleConcatStatus {
  kCartpoleConcatOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kCartpoleConcatInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kCartpoleConcatOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kCartpoleConcatCudaError = 3,
  // The caller was compiled with a header of another interface.
  kCartpoleConcatOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kCartpoleConcatOtherDevice = 5,
  // There is no graph of a run: kCartpoleConcatCanCapture is 0.
  kCartpoleConcatCannotCapture = 7,
} CartpoleConcatStatus;

enum {
  kCartpoleConcatInputCount = 3,
  kCartpoleConcatOutputCount = 2,
  // 1 if cartpole_concat_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kCartpoleConcatRunSynchronises = 0,
  // 1 if cartpole_concat_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kCartpoleConcatCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kCartpoleConcatInState[] = {64, 4};
static const int64_t kCartpoleConcatInActions[] = {16, 64};
static const int64_t kCartpoleConcatInStarts[] = {16, 64, 4};
static const int64_t kCartpoleConcatOutState[] = {64, 4};
static const int64_t kCartpoleConcatOutEpisodes[] = {64};

// One input or output.
typedef struct CartpoleConcatTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} CartpoleConcatTensor;

// In the order of the structs below; the row after the last has no name.
extern const CartpoleConcatTensor kCartpoleConcatInputTable[];
extern const CartpoleConcatTensor kCartpoleConcatOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct CartpoleConcatInputs {
  const float* state;   // f32[64,4]
  const int* actions;   // s32[16,64]
  const float* starts;  // f32[16,64,4]
} CartpoleConcatInputs;

typedef struct CartpoleConcatOutputs {
  float* state;   // f32[64,4]
  int* episodes;  // s32[64]
} CartpoleConcatOutputs;

typedef struct CartpoleConcatInstance CartpoleConcatInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct CartpoleConcatOptions {
  uint32_t size;            // sizeof(CartpoleConcatOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // CARTPOLE_CONCAT_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // cartpole_concat_workspace_bytes(). NULL: cartpole_concat_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by cartpole_concat_destroy, or by cartpole_concat_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} CartpoleConcatOptions;

#define CARTPOLE_CONCAT_OPTIONS \
  {sizeof(CartpoleConcatOptions), -1, CARTPOLE_CONCAT_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: CARTPOLE_CONCAT_OPTIONS, as the library has them.
CartpoleConcatStatus cartpole_concat_create_with(CartpoleConcatInstance** instance,
                                                 const CartpoleConcatOptions* options);

// The same with CARTPOLE_CONCAT_OPTIONS. Compiled into the caller, whose interface is compared.
static inline CartpoleConcatStatus cartpole_concat_create(CartpoleConcatInstance** instance) {
  const CartpoleConcatOptions options = CARTPOLE_CONCAT_OPTIONS;
  return cartpole_concat_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t cartpole_concat_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
CartpoleConcatStatus cartpole_concat_run(CartpoleConcatInstance* instance,
                                         const CartpoleConcatInputs* in,
                                         const CartpoleConcatOutputs* out,
                                         struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct CartpoleConcatGraph CartpoleConcatGraph;
CartpoleConcatStatus cartpole_concat_capture(CartpoleConcatGraph** graph,
                                             CartpoleConcatInstance* instance,
                                             const CartpoleConcatInputs* in,
                                             const CartpoleConcatOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
CartpoleConcatStatus cartpole_concat_graph_launch(const CartpoleConcatGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
CartpoleConcatStatus cartpole_concat_graph_update(CartpoleConcatGraph* graph,
                                                  const CartpoleConcatInputs* in,
                                                  const CartpoleConcatOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* cartpole_concat_graph_exec(const CartpoleConcatGraph* graph);

// Its launches must be finished. NULL is allowed.
void cartpole_concat_graph_destroy(CartpoleConcatGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void cartpole_concat_destroy(CartpoleConcatInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* cartpole_concat_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* cartpole_concat_status_text(CartpoleConcatStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct CartpoleConcatInfo {
  uint32_t size;              // sizeof(CartpoleConcatInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // CARTPOLE_CONCAT_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as cartpole_concat_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kCartpoleConcatCanCapture
} CartpoleConcatInfo;

const CartpoleConcatInfo* cartpole_concat_info(void);

#ifdef CARTPOLE_CONCAT_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
