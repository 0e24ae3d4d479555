// cumsum.h: the C interface of cumsum, for C and C++; needs no CUDA header.
//
//   in   x                f32[8,300]
//   in   p                f32[8,300]
//   out  running_sum      f32[8,300]
//   out  running_product  f32[8,300]
//   out  running_max      f32[8,300]
//
//   CumsumInstance* instance;
//   if (cumsum_create(&instance) != kCumsumOk) {
//     puts(cumsum_last_error());
//   }
//   cumsum_run(instance, &in, &out, stream);  // as often as needed
//   cumsum_destroy(instance);
//
// An instance belongs to one device: cumsum_run refuses to run while another one is current,
// cumsum_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in cumsum_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define CUMSUM_INTERFACE 0x0c2ef9a3c5dc871fULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CUMSUM_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum CumsumStatus {
  kCumsumOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kCumsumInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kCumsumOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kCumsumCudaError = 3,
  // The caller was compiled with a header of another interface.
  kCumsumOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kCumsumOtherDevice = 5,
  // There is no graph of a run: kCumsumCanCapture is 0.
  kCumsumCannotCapture = 7,
} CumsumStatus;

enum {
  kCumsumInputCount = 2,
  kCumsumOutputCount = 3,
  // 1 if cumsum_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kCumsumRunSynchronises = 0,
  // 1 if cumsum_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kCumsumCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kCumsumInX[] = {8, 300};
static const int64_t kCumsumInP[] = {8, 300};
static const int64_t kCumsumOutRunningSum[] = {8, 300};
static const int64_t kCumsumOutRunningProduct[] = {8, 300};
static const int64_t kCumsumOutRunningMax[] = {8, 300};

// One input or output.
typedef struct CumsumTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} CumsumTensor;

// In the order of the structs below; the row after the last has no name.
extern const CumsumTensor kCumsumInputTable[];
extern const CumsumTensor kCumsumOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct CumsumInputs {
  const float* x;  // f32[8,300]
  const float* p;  // f32[8,300]
} CumsumInputs;

typedef struct CumsumOutputs {
  float* running_sum;      // f32[8,300]
  float* running_product;  // f32[8,300]
  float* running_max;      // f32[8,300]
} CumsumOutputs;

typedef struct CumsumInstance CumsumInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct CumsumOptions {
  uint32_t size;            // sizeof(CumsumOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // CUMSUM_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // cumsum_workspace_bytes(). NULL: cumsum_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by cumsum_destroy, or by cumsum_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} CumsumOptions;

#define CUMSUM_OPTIONS \
  {sizeof(CumsumOptions), -1, CUMSUM_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: CUMSUM_OPTIONS, as the library has them.
CumsumStatus cumsum_create_with(CumsumInstance** instance, const CumsumOptions* options);

// The same with CUMSUM_OPTIONS. Compiled into the caller, whose interface is compared.
static inline CumsumStatus cumsum_create(CumsumInstance** instance) {
  const CumsumOptions options = CUMSUM_OPTIONS;
  return cumsum_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t cumsum_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
CumsumStatus cumsum_run(CumsumInstance* instance, const CumsumInputs* in, const CumsumOutputs* out,
                        struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct CumsumGraph CumsumGraph;
CumsumStatus cumsum_capture(CumsumGraph** graph, CumsumInstance* instance, const CumsumInputs* in,
                            const CumsumOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
CumsumStatus cumsum_graph_launch(const CumsumGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
CumsumStatus cumsum_graph_update(CumsumGraph* graph, const CumsumInputs* in,
                                 const CumsumOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* cumsum_graph_exec(const CumsumGraph* graph);

// Its launches must be finished. NULL is allowed.
void cumsum_graph_destroy(CumsumGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void cumsum_destroy(CumsumInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* cumsum_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* cumsum_status_text(CumsumStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct CumsumInfo {
  uint32_t size;              // sizeof(CumsumInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // CUMSUM_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as cumsum_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kCumsumCanCapture
} CumsumInfo;

const CumsumInfo* cumsum_info(void);

#ifdef CUMSUM_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
