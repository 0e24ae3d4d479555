// lorenz_rk4.h: the C interface of lorenz_rk4, for C and C++; needs no CUDA header.
//
//   in   x       f32[64]
//   in   y       f32[64]
//   in   z       f32[64]
//   out  x       f32[64]
//   out  y       f32[64]
//   out  z       f32[64]
//   out  joined  f32[40,3]
//
//   LorenzRk4Instance* instance;
//   if (lorenz_rk4_create(&instance) != kLorenzRk4Ok) {
//     puts(lorenz_rk4_last_error());
//   }
//   lorenz_rk4_run(instance, &in, &out, stream);  // as often as needed
//   lorenz_rk4_destroy(instance);
//
// An instance belongs to one device: lorenz_rk4_run refuses to run while another one is current,
// lorenz_rk4_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in lorenz_rk4_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define LORENZ_RK4_INTERFACE 0x452008feda17912eULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef LORENZ_RK4_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum LorenzRk4Status {
  kLorenzRk4Ok = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kLorenzRk4InvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kLorenzRk4OutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kLorenzRk4CudaError = 3,
  // The caller was compiled with a header of another interface.
  kLorenzRk4OtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kLorenzRk4OtherDevice = 5,
  // There is no graph of a run: kLorenzRk4CanCapture is 0.
  kLorenzRk4CannotCapture = 7,
} LorenzRk4Status;

enum {
  kLorenzRk4InputCount = 3,
  kLorenzRk4OutputCount = 4,
  // 1 if lorenz_rk4_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kLorenzRk4RunSynchronises = 0,
  // 1 if lorenz_rk4_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kLorenzRk4CanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kLorenzRk4InX[] = {64};
static const int64_t kLorenzRk4InY[] = {64};
static const int64_t kLorenzRk4InZ[] = {64};
static const int64_t kLorenzRk4OutX[] = {64};
static const int64_t kLorenzRk4OutY[] = {64};
static const int64_t kLorenzRk4OutZ[] = {64};
static const int64_t kLorenzRk4OutJoined[] = {40, 3};

// One input or output.
typedef struct LorenzRk4Tensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} LorenzRk4Tensor;

// In the order of the structs below; the row after the last has no name.
extern const LorenzRk4Tensor kLorenzRk4InputTable[];
extern const LorenzRk4Tensor kLorenzRk4OutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct LorenzRk4Inputs {
  const float* x;  // f32[64]
  const float* y;  // f32[64]
  const float* z;  // f32[64]
} LorenzRk4Inputs;

typedef struct LorenzRk4Outputs {
  float* x;       // f32[64]
  float* y;       // f32[64]
  float* z;       // f32[64]
  float* joined;  // f32[40,3]
} LorenzRk4Outputs;

typedef struct LorenzRk4Instance LorenzRk4Instance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct LorenzRk4Options {
  uint32_t size;            // sizeof(LorenzRk4Options), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // LORENZ_RK4_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // lorenz_rk4_workspace_bytes(). NULL: lorenz_rk4_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by lorenz_rk4_destroy, or by lorenz_rk4_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} LorenzRk4Options;

#define LORENZ_RK4_OPTIONS \
  {sizeof(LorenzRk4Options), -1, LORENZ_RK4_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: LORENZ_RK4_OPTIONS, as the library has them.
LorenzRk4Status lorenz_rk4_create_with(LorenzRk4Instance** instance,
                                       const LorenzRk4Options* options);

// The same with LORENZ_RK4_OPTIONS. Compiled into the caller, whose interface is compared.
static inline LorenzRk4Status lorenz_rk4_create(LorenzRk4Instance** instance) {
  const LorenzRk4Options options = LORENZ_RK4_OPTIONS;
  return lorenz_rk4_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t lorenz_rk4_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
LorenzRk4Status lorenz_rk4_run(LorenzRk4Instance* instance, const LorenzRk4Inputs* in,
                               const LorenzRk4Outputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct LorenzRk4Graph LorenzRk4Graph;
LorenzRk4Status lorenz_rk4_capture(LorenzRk4Graph** graph, LorenzRk4Instance* instance,
                                   const LorenzRk4Inputs* in, const LorenzRk4Outputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
LorenzRk4Status lorenz_rk4_graph_launch(const LorenzRk4Graph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
LorenzRk4Status lorenz_rk4_graph_update(LorenzRk4Graph* graph, const LorenzRk4Inputs* in,
                                        const LorenzRk4Outputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* lorenz_rk4_graph_exec(const LorenzRk4Graph* graph);

// Its launches must be finished. NULL is allowed.
void lorenz_rk4_graph_destroy(LorenzRk4Graph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void lorenz_rk4_destroy(LorenzRk4Instance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* lorenz_rk4_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* lorenz_rk4_status_text(LorenzRk4Status status);

// What the library is. Later versions may have more fields, at the end.
typedef struct LorenzRk4Info {
  uint32_t size;              // sizeof(LorenzRk4Info), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // LORENZ_RK4_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as lorenz_rk4_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kLorenzRk4CanCapture
} LorenzRk4Info;

const LorenzRk4Info* lorenz_rk4_info(void);

#ifdef LORENZ_RK4_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
