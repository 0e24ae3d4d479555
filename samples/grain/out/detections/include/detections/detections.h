// detections.h: the C interface of detections, for C and C++; needs no CUDA header.
//
//   in   logits        f32[300,5]
//   in   boxes_left    f32[300]
//   in   boxes_top     f32[300]
//   in   boxes_right   f32[300]
//   in   boxes_bottom  f32[300]
//   out  box_left      f32[32]
//   out  box_top       f32[32]
//   out  box_right     f32[32]
//   out  box_bottom    f32[32]
//   out  score         f32[32]
//   out  class_        s32[32]
//   out  kept          pred[32]
//
//   DetectionsInstance* instance;
//   if (detections_create(&instance) != kDetectionsOk) {
//     puts(detections_last_error());
//   }
//   detections_run(instance, &in, &out, stream);  // as often as needed
//   detections_destroy(instance);
//
// An instance belongs to one device: detections_run refuses to run while another one is current,
// detections_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in detections_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define DETECTIONS_INTERFACE 0x3994d0d7cf687e52ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef DETECTIONS_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum DetectionsStatus {
  kDetectionsOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kDetectionsInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kDetectionsOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kDetectionsCudaError = 3,
  // The caller was compiled with a header of another interface.
  kDetectionsOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kDetectionsOtherDevice = 5,
  // There is no graph of a run: kDetectionsCanCapture is 0.
  kDetectionsCannotCapture = 7,
} DetectionsStatus;

enum {
  kDetectionsInputCount = 5,
  kDetectionsOutputCount = 7,
  // 1 if detections_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kDetectionsRunSynchronises = 0,
  // 1 if detections_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kDetectionsCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kDetectionsInLogits[] = {300, 5};
static const int64_t kDetectionsInBoxesLeft[] = {300};
static const int64_t kDetectionsInBoxesTop[] = {300};
static const int64_t kDetectionsInBoxesRight[] = {300};
static const int64_t kDetectionsInBoxesBottom[] = {300};
static const int64_t kDetectionsOutBoxLeft[] = {32};
static const int64_t kDetectionsOutBoxTop[] = {32};
static const int64_t kDetectionsOutBoxRight[] = {32};
static const int64_t kDetectionsOutBoxBottom[] = {32};
static const int64_t kDetectionsOutScore[] = {32};
static const int64_t kDetectionsOutClass[] = {32};
static const int64_t kDetectionsOutKept[] = {32};

// One input or output.
typedef struct DetectionsTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} DetectionsTensor;

// In the order of the structs below; the row after the last has no name.
extern const DetectionsTensor kDetectionsInputTable[];
extern const DetectionsTensor kDetectionsOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct DetectionsInputs {
  const float* logits;        // f32[300,5]
  const float* boxes_left;    // f32[300]
  const float* boxes_top;     // f32[300]
  const float* boxes_right;   // f32[300]
  const float* boxes_bottom;  // f32[300]
} DetectionsInputs;

typedef struct DetectionsOutputs {
  float* box_left;    // f32[32]
  float* box_top;     // f32[32]
  float* box_right;   // f32[32]
  float* box_bottom;  // f32[32]
  float* score;       // f32[32]
  int* class_;        // s32[32]
  bool* kept;         // pred[32]
} DetectionsOutputs;

typedef struct DetectionsInstance DetectionsInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct DetectionsOptions {
  uint32_t size;            // sizeof(DetectionsOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // DETECTIONS_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // detections_workspace_bytes(). NULL: detections_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by detections_destroy, or by detections_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} DetectionsOptions;

#define DETECTIONS_OPTIONS \
  {sizeof(DetectionsOptions), -1, DETECTIONS_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: DETECTIONS_OPTIONS, as the library has them.
DetectionsStatus detections_create_with(DetectionsInstance** instance,
                                        const DetectionsOptions* options);

// The same with DETECTIONS_OPTIONS. Compiled into the caller, whose interface is compared.
static inline DetectionsStatus detections_create(DetectionsInstance** instance) {
  const DetectionsOptions options = DETECTIONS_OPTIONS;
  return detections_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t detections_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
DetectionsStatus detections_run(DetectionsInstance* instance, const DetectionsInputs* in,
                                const DetectionsOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct DetectionsGraph DetectionsGraph;
DetectionsStatus detections_capture(DetectionsGraph** graph, DetectionsInstance* instance,
                                    const DetectionsInputs* in, const DetectionsOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
DetectionsStatus detections_graph_launch(const DetectionsGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
DetectionsStatus detections_graph_update(DetectionsGraph* graph, const DetectionsInputs* in,
                                         const DetectionsOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* detections_graph_exec(const DetectionsGraph* graph);

// Its launches must be finished. NULL is allowed.
void detections_graph_destroy(DetectionsGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void detections_destroy(DetectionsInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* detections_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* detections_status_text(DetectionsStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct DetectionsInfo {
  uint32_t size;              // sizeof(DetectionsInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // DETECTIONS_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as detections_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kDetectionsCanCapture
} DetectionsInfo;

const DetectionsInfo* detections_info(void);

#ifdef DETECTIONS_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
