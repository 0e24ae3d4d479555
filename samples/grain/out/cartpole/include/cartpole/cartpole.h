// cartpole.h: the C interface of cartpole, for C and C++; needs no CUDA header.
//
//   in   start_x           f32[64]
//   in   start_x_dot       f32[64]
//   in   start_theta       f32[64]
//   in   start_theta_dot   f32[64]
//   in   actions           s32[16,64]
//   in   starts_x          f32[16,64]
//   in   starts_x_dot      f32[16,64]
//   in   starts_theta      f32[16,64]
//   in   starts_theta_dot  f32[16,64]
//   out  state_x           f32[64]
//   out  state_x_dot       f32[64]
//   out  state_theta       f32[64]
//   out  state_theta_dot   f32[64]
//   out  episodes          s32[64]
//
//   CartpoleInstance* instance;
//   if (cartpole_create(&instance) != kCartpoleOk) {
//     puts(cartpole_last_error());
//   }
//   cartpole_run(instance, &in, &out, stream);  // as often as needed
//   cartpole_destroy(instance);
//
// An instance belongs to one device: cartpole_run refuses to run while another one is current,
// cartpole_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in cartpole_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define CARTPOLE_INTERFACE 0xc5592127389184feULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CARTPOLE_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum CartpoleStatus {
  kCartpoleOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kCartpoleInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kCartpoleOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kCartpoleCudaError = 3,
  // The caller was compiled with a header of another interface.
  kCartpoleOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kCartpoleOtherDevice = 5,
  // There is no graph of a run: kCartpoleCanCapture is 0.
  kCartpoleCannotCapture = 7,
} CartpoleStatus;

enum {
  kCartpoleInputCount = 9,
  kCartpoleOutputCount = 5,
  // 1 if cartpole_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kCartpoleRunSynchronises = 0,
  // 1 if cartpole_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kCartpoleCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kCartpoleInStartX[] = {64};
static const int64_t kCartpoleInStartXDot[] = {64};
static const int64_t kCartpoleInStartTheta[] = {64};
static const int64_t kCartpoleInStartThetaDot[] = {64};
static const int64_t kCartpoleInActions[] = {16, 64};
static const int64_t kCartpoleInStartsX[] = {16, 64};
static const int64_t kCartpoleInStartsXDot[] = {16, 64};
static const int64_t kCartpoleInStartsTheta[] = {16, 64};
static const int64_t kCartpoleInStartsThetaDot[] = {16, 64};
static const int64_t kCartpoleOutStateX[] = {64};
static const int64_t kCartpoleOutStateXDot[] = {64};
static const int64_t kCartpoleOutStateTheta[] = {64};
static const int64_t kCartpoleOutStateThetaDot[] = {64};
static const int64_t kCartpoleOutEpisodes[] = {64};

// One input or output.
typedef struct CartpoleTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} CartpoleTensor;

// In the order of the structs below; the row after the last has no name.
extern const CartpoleTensor kCartpoleInputTable[];
extern const CartpoleTensor kCartpoleOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct CartpoleInputs {
  const float* start_x;           // f32[64]
  const float* start_x_dot;       // f32[64]
  const float* start_theta;       // f32[64]
  const float* start_theta_dot;   // f32[64]
  const int* actions;             // s32[16,64]
  const float* starts_x;          // f32[16,64]
  const float* starts_x_dot;      // f32[16,64]
  const float* starts_theta;      // f32[16,64]
  const float* starts_theta_dot;  // f32[16,64]
} CartpoleInputs;

typedef struct CartpoleOutputs {
  float* state_x;          // f32[64]
  float* state_x_dot;      // f32[64]
  float* state_theta;      // f32[64]
  float* state_theta_dot;  // f32[64]
  int* episodes;           // s32[64]
} CartpoleOutputs;

typedef struct CartpoleInstance CartpoleInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct CartpoleOptions {
  uint32_t size;            // sizeof(CartpoleOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // CARTPOLE_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // cartpole_workspace_bytes(). NULL: cartpole_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by cartpole_destroy, or by cartpole_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} CartpoleOptions;

#define CARTPOLE_OPTIONS \
  {sizeof(CartpoleOptions), -1, CARTPOLE_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: CARTPOLE_OPTIONS, as the library has them.
CartpoleStatus cartpole_create_with(CartpoleInstance** instance, const CartpoleOptions* options);

// The same with CARTPOLE_OPTIONS. Compiled into the caller, whose interface is compared.
static inline CartpoleStatus cartpole_create(CartpoleInstance** instance) {
  const CartpoleOptions options = CARTPOLE_OPTIONS;
  return cartpole_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t cartpole_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
CartpoleStatus cartpole_run(CartpoleInstance* instance, const CartpoleInputs* in,
                            const CartpoleOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct CartpoleGraph CartpoleGraph;
CartpoleStatus cartpole_capture(CartpoleGraph** graph, CartpoleInstance* instance,
                                const CartpoleInputs* in, const CartpoleOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
CartpoleStatus cartpole_graph_launch(const CartpoleGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
CartpoleStatus cartpole_graph_update(CartpoleGraph* graph, const CartpoleInputs* in,
                                     const CartpoleOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* cartpole_graph_exec(const CartpoleGraph* graph);

// Its launches must be finished. NULL is allowed.
void cartpole_graph_destroy(CartpoleGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void cartpole_destroy(CartpoleInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* cartpole_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* cartpole_status_text(CartpoleStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct CartpoleInfo {
  uint32_t size;              // sizeof(CartpoleInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // CARTPOLE_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as cartpole_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kCartpoleCanCapture
} CartpoleInfo;

const CartpoleInfo* cartpole_info(void);

#ifdef CARTPOLE_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
