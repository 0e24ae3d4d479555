// monte_carlo_pi.h: the C interface of monte_carlo_pi, for C and C++; needs no CUDA header.
//
//   in   seed      u32[2]
//   out  estimate  f32[]
//
//   MonteCarloPiInstance* instance;
//   if (monte_carlo_pi_create(&instance) != kMonteCarloPiOk) {
//     puts(monte_carlo_pi_last_error());
//   }
//   monte_carlo_pi_run(instance, &in, &out, stream);  // as often as needed
//   monte_carlo_pi_destroy(instance);
//
// An instance belongs to one device: monte_carlo_pi_run refuses to run while another one is current,
// monte_carlo_pi_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in monte_carlo_pi_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define MONTE_CARLO_PI_INTERFACE 0xf465f94a0409f3a6ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef MONTE_CARLO_PI_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum MonteCarloPiStatus {
  kMonteCarloPiOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kMonteCarloPiInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kMonteCarloPiOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kMonteCarloPiCudaError = 3,
  // The caller was compiled with a header of another interface.
  kMonteCarloPiOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kMonteCarloPiOtherDevice = 5,
  // There is no graph of a run: kMonteCarloPiCanCapture is 0.
  kMonteCarloPiCannotCapture = 7,
} MonteCarloPiStatus;

enum {
  kMonteCarloPiInputCount = 1,
  kMonteCarloPiOutputCount = 1,
  // 1 if monte_carlo_pi_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kMonteCarloPiRunSynchronises = 0,
  // 1 if monte_carlo_pi_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kMonteCarloPiCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kMonteCarloPiInSeed[] = {2};

// One input or output.
typedef struct MonteCarloPiTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} MonteCarloPiTensor;

// In the order of the structs below; the row after the last has no name.
extern const MonteCarloPiTensor kMonteCarloPiInputTable[];
extern const MonteCarloPiTensor kMonteCarloPiOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct MonteCarloPiInputs {
  const uint32_t* seed;  // u32[2]
} MonteCarloPiInputs;

typedef struct MonteCarloPiOutputs {
  float* estimate;  // f32[]
} MonteCarloPiOutputs;

typedef struct MonteCarloPiInstance MonteCarloPiInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct MonteCarloPiOptions {
  uint32_t size;            // sizeof(MonteCarloPiOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // MONTE_CARLO_PI_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // monte_carlo_pi_workspace_bytes(). NULL: monte_carlo_pi_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by monte_carlo_pi_destroy, or by monte_carlo_pi_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} MonteCarloPiOptions;

#define MONTE_CARLO_PI_OPTIONS \
  {sizeof(MonteCarloPiOptions), -1, MONTE_CARLO_PI_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: MONTE_CARLO_PI_OPTIONS, as the library has them.
MonteCarloPiStatus monte_carlo_pi_create_with(MonteCarloPiInstance** instance,
                                              const MonteCarloPiOptions* options);

// The same with MONTE_CARLO_PI_OPTIONS. Compiled into the caller, whose interface is compared.
static inline MonteCarloPiStatus monte_carlo_pi_create(MonteCarloPiInstance** instance) {
  const MonteCarloPiOptions options = MONTE_CARLO_PI_OPTIONS;
  return monte_carlo_pi_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t monte_carlo_pi_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
MonteCarloPiStatus monte_carlo_pi_run(MonteCarloPiInstance* instance, const MonteCarloPiInputs* in,
                                      const MonteCarloPiOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct MonteCarloPiGraph MonteCarloPiGraph;
MonteCarloPiStatus monte_carlo_pi_capture(MonteCarloPiGraph** graph, MonteCarloPiInstance* instance,
                                          const MonteCarloPiInputs* in,
                                          const MonteCarloPiOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
MonteCarloPiStatus monte_carlo_pi_graph_launch(const MonteCarloPiGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
MonteCarloPiStatus monte_carlo_pi_graph_update(MonteCarloPiGraph* graph,
                                               const MonteCarloPiInputs* in,
                                               const MonteCarloPiOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* monte_carlo_pi_graph_exec(const MonteCarloPiGraph* graph);

// Its launches must be finished. NULL is allowed.
void monte_carlo_pi_graph_destroy(MonteCarloPiGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void monte_carlo_pi_destroy(MonteCarloPiInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* monte_carlo_pi_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* monte_carlo_pi_status_text(MonteCarloPiStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct MonteCarloPiInfo {
  uint32_t size;              // sizeof(MonteCarloPiInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // MONTE_CARLO_PI_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as monte_carlo_pi_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kMonteCarloPiCanCapture
} MonteCarloPiInfo;

const MonteCarloPiInfo* monte_carlo_pi_info(void);

#ifdef MONTE_CARLO_PI_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
