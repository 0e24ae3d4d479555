// option_paths.h: the C interface of option_paths, for C and C++; needs no CUDA header.
//
//   in   spot        f32[]
//   in   strike      f32[]
//   in   volatility  f32[]
//   in   seed        u32[2]
//   out  price       f32[]
//   out  deviation   f32[]
//
//   OptionPathsInstance* instance;
//   if (option_paths_create(&instance) != kOptionPathsOk) {
//     puts(option_paths_last_error());
//   }
//   option_paths_run(instance, &in, &out, stream);  // as often as needed
//   option_paths_destroy(instance);
//
// An instance belongs to one device: option_paths_run refuses to run while another one is current,
// option_paths_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in option_paths_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define OPTION_PATHS_INTERFACE 0xa66c326eb9e5afa7ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef OPTION_PATHS_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum OptionPathsStatus {
  kOptionPathsOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kOptionPathsInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kOptionPathsOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kOptionPathsCudaError = 3,
  // The caller was compiled with a header of another interface.
  kOptionPathsOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kOptionPathsOtherDevice = 5,
  // There is no graph of a run: kOptionPathsCanCapture is 0.
  kOptionPathsCannotCapture = 7,
} OptionPathsStatus;

enum {
  kOptionPathsInputCount = 4,
  kOptionPathsOutputCount = 2,
  // 1 if option_paths_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kOptionPathsRunSynchronises = 0,
  // 1 if option_paths_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kOptionPathsCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kOptionPathsInSeed[] = {2};

// One input or output.
typedef struct OptionPathsTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} OptionPathsTensor;

// In the order of the structs below; the row after the last has no name.
extern const OptionPathsTensor kOptionPathsInputTable[];
extern const OptionPathsTensor kOptionPathsOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct OptionPathsInputs {
  const float* spot;        // f32[]
  const float* strike;      // f32[]
  const float* volatility;  // f32[]
  const uint32_t* seed;     // u32[2]
} OptionPathsInputs;

typedef struct OptionPathsOutputs {
  float* price;      // f32[]
  float* deviation;  // f32[]
} OptionPathsOutputs;

typedef struct OptionPathsInstance OptionPathsInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct OptionPathsOptions {
  uint32_t size;            // sizeof(OptionPathsOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // OPTION_PATHS_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // option_paths_workspace_bytes(). NULL: option_paths_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by option_paths_destroy, or by option_paths_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} OptionPathsOptions;

#define OPTION_PATHS_OPTIONS \
  {sizeof(OptionPathsOptions), -1, OPTION_PATHS_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: OPTION_PATHS_OPTIONS, as the library has them.
OptionPathsStatus option_paths_create_with(OptionPathsInstance** instance,
                                           const OptionPathsOptions* options);

// The same with OPTION_PATHS_OPTIONS. Compiled into the caller, whose interface is compared.
static inline OptionPathsStatus option_paths_create(OptionPathsInstance** instance) {
  const OptionPathsOptions options = OPTION_PATHS_OPTIONS;
  return option_paths_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t option_paths_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
OptionPathsStatus option_paths_run(OptionPathsInstance* instance, const OptionPathsInputs* in,
                                   const OptionPathsOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct OptionPathsGraph OptionPathsGraph;
OptionPathsStatus option_paths_capture(OptionPathsGraph** graph, OptionPathsInstance* instance,
                                       const OptionPathsInputs* in, const OptionPathsOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
OptionPathsStatus option_paths_graph_launch(const OptionPathsGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
OptionPathsStatus option_paths_graph_update(OptionPathsGraph* graph, const OptionPathsInputs* in,
                                            const OptionPathsOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* option_paths_graph_exec(const OptionPathsGraph* graph);

// Its launches must be finished. NULL is allowed.
void option_paths_graph_destroy(OptionPathsGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void option_paths_destroy(OptionPathsInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* option_paths_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* option_paths_status_text(OptionPathsStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct OptionPathsInfo {
  uint32_t size;              // sizeof(OptionPathsInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // OPTION_PATHS_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as option_paths_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kOptionPathsCanCapture
} OptionPathsInfo;

const OptionPathsInfo* option_paths_info(void);

#ifdef OPTION_PATHS_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
