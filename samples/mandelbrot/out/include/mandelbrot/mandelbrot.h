// mandelbrot.h: the C interface of mandelbrot, for C and C++; needs no CUDA header.
//
//   in   xs      f32[32]
//   in   ys      f32[32]
//   out  chosen  s32[32,32]
//
//   MandelbrotInstance* instance;
//   if (mandelbrot_create(&instance) != kMandelbrotOk) {
//     puts(mandelbrot_last_error());
//   }
//   mandelbrot_run(instance, &in, &out, stream);  // as often as needed
//   mandelbrot_destroy(instance);
//
// An instance belongs to one device: mandelbrot_run refuses to run while another one is current,
// mandelbrot_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in mandelbrot_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define MANDELBROT_INTERFACE 0x8e41c4f2713194c1ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef MANDELBROT_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum MandelbrotStatus {
  kMandelbrotOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kMandelbrotInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kMandelbrotOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kMandelbrotCudaError = 3,
  // The caller was compiled with a header of another interface.
  kMandelbrotOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kMandelbrotOtherDevice = 5,
  // There is no graph of a run: kMandelbrotCanCapture is 0.
  kMandelbrotCannotCapture = 7,
} MandelbrotStatus;

enum {
  kMandelbrotInputCount = 2,
  kMandelbrotOutputCount = 1,
  // 1 if mandelbrot_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kMandelbrotRunSynchronises = 0,
  // 1 if mandelbrot_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kMandelbrotCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kMandelbrotInXs[] = {32};
static const int64_t kMandelbrotInYs[] = {32};
static const int64_t kMandelbrotOutChosen[] = {32, 32};

// One input or output.
typedef struct MandelbrotTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} MandelbrotTensor;

// In the order of the structs below; the row after the last has no name.
extern const MandelbrotTensor kMandelbrotInputTable[];
extern const MandelbrotTensor kMandelbrotOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct MandelbrotInputs {
  const float* xs;  // f32[32]
  const float* ys;  // f32[32]
} MandelbrotInputs;

typedef struct MandelbrotOutputs {
  int* chosen;  // s32[32,32]
} MandelbrotOutputs;

typedef struct MandelbrotInstance MandelbrotInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct MandelbrotOptions {
  uint32_t size;            // sizeof(MandelbrotOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // MANDELBROT_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // mandelbrot_workspace_bytes(). NULL: mandelbrot_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by mandelbrot_destroy, or by mandelbrot_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} MandelbrotOptions;

#define MANDELBROT_OPTIONS \
  {sizeof(MandelbrotOptions), -1, MANDELBROT_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: MANDELBROT_OPTIONS, as the library has them.
MandelbrotStatus mandelbrot_create_with(MandelbrotInstance** instance,
                                        const MandelbrotOptions* options);

// The same with MANDELBROT_OPTIONS. Compiled into the caller, whose interface is compared.
static inline MandelbrotStatus mandelbrot_create(MandelbrotInstance** instance) {
  const MandelbrotOptions options = MANDELBROT_OPTIONS;
  return mandelbrot_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t mandelbrot_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
MandelbrotStatus mandelbrot_run(MandelbrotInstance* instance, const MandelbrotInputs* in,
                                const MandelbrotOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct MandelbrotGraph MandelbrotGraph;
MandelbrotStatus mandelbrot_capture(MandelbrotGraph** graph, MandelbrotInstance* instance,
                                    const MandelbrotInputs* in, const MandelbrotOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
MandelbrotStatus mandelbrot_graph_launch(const MandelbrotGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
MandelbrotStatus mandelbrot_graph_update(MandelbrotGraph* graph, const MandelbrotInputs* in,
                                         const MandelbrotOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* mandelbrot_graph_exec(const MandelbrotGraph* graph);

// Its launches must be finished. NULL is allowed.
void mandelbrot_graph_destroy(MandelbrotGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void mandelbrot_destroy(MandelbrotInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* mandelbrot_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* mandelbrot_status_text(MandelbrotStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct MandelbrotInfo {
  uint32_t size;              // sizeof(MandelbrotInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // MANDELBROT_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as mandelbrot_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kMandelbrotCanCapture
} MandelbrotInfo;

const MandelbrotInfo* mandelbrot_info(void);

#ifdef MANDELBROT_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
