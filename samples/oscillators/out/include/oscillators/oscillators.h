// oscillators.h: the C interface of oscillators, for C and C++; needs no CUDA header.
//
//   in   x       f32[4096]
//   in   v       f32[4096]
//   out  x       f32[4096]
//   out  v       f32[4096]
//   out  scaled  f32[]
//   out  energy  f32[40]
//   out  part    f32[40]
//   out  part_2  s32[40]
//
//   OscillatorsInstance* instance;
//   if (oscillators_create(&instance) != kOscillatorsOk) {
//     puts(oscillators_last_error());
//   }
//   oscillators_run(instance, &in, &out, stream);  // as often as needed
//   oscillators_destroy(instance);
//
// An instance belongs to one device: oscillators_run refuses to run while another one is current,
// oscillators_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in oscillators_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define OSCILLATORS_INTERFACE 0xa6a068131fa0ceaaULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef OSCILLATORS_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum OscillatorsStatus {
  kOscillatorsOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kOscillatorsInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kOscillatorsOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kOscillatorsCudaError = 3,
  // The caller was compiled with a header of another interface.
  kOscillatorsOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kOscillatorsOtherDevice = 5,
  // There is no graph of a run: kOscillatorsCanCapture is 0.
  kOscillatorsCannotCapture = 7,
} OscillatorsStatus;

enum {
  kOscillatorsInputCount = 2,
  kOscillatorsOutputCount = 6,
  // 1 if oscillators_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kOscillatorsRunSynchronises = 0,
  // 1 if oscillators_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kOscillatorsCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kOscillatorsInX[] = {4096};
static const int64_t kOscillatorsInV[] = {4096};
static const int64_t kOscillatorsOutX[] = {4096};
static const int64_t kOscillatorsOutV[] = {4096};
static const int64_t kOscillatorsOutEnergy[] = {40};
static const int64_t kOscillatorsOutPart[] = {40};
static const int64_t kOscillatorsOutPart2[] = {40};

// One input or output.
typedef struct OscillatorsTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} OscillatorsTensor;

// In the order of the structs below; the row after the last has no name.
extern const OscillatorsTensor kOscillatorsInputTable[];
extern const OscillatorsTensor kOscillatorsOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct OscillatorsInputs {
  const float* x;  // f32[4096]
  const float* v;  // f32[4096]
} OscillatorsInputs;

typedef struct OscillatorsOutputs {
  float* x;       // f32[4096]
  float* v;       // f32[4096]
  float* scaled;  // f32[]
  float* energy;  // f32[40]
  float* part;    // f32[40]
  int* part_2;    // s32[40]
} OscillatorsOutputs;

typedef struct OscillatorsInstance OscillatorsInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct OscillatorsOptions {
  uint32_t size;            // sizeof(OscillatorsOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // OSCILLATORS_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // oscillators_workspace_bytes(). NULL: oscillators_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by oscillators_destroy, or by oscillators_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} OscillatorsOptions;

#define OSCILLATORS_OPTIONS \
  {sizeof(OscillatorsOptions), -1, OSCILLATORS_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: OSCILLATORS_OPTIONS, as the library has them.
OscillatorsStatus oscillators_create_with(OscillatorsInstance** instance,
                                          const OscillatorsOptions* options);

// The same with OSCILLATORS_OPTIONS. Compiled into the caller, whose interface is compared.
static inline OscillatorsStatus oscillators_create(OscillatorsInstance** instance) {
  const OscillatorsOptions options = OSCILLATORS_OPTIONS;
  return oscillators_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t oscillators_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
OscillatorsStatus oscillators_run(OscillatorsInstance* instance, const OscillatorsInputs* in,
                                  const OscillatorsOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct OscillatorsGraph OscillatorsGraph;
OscillatorsStatus oscillators_capture(OscillatorsGraph** graph, OscillatorsInstance* instance,
                                      const OscillatorsInputs* in, const OscillatorsOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
OscillatorsStatus oscillators_graph_launch(const OscillatorsGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
OscillatorsStatus oscillators_graph_update(OscillatorsGraph* graph, const OscillatorsInputs* in,
                                           const OscillatorsOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* oscillators_graph_exec(const OscillatorsGraph* graph);

// Its launches must be finished. NULL is allowed.
void oscillators_graph_destroy(OscillatorsGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void oscillators_destroy(OscillatorsInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* oscillators_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* oscillators_status_text(OscillatorsStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct OscillatorsInfo {
  uint32_t size;              // sizeof(OscillatorsInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // OSCILLATORS_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as oscillators_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kOscillatorsCanCapture
} OscillatorsInfo;

const OscillatorsInfo* oscillators_info(void);

#ifdef OSCILLATORS_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
