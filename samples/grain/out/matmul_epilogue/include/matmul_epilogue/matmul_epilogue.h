// matmul_epilogue.h: the C interface of matmul_epilogue, for C and C++; needs no CUDA header.
//
//   in   a      f32[128,64]
//   in   b      f32[64,96]
//   in   bias   f32[96]
//   in   scale  f32[]
//   out  c      f32[128,96]
//
//   MatmulEpilogueInstance* instance;
//   if (matmul_epilogue_create(&instance) != kMatmulEpilogueOk) {
//     puts(matmul_epilogue_last_error());
//   }
//   matmul_epilogue_run(instance, &in, &out, stream);  // as often as needed
//   matmul_epilogue_destroy(instance);
//
// An instance belongs to one device: matmul_epilogue_run refuses to run while another one is current,
// matmul_epilogue_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in matmul_epilogue_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define MATMUL_EPILOGUE_INTERFACE 0x85163df669142fa9ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef MATMUL_EPILOGUE_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum MatmulEpilogueStatus {
  kMatmulEpilogueOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kMatmulEpilogueInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kMatmulEpilogueOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kMatmulEpilogueCudaError = 3,
  // The caller was compiled with a header of another interface.
  kMatmulEpilogueOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kMatmulEpilogueOtherDevice = 5,
  // There is no graph of a run: kMatmulEpilogueCanCapture is 0.
  kMatmulEpilogueCannotCapture = 7,
} MatmulEpilogueStatus;

enum {
  kMatmulEpilogueInputCount = 4,
  kMatmulEpilogueOutputCount = 1,
  // 1 if matmul_epilogue_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kMatmulEpilogueRunSynchronises = 0,
  // 1 if matmul_epilogue_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kMatmulEpilogueCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kMatmulEpilogueInA[] = {128, 64};
static const int64_t kMatmulEpilogueInB[] = {64, 96};
static const int64_t kMatmulEpilogueInBias[] = {96};
static const int64_t kMatmulEpilogueOutC[] = {128, 96};

// One input or output.
typedef struct MatmulEpilogueTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} MatmulEpilogueTensor;

// In the order of the structs below; the row after the last has no name.
extern const MatmulEpilogueTensor kMatmulEpilogueInputTable[];
extern const MatmulEpilogueTensor kMatmulEpilogueOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct MatmulEpilogueInputs {
  const float* a;      // f32[128,64]
  const float* b;      // f32[64,96]
  const float* bias;   // f32[96]
  const float* scale;  // f32[]
} MatmulEpilogueInputs;

typedef struct MatmulEpilogueOutputs {
  float* c;  // f32[128,96]
} MatmulEpilogueOutputs;

typedef struct MatmulEpilogueInstance MatmulEpilogueInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct MatmulEpilogueOptions {
  uint32_t size;            // sizeof(MatmulEpilogueOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // MATMUL_EPILOGUE_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // matmul_epilogue_workspace_bytes(). NULL: matmul_epilogue_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by matmul_epilogue_destroy, or by matmul_epilogue_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} MatmulEpilogueOptions;

#define MATMUL_EPILOGUE_OPTIONS \
  {sizeof(MatmulEpilogueOptions), -1, MATMUL_EPILOGUE_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: MATMUL_EPILOGUE_OPTIONS, as the library has them.
MatmulEpilogueStatus matmul_epilogue_create_with(MatmulEpilogueInstance** instance,
                                                 const MatmulEpilogueOptions* options);

// The same with MATMUL_EPILOGUE_OPTIONS. Compiled into the caller, whose interface is compared.
static inline MatmulEpilogueStatus matmul_epilogue_create(MatmulEpilogueInstance** instance) {
  const MatmulEpilogueOptions options = MATMUL_EPILOGUE_OPTIONS;
  return matmul_epilogue_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t matmul_epilogue_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
MatmulEpilogueStatus matmul_epilogue_run(MatmulEpilogueInstance* instance,
                                         const MatmulEpilogueInputs* in,
                                         const MatmulEpilogueOutputs* out,
                                         struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct MatmulEpilogueGraph MatmulEpilogueGraph;
MatmulEpilogueStatus matmul_epilogue_capture(MatmulEpilogueGraph** graph,
                                             MatmulEpilogueInstance* instance,
                                             const MatmulEpilogueInputs* in,
                                             const MatmulEpilogueOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
MatmulEpilogueStatus matmul_epilogue_graph_launch(const MatmulEpilogueGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
MatmulEpilogueStatus matmul_epilogue_graph_update(MatmulEpilogueGraph* graph,
                                                  const MatmulEpilogueInputs* in,
                                                  const MatmulEpilogueOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* matmul_epilogue_graph_exec(const MatmulEpilogueGraph* graph);

// Its launches must be finished. NULL is allowed.
void matmul_epilogue_graph_destroy(MatmulEpilogueGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void matmul_epilogue_destroy(MatmulEpilogueInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* matmul_epilogue_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* matmul_epilogue_status_text(MatmulEpilogueStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct MatmulEpilogueInfo {
  uint32_t size;              // sizeof(MatmulEpilogueInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // MATMUL_EPILOGUE_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as matmul_epilogue_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kMatmulEpilogueCanCapture
} MatmulEpilogueInfo;

const MatmulEpilogueInfo* matmul_epilogue_info(void);

#ifdef MATMUL_EPILOGUE_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
