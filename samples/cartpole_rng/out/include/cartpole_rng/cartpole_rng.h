// cartpole_rng.h: the C interface of cartpole_rng, for C and C++; needs no CUDA header.
//
//   in   state     f32[64,4]
//   in   key       u32[2]
//   out  state     f32[64,4]
//   out  episodes  s32[64]
//
//   CartpoleRngInstance* instance;
//   if (cartpole_rng_create(&instance) != kCartpoleRngOk) {
//     puts(cartpole_rng_last_error());
//   }
//   cartpole_rng_run(instance, &in, &out, stream);  // as often as needed
//   cartpole_rng_destroy(instance);
//
// An instance belongs to one device: cartpole_rng_run refuses to run while another one is current,
// cartpole_rng_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in cartpole_rng_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define CARTPOLE_RNG_INTERFACE 0x27163a5564004f41ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CARTPOLE_RNG_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum CartpoleRngStatus {
  kCartpoleRngOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kCartpoleRngInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kCartpoleRngOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kCartpoleRngCudaError = 3,
  // The caller was compiled with a header of another interface.
  kCartpoleRngOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kCartpoleRngOtherDevice = 5,
  // There is no graph of a run: kCartpoleRngCanCapture is 0.
  kCartpoleRngCannotCapture = 7,
} CartpoleRngStatus;

enum {
  kCartpoleRngInputCount = 2,
  kCartpoleRngOutputCount = 2,
  // 1 if cartpole_rng_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kCartpoleRngRunSynchronises = 0,
  // 1 if cartpole_rng_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kCartpoleRngCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kCartpoleRngInState[] = {64, 4};
static const int64_t kCartpoleRngInKey[] = {2};
static const int64_t kCartpoleRngOutState[] = {64, 4};
static const int64_t kCartpoleRngOutEpisodes[] = {64};

// One input or output.
typedef struct CartpoleRngTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} CartpoleRngTensor;

// In the order of the structs below; the row after the last has no name.
extern const CartpoleRngTensor kCartpoleRngInputTable[];
extern const CartpoleRngTensor kCartpoleRngOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct CartpoleRngInputs {
  const float* state;   // f32[64,4]
  const uint32_t* key;  // u32[2]
} CartpoleRngInputs;

typedef struct CartpoleRngOutputs {
  float* state;   // f32[64,4]
  int* episodes;  // s32[64]
} CartpoleRngOutputs;

typedef struct CartpoleRngInstance CartpoleRngInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct CartpoleRngOptions {
  uint32_t size;            // sizeof(CartpoleRngOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // CARTPOLE_RNG_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // cartpole_rng_workspace_bytes(). NULL: cartpole_rng_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by cartpole_rng_destroy, or by cartpole_rng_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} CartpoleRngOptions;

#define CARTPOLE_RNG_OPTIONS \
  {sizeof(CartpoleRngOptions), -1, CARTPOLE_RNG_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: CARTPOLE_RNG_OPTIONS, as the library has them.
CartpoleRngStatus cartpole_rng_create_with(CartpoleRngInstance** instance,
                                           const CartpoleRngOptions* options);

// The same with CARTPOLE_RNG_OPTIONS. Compiled into the caller, whose interface is compared.
static inline CartpoleRngStatus cartpole_rng_create(CartpoleRngInstance** instance) {
  const CartpoleRngOptions options = CARTPOLE_RNG_OPTIONS;
  return cartpole_rng_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t cartpole_rng_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
CartpoleRngStatus cartpole_rng_run(CartpoleRngInstance* instance, const CartpoleRngInputs* in,
                                   const CartpoleRngOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct CartpoleRngGraph CartpoleRngGraph;
CartpoleRngStatus cartpole_rng_capture(CartpoleRngGraph** graph, CartpoleRngInstance* instance,
                                       const CartpoleRngInputs* in, const CartpoleRngOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
CartpoleRngStatus cartpole_rng_graph_launch(const CartpoleRngGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
CartpoleRngStatus cartpole_rng_graph_update(CartpoleRngGraph* graph, const CartpoleRngInputs* in,
                                            const CartpoleRngOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* cartpole_rng_graph_exec(const CartpoleRngGraph* graph);

// Its launches must be finished. NULL is allowed.
void cartpole_rng_graph_destroy(CartpoleRngGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void cartpole_rng_destroy(CartpoleRngInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* cartpole_rng_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* cartpole_rng_status_text(CartpoleRngStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct CartpoleRngInfo {
  uint32_t size;              // sizeof(CartpoleRngInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // CARTPOLE_RNG_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as cartpole_rng_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kCartpoleRngCanCapture
} CartpoleRngInfo;

const CartpoleRngInfo* cartpole_rng_info(void);

#ifdef CARTPOLE_RNG_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
