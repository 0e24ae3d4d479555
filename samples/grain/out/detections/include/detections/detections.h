// detections.h: the C interface of detections, for C and C++; needs no CUDA header.
//
//   in   logits        f32[300,5]
//   in   boxes_left    f32[300]
//   in   boxes_top     f32[300]
//   in   boxes_right   f32[300]
//   in   boxes_bottom  f32[300]
//   out  box           f32[32]
//   out  box_2         f32[32]
//   out  box_3         f32[32]
//   out  box_4         f32[32]
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
// An instance belongs to the device that is current when it is created: detections_run refuses to run
// while another one is, detections_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

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
  // detections_create found too little memory.
  kDetectionsOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kDetectionsCudaError = 3,
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
static const int64_t kDetectionsOutBox[] = {32};
static const int64_t kDetectionsOutBox2[] = {32};
static const int64_t kDetectionsOutBox3[] = {32};
static const int64_t kDetectionsOutBox4[] = {32};
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
  float* box;    // f32[32]
  float* box_2;  // f32[32]
  float* box_3;  // f32[32]
  float* box_4;  // f32[32]
  float* score;  // f32[32]
  int* class_;   // s32[32]
  bool* kept;    // pred[32]
} DetectionsOutputs;

typedef struct DetectionsInstance DetectionsInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
DetectionsStatus detections_create(DetectionsInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
DetectionsStatus detections_run(DetectionsInstance* instance, const DetectionsInputs* in,
                                const DetectionsOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void detections_destroy(DetectionsInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* detections_last_error(void);

#ifdef DETECTIONS_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
