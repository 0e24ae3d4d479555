// lstm.h: the C interface of lstm, for C and C++; needs no CUDA header.
//
//   in   wh    f32[24,96]
//   in   bias  f32[96]
//   in   wx    f32[16,96]
//   in   xs    f32[12,4,16]
//   out  h     f32[4,24]
//   out  c     f32[4,24]
//   out  hs    f32[12,4,24]
//
//   LstmInstance* instance;
//   if (lstm_create(&instance) != kLstmOk) {
//     puts(lstm_last_error());
//   }
//   lstm_run(instance, &in, &out, stream);  // as often as needed
//   lstm_destroy(instance);
//
// An instance belongs to one device: lstm_run refuses to run while another one is current,
// lstm_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in lstm_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define LSTM_INTERFACE 0x2fbbadc96d13eaf7ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef LSTM_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum LstmStatus {
  kLstmOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kLstmInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kLstmOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kLstmCudaError = 3,
  // The caller was compiled with a header of another interface.
  kLstmOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kLstmOtherDevice = 5,
  // There is no graph of a run: kLstmCanCapture is 0.
  kLstmCannotCapture = 7,
} LstmStatus;

enum {
  kLstmInputCount = 4,
  kLstmOutputCount = 3,
  // 1 if lstm_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kLstmRunSynchronises = 0,
  // 1 if lstm_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kLstmCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kLstmInWh[] = {24, 96};
static const int64_t kLstmInBias[] = {96};
static const int64_t kLstmInWx[] = {16, 96};
static const int64_t kLstmInXs[] = {12, 4, 16};
static const int64_t kLstmOutH[] = {4, 24};
static const int64_t kLstmOutC[] = {4, 24};
static const int64_t kLstmOutHs[] = {12, 4, 24};

// One input or output.
typedef struct LstmTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} LstmTensor;

// In the order of the structs below; the row after the last has no name.
extern const LstmTensor kLstmInputTable[];
extern const LstmTensor kLstmOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct LstmInputs {
  const float* wh;    // f32[24,96]
  const float* bias;  // f32[96]
  const float* wx;    // f32[16,96]
  const float* xs;    // f32[12,4,16]
} LstmInputs;

typedef struct LstmOutputs {
  float* h;   // f32[4,24]
  float* c;   // f32[4,24]
  float* hs;  // f32[12,4,24]
} LstmOutputs;

typedef struct LstmInstance LstmInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct LstmOptions {
  uint32_t size;            // sizeof(LstmOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // LSTM_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // lstm_workspace_bytes(). NULL: lstm_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by lstm_destroy, or by lstm_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} LstmOptions;

#define LSTM_OPTIONS \
  {sizeof(LstmOptions), -1, LSTM_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: LSTM_OPTIONS, as the library has them.
LstmStatus lstm_create_with(LstmInstance** instance, const LstmOptions* options);

// The same with LSTM_OPTIONS. Compiled into the caller, whose interface is compared.
static inline LstmStatus lstm_create(LstmInstance** instance) {
  const LstmOptions options = LSTM_OPTIONS;
  return lstm_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t lstm_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
LstmStatus lstm_run(LstmInstance* instance, const LstmInputs* in, const LstmOutputs* out,
                    struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct LstmGraph LstmGraph;
LstmStatus lstm_capture(LstmGraph** graph, LstmInstance* instance, const LstmInputs* in,
                        const LstmOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
LstmStatus lstm_graph_launch(const LstmGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
LstmStatus lstm_graph_update(LstmGraph* graph, const LstmInputs* in, const LstmOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* lstm_graph_exec(const LstmGraph* graph);

// Its launches must be finished. NULL is allowed.
void lstm_graph_destroy(LstmGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void lstm_destroy(LstmInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* lstm_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* lstm_status_text(LstmStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct LstmInfo {
  uint32_t size;              // sizeof(LstmInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // LSTM_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as lstm_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kLstmCanCapture
} LstmInfo;

const LstmInfo* lstm_info(void);

#ifdef LSTM_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
