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

struct CUstream_st;  // a cudaStream_t points to it

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
} DetectionsStatus;

enum {
  kDetectionsInputCount = 5,
  kDetectionsOutputCount = 7,
  // 1 if detections_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kDetectionsRunSynchronises = 0,
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
} DetectionsOptions;

#define DETECTIONS_OPTIONS {sizeof(DetectionsOptions), -1, DETECTIONS_INTERFACE, NULL, 0}

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

// The instance's runs must be finished. NULL is allowed.
void detections_destroy(DetectionsInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* detections_last_error(void);

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
} DetectionsInfo;

const DetectionsInfo* detections_info(void);

#ifdef DETECTIONS_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
