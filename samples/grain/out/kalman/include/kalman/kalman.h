// kalman.h: the C interface of kalman, for C and C++; needs no CUDA header.
//
//   in   first_x   f32[32,2]
//   in   first_p   f32[32,2,2]
//   in   measured  f32[50,32]
//   out  first_x   f32[32,2]
//   out  first_p   f32[32,2,2]
//   out  place     f32[50,32]
//
//   KalmanInstance* instance;
//   if (kalman_create(&instance) != kKalmanOk) {
//     puts(kalman_last_error());
//   }
//   kalman_run(instance, &in, &out, stream);  // as often as needed
//   kalman_destroy(instance);
//
// An instance belongs to the device that is current when it is created: kalman_run refuses to run
// while another one is, kalman_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef KALMAN_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum KalmanStatus {
  kKalmanOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kKalmanInvalidArgument = 1,
  // kalman_create found too little memory.
  kKalmanOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kKalmanCudaError = 3,
} KalmanStatus;

enum {
  kKalmanInputCount = 3,
  kKalmanOutputCount = 3,
  // 1 if kalman_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kKalmanRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kKalmanInFirstX[] = {32, 2};
static const int64_t kKalmanInFirstP[] = {32, 2, 2};
static const int64_t kKalmanInMeasured[] = {50, 32};
static const int64_t kKalmanOutFirstX[] = {32, 2};
static const int64_t kKalmanOutFirstP[] = {32, 2, 2};
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
  float* first_x;  // f32[32,2]
  float* first_p;  // f32[32,2,2]
  float* place;    // f32[50,32]
} KalmanOutputs;

typedef struct KalmanInstance KalmanInstance;

// Allocates what runs need and copies the constants to the device.
// *instance is NULL if this fails.
KalmanStatus kalman_create(KalmanInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
KalmanStatus kalman_run(KalmanInstance* instance, const KalmanInputs* in, const KalmanOutputs* out,
                        struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void kalman_destroy(KalmanInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* kalman_last_error(void);

#ifdef KALMAN_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
