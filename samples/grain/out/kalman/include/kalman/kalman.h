// kalman.h: the C interface of kalman, for C and C++; needs no CUDA header.
//
//   in   first_x   f32[32,2]
//   in   first_p   f32[32,2,2]
//   in   measured  f32[50,32]
//   out  last_x    f32[32,2]
//   out  last_p    f32[32,2,2]
//   out  place     f32[50,32]
//
//   KalmanInstance* instance;
//   if (kalman_create(&instance) != kKalmanOk) {
//     puts(kalman_last_error());
//   }
//   kalman_run(instance, &in, &out, stream);  // as often as needed
//   kalman_destroy(instance);
//
// An instance belongs to one device: kalman_run refuses to run while another one is current,
// kalman_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in kalman_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define KALMAN_INTERFACE 0x684ee8d5d7064c20ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef KALMAN_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum KalmanStatus {
  kKalmanOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kKalmanInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kKalmanOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kKalmanCudaError = 3,
  // The caller was compiled with a header of another interface.
  kKalmanOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kKalmanOtherDevice = 5,
  // There is no graph of a run: kKalmanCanCapture is 0.
  kKalmanCannotCapture = 7,
} KalmanStatus;

enum {
  kKalmanInputCount = 3,
  kKalmanOutputCount = 3,
  // 1 if kalman_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kKalmanRunSynchronises = 0,
  // 1 if kalman_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kKalmanCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kKalmanInFirstX[] = {32, 2};
static const int64_t kKalmanInFirstP[] = {32, 2, 2};
static const int64_t kKalmanInMeasured[] = {50, 32};
static const int64_t kKalmanOutLastX[] = {32, 2};
static const int64_t kKalmanOutLastP[] = {32, 2, 2};
static const int64_t kKalmanOutPlace[] = {50, 32};

// One input or output.
typedef struct KalmanTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} KalmanTensor;

// In the order of the structs below; the row after the last has no name.
extern const KalmanTensor kKalmanInputTable[];
extern const KalmanTensor kKalmanOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct KalmanInputs {
  const float* first_x;   // f32[32,2]
  const float* first_p;   // f32[32,2,2]
  const float* measured;  // f32[50,32]
} KalmanInputs;

typedef struct KalmanOutputs {
  float* last_x;  // f32[32,2]
  float* last_p;  // f32[32,2,2]
  float* place;   // f32[50,32]
} KalmanOutputs;

typedef struct KalmanInstance KalmanInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct KalmanOptions {
  uint32_t size;            // sizeof(KalmanOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // KALMAN_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // kalman_workspace_bytes(). NULL: kalman_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by kalman_destroy, or by kalman_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} KalmanOptions;

#define KALMAN_OPTIONS \
  {sizeof(KalmanOptions), -1, KALMAN_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need and copies the constants to the device.
// *instance is NULL if this fails. Without options: KALMAN_OPTIONS, as the library has them.
KalmanStatus kalman_create_with(KalmanInstance** instance, const KalmanOptions* options);

// The same with KALMAN_OPTIONS. Compiled into the caller, whose interface is compared.
static inline KalmanStatus kalman_create(KalmanInstance** instance) {
  const KalmanOptions options = KALMAN_OPTIONS;
  return kalman_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t kalman_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
KalmanStatus kalman_run(KalmanInstance* instance, const KalmanInputs* in, const KalmanOutputs* out,
                        struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct KalmanGraph KalmanGraph;
KalmanStatus kalman_capture(KalmanGraph** graph, KalmanInstance* instance, const KalmanInputs* in,
                            const KalmanOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
KalmanStatus kalman_graph_launch(const KalmanGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
KalmanStatus kalman_graph_update(KalmanGraph* graph, const KalmanInputs* in,
                                 const KalmanOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* kalman_graph_exec(const KalmanGraph* graph);

// Its launches must be finished. NULL is allowed.
void kalman_graph_destroy(KalmanGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void kalman_destroy(KalmanInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* kalman_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* kalman_status_text(KalmanStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct KalmanInfo {
  uint32_t size;              // sizeof(KalmanInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // KALMAN_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as kalman_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kKalmanCanCapture
} KalmanInfo;

const KalmanInfo* kalman_info(void);

#ifdef KALMAN_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
