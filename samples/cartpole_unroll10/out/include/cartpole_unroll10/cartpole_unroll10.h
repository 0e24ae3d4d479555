// cartpole_unroll10.h: the C interface of cartpole_unroll10, for C and C++; needs no CUDA header.
//
//   in   state_0   f32[64]
//   in   state_1   f32[64]
//   in   state_2   f32[64]
//   in   state_3   f32[64]
//   in   actions   s32[16,64]
//   in   starts_0  f32[16,64]
//   in   starts_1  f32[16,64]
//   in   starts_2  f32[16,64]
//   in   starts_3  f32[16,64]
//   out  state_0   f32[64]
//   out  state_1   f32[64]
//   out  state_2   f32[64]
//   out  state_3   f32[64]
//   out  episodes  s32[64]
//
//   CartpoleUnroll10Instance* instance;
//   if (cartpole_unroll10_create(&instance) != kCartpoleUnroll10Ok) {
//     puts(cartpole_unroll10_last_error());
//   }
//   cartpole_unroll10_run(instance, &in, &out, stream);  // as often as needed
//   cartpole_unroll10_destroy(instance);
//
// An instance belongs to one device: cartpole_unroll10_run refuses to run while another one is current,
// cartpole_unroll10_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in cartpole_unroll10_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define CARTPOLE_UNROLL10_INTERFACE 0x96d8e1e4ea693791ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CARTPOLE_UNROLL10_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum CartpoleUnroll10Status {
  kCartpoleUnroll10Ok = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kCartpoleUnroll10InvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kCartpoleUnroll10OutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kCartpoleUnroll10CudaError = 3,
  // The caller was compiled with a header of another interface.
  kCartpoleUnroll10OtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kCartpoleUnroll10OtherDevice = 5,
  // There is no graph of a run: kCartpoleUnroll10CanCapture is 0.
  kCartpoleUnroll10CannotCapture = 7,
} CartpoleUnroll10Status;

enum {
  kCartpoleUnroll10InputCount = 9,
  kCartpoleUnroll10OutputCount = 5,
  // 1 if cartpole_unroll10_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kCartpoleUnroll10RunSynchronises = 0,
  // 1 if cartpole_unroll10_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kCartpoleUnroll10CanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kCartpoleUnroll10InState0[] = {64};
static const int64_t kCartpoleUnroll10InState1[] = {64};
static const int64_t kCartpoleUnroll10InState2[] = {64};
static const int64_t kCartpoleUnroll10InState3[] = {64};
static const int64_t kCartpoleUnroll10InActions[] = {16, 64};
static const int64_t kCartpoleUnroll10InStarts0[] = {16, 64};
static const int64_t kCartpoleUnroll10InStarts1[] = {16, 64};
static const int64_t kCartpoleUnroll10InStarts2[] = {16, 64};
static const int64_t kCartpoleUnroll10InStarts3[] = {16, 64};
static const int64_t kCartpoleUnroll10OutState0[] = {64};
static const int64_t kCartpoleUnroll10OutState1[] = {64};
static const int64_t kCartpoleUnroll10OutState2[] = {64};
static const int64_t kCartpoleUnroll10OutState3[] = {64};
static const int64_t kCartpoleUnroll10OutEpisodes[] = {64};

// One input or output.
typedef struct CartpoleUnroll10Tensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} CartpoleUnroll10Tensor;

// In the order of the structs below; the row after the last has no name.
extern const CartpoleUnroll10Tensor kCartpoleUnroll10InputTable[];
extern const CartpoleUnroll10Tensor kCartpoleUnroll10OutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct CartpoleUnroll10Inputs {
  const float* state_0;   // f32[64]
  const float* state_1;   // f32[64]
  const float* state_2;   // f32[64]
  const float* state_3;   // f32[64]
  const int* actions;     // s32[16,64]
  const float* starts_0;  // f32[16,64]
  const float* starts_1;  // f32[16,64]
  const float* starts_2;  // f32[16,64]
  const float* starts_3;  // f32[16,64]
} CartpoleUnroll10Inputs;

typedef struct CartpoleUnroll10Outputs {
  float* state_0;  // f32[64]
  float* state_1;  // f32[64]
  float* state_2;  // f32[64]
  float* state_3;  // f32[64]
  int* episodes;   // s32[64]
} CartpoleUnroll10Outputs;

typedef struct CartpoleUnroll10Instance CartpoleUnroll10Instance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct CartpoleUnroll10Options {
  uint32_t size;            // sizeof(CartpoleUnroll10Options), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // CARTPOLE_UNROLL10_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // cartpole_unroll10_workspace_bytes(). NULL: cartpole_unroll10_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by cartpole_unroll10_destroy, or by cartpole_unroll10_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} CartpoleUnroll10Options;

#define CARTPOLE_UNROLL10_OPTIONS \
  {sizeof(CartpoleUnroll10Options), -1, CARTPOLE_UNROLL10_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: CARTPOLE_UNROLL10_OPTIONS, as the library has them.
CartpoleUnroll10Status cartpole_unroll10_create_with(CartpoleUnroll10Instance** instance,
                                                     const CartpoleUnroll10Options* options);

// The same with CARTPOLE_UNROLL10_OPTIONS. Compiled into the caller, whose interface is compared.
static inline CartpoleUnroll10Status cartpole_unroll10_create(CartpoleUnroll10Instance** instance) {
  const CartpoleUnroll10Options options = CARTPOLE_UNROLL10_OPTIONS;
  return cartpole_unroll10_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t cartpole_unroll10_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
CartpoleUnroll10Status cartpole_unroll10_run(CartpoleUnroll10Instance* instance,
                                             const CartpoleUnroll10Inputs* in,
                                             const CartpoleUnroll10Outputs* out,
                                             struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct CartpoleUnroll10Graph CartpoleUnroll10Graph;
CartpoleUnroll10Status cartpole_unroll10_capture(CartpoleUnroll10Graph** graph,
                                                 CartpoleUnroll10Instance* instance,
                                                 const CartpoleUnroll10Inputs* in,
                                                 const CartpoleUnroll10Outputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
CartpoleUnroll10Status cartpole_unroll10_graph_launch(const CartpoleUnroll10Graph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
CartpoleUnroll10Status cartpole_unroll10_graph_update(CartpoleUnroll10Graph* graph,
                                                      const CartpoleUnroll10Inputs* in,
                                                      const CartpoleUnroll10Outputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* cartpole_unroll10_graph_exec(const CartpoleUnroll10Graph* graph);

// Its launches must be finished. NULL is allowed.
void cartpole_unroll10_graph_destroy(CartpoleUnroll10Graph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void cartpole_unroll10_destroy(CartpoleUnroll10Instance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* cartpole_unroll10_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* cartpole_unroll10_status_text(CartpoleUnroll10Status status);

// What the library is. Later versions may have more fields, at the end.
typedef struct CartpoleUnroll10Info {
  uint32_t size;              // sizeof(CartpoleUnroll10Info), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // CARTPOLE_UNROLL10_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as cartpole_unroll10_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kCartpoleUnroll10CanCapture
} CartpoleUnroll10Info;

const CartpoleUnroll10Info* cartpole_unroll10_info(void);

#ifdef CARTPOLE_UNROLL10_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
