// cholesky_solve.h: the C interface of cholesky_solve, for C and C++; needs no CUDA header.
//
//   in   x         f32[48,3]
//   in   y         f32[48]
//   in   queries   f32[16,3]
//   out  centre    f32[16]
//   out  variance  f32[16]
//
//   CholeskySolveInstance* instance;
//   if (cholesky_solve_create(&instance) != kCholeskySolveOk) {
//     puts(cholesky_solve_last_error());
//   }
//   cholesky_solve_run(instance, &in, &out, stream);  // as often as needed
//   cholesky_solve_destroy(instance);
//
// An instance belongs to one device: cholesky_solve_run refuses to run while another one is current,
// cholesky_solve_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in cholesky_solve_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define CHOLESKY_SOLVE_INTERFACE 0x888362726f8a1a00ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CHOLESKY_SOLVE_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum CholeskySolveStatus {
  kCholeskySolveOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kCholeskySolveInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kCholeskySolveOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kCholeskySolveCudaError = 3,
  // The caller was compiled with a header of another interface.
  kCholeskySolveOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kCholeskySolveOtherDevice = 5,
  // There is no graph of a run: kCholeskySolveCanCapture is 0.
  kCholeskySolveCannotCapture = 7,
} CholeskySolveStatus;

enum {
  kCholeskySolveInputCount = 3,
  kCholeskySolveOutputCount = 2,
  // 1 if cholesky_solve_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kCholeskySolveRunSynchronises = 0,
  // 1 if cholesky_solve_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kCholeskySolveCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kCholeskySolveInX[] = {48, 3};
static const int64_t kCholeskySolveInY[] = {48};
static const int64_t kCholeskySolveInQueries[] = {16, 3};
static const int64_t kCholeskySolveOutCentre[] = {16};
static const int64_t kCholeskySolveOutVariance[] = {16};

// One input or output.
typedef struct CholeskySolveTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} CholeskySolveTensor;

// In the order of the structs below; the row after the last has no name.
extern const CholeskySolveTensor kCholeskySolveInputTable[];
extern const CholeskySolveTensor kCholeskySolveOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct CholeskySolveInputs {
  const float* x;        // f32[48,3]
  const float* y;        // f32[48]
  const float* queries;  // f32[16,3]
} CholeskySolveInputs;

typedef struct CholeskySolveOutputs {
  float* centre;    // f32[16]
  float* variance;  // f32[16]
} CholeskySolveOutputs;

typedef struct CholeskySolveInstance CholeskySolveInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct CholeskySolveOptions {
  uint32_t size;            // sizeof(CholeskySolveOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // CHOLESKY_SOLVE_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // cholesky_solve_workspace_bytes(). NULL: cholesky_solve_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by cholesky_solve_destroy, or by cholesky_solve_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} CholeskySolveOptions;

#define CHOLESKY_SOLVE_OPTIONS \
  {sizeof(CholeskySolveOptions), -1, CHOLESKY_SOLVE_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: CHOLESKY_SOLVE_OPTIONS, as the library has them.
CholeskySolveStatus cholesky_solve_create_with(CholeskySolveInstance** instance,
                                               const CholeskySolveOptions* options);

// The same with CHOLESKY_SOLVE_OPTIONS. Compiled into the caller, whose interface is compared.
static inline CholeskySolveStatus cholesky_solve_create(CholeskySolveInstance** instance) {
  const CholeskySolveOptions options = CHOLESKY_SOLVE_OPTIONS;
  return cholesky_solve_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t cholesky_solve_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
CholeskySolveStatus cholesky_solve_run(CholeskySolveInstance* instance,
                                       const CholeskySolveInputs* in,
                                       const CholeskySolveOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct CholeskySolveGraph CholeskySolveGraph;
CholeskySolveStatus cholesky_solve_capture(CholeskySolveGraph** graph,
                                           CholeskySolveInstance* instance,
                                           const CholeskySolveInputs* in,
                                           const CholeskySolveOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
CholeskySolveStatus cholesky_solve_graph_launch(const CholeskySolveGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
CholeskySolveStatus cholesky_solve_graph_update(CholeskySolveGraph* graph,
                                                const CholeskySolveInputs* in,
                                                const CholeskySolveOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* cholesky_solve_graph_exec(const CholeskySolveGraph* graph);

// Its launches must be finished. NULL is allowed.
void cholesky_solve_graph_destroy(CholeskySolveGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void cholesky_solve_destroy(CholeskySolveInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* cholesky_solve_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* cholesky_solve_status_text(CholeskySolveStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct CholeskySolveInfo {
  uint32_t size;              // sizeof(CholeskySolveInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // CHOLESKY_SOLVE_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as cholesky_solve_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kCholeskySolveCanCapture
} CholeskySolveInfo;

const CholeskySolveInfo* cholesky_solve_info(void);

#ifdef CHOLESKY_SOLVE_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
