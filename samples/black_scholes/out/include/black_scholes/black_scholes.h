// black_scholes.h: the C interface of black_scholes, for C and C++; needs no CUDA header.
//
//   in   spot        f32[512]
//   in   volatility  f32[512]
//   in   strike      f32[512]
//   in   years       f32[512]
//   in   rate        f32[]
//   out  value       f32[512]
//   out  delta       f32[512]
//   out  vega        f32[512]
//
//   BlackScholesInstance* instance;
//   if (black_scholes_create(&instance) != kBlackScholesOk) {
//     puts(black_scholes_last_error());
//   }
//   black_scholes_run(instance, &in, &out, stream);  // as often as needed
//   black_scholes_destroy(instance);
//
// An instance belongs to one device: black_scholes_run refuses to run while another one is current,
// black_scholes_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in black_scholes_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define BLACK_SCHOLES_INTERFACE 0x16faeea68200d7d3ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef BLACK_SCHOLES_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum BlackScholesStatus {
  kBlackScholesOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kBlackScholesInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kBlackScholesOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kBlackScholesCudaError = 3,
  // The caller was compiled with a header of another interface.
  kBlackScholesOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kBlackScholesOtherDevice = 5,
  // There is no graph of a run: kBlackScholesCanCapture is 0.
  kBlackScholesCannotCapture = 7,
} BlackScholesStatus;

enum {
  kBlackScholesInputCount = 5,
  kBlackScholesOutputCount = 3,
  // 1 if black_scholes_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kBlackScholesRunSynchronises = 0,
  // 1 if black_scholes_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kBlackScholesCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kBlackScholesInSpot[] = {512};
static const int64_t kBlackScholesInVolatility[] = {512};
static const int64_t kBlackScholesInStrike[] = {512};
static const int64_t kBlackScholesInYears[] = {512};
static const int64_t kBlackScholesOutValue[] = {512};
static const int64_t kBlackScholesOutDelta[] = {512};
static const int64_t kBlackScholesOutVega[] = {512};

// One input or output.
typedef struct BlackScholesTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} BlackScholesTensor;

// In the order of the structs below; the row after the last has no name.
extern const BlackScholesTensor kBlackScholesInputTable[];
extern const BlackScholesTensor kBlackScholesOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct BlackScholesInputs {
  const float* spot;        // f32[512]
  const float* volatility;  // f32[512]
  const float* strike;      // f32[512]
  const float* years;       // f32[512]
  const float* rate;        // f32[]
} BlackScholesInputs;

typedef struct BlackScholesOutputs {
  float* value;  // f32[512]
  float* delta;  // f32[512]
  float* vega;   // f32[512]
} BlackScholesOutputs;

typedef struct BlackScholesInstance BlackScholesInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct BlackScholesOptions {
  uint32_t size;            // sizeof(BlackScholesOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // BLACK_SCHOLES_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // black_scholes_workspace_bytes(). NULL: black_scholes_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by black_scholes_destroy, or by black_scholes_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} BlackScholesOptions;

#define BLACK_SCHOLES_OPTIONS \
  {sizeof(BlackScholesOptions), -1, BLACK_SCHOLES_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: BLACK_SCHOLES_OPTIONS, as the library has them.
BlackScholesStatus black_scholes_create_with(BlackScholesInstance** instance,
                                             const BlackScholesOptions* options);

// The same with BLACK_SCHOLES_OPTIONS. Compiled into the caller, whose interface is compared.
static inline BlackScholesStatus black_scholes_create(BlackScholesInstance** instance) {
  const BlackScholesOptions options = BLACK_SCHOLES_OPTIONS;
  return black_scholes_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t black_scholes_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
BlackScholesStatus black_scholes_run(BlackScholesInstance* instance, const BlackScholesInputs* in,
                                     const BlackScholesOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct BlackScholesGraph BlackScholesGraph;
BlackScholesStatus black_scholes_capture(BlackScholesGraph** graph, BlackScholesInstance* instance,
                                         const BlackScholesInputs* in,
                                         const BlackScholesOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
BlackScholesStatus black_scholes_graph_launch(const BlackScholesGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
BlackScholesStatus black_scholes_graph_update(BlackScholesGraph* graph,
                                              const BlackScholesInputs* in,
                                              const BlackScholesOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* black_scholes_graph_exec(const BlackScholesGraph* graph);

// Its launches must be finished. NULL is allowed.
void black_scholes_graph_destroy(BlackScholesGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void black_scholes_destroy(BlackScholesInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* black_scholes_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* black_scholes_status_text(BlackScholesStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct BlackScholesInfo {
  uint32_t size;              // sizeof(BlackScholesInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // BLACK_SCHOLES_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as black_scholes_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kBlackScholesCanCapture
} BlackScholesInfo;

const BlackScholesInfo* black_scholes_info(void);

#ifdef BLACK_SCHOLES_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
