// kmeans.h: the C interface of kmeans, for C and C++; needs no CUDA header.
//
//   in   x       f32[400,3]
//   in   start   f32[8,3]
//   out  start   f32[8,3]
//   out  result  s32[400]
//   out  sum     s32[]
//
//   KmeansInstance* instance;
//   if (kmeans_create(&instance) != kKmeansOk) {
//     puts(kmeans_last_error());
//   }
//   kmeans_run(instance, &in, &out, stream);  // as often as needed
//   kmeans_destroy(instance);
//
// An instance belongs to the device that is current when it is created: kmeans_run refuses to run
// while another one is, kmeans_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef KMEANS_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum KmeansStatus {
  kKmeansOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kKmeansInvalidArgument = 1,
  // kmeans_create found too little memory.
  kKmeansOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kKmeansCudaError = 3,
} KmeansStatus;

enum {
  kKmeansInputCount = 2,
  kKmeansOutputCount = 3,
  // 1 if kmeans_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kKmeansRunSynchronises = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kKmeansInX[] = {400, 3};
static const int64_t kKmeansInStart[] = {8, 3};
static const int64_t kKmeansOutStart[] = {8, 3};
static const int64_t kKmeansOutResult[] = {400};

// One input or output.
typedef struct KmeansTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} KmeansTensor;

// In the order of the structs below; the row after the last has no name.
extern const KmeansTensor kKmeansInputTable[];
extern const KmeansTensor kKmeansOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct KmeansInputs {
  const float* x;      // f32[400,3]
  const float* start;  // f32[8,3]
} KmeansInputs;

typedef struct KmeansOutputs {
  float* start;  // f32[8,3]
  int* result;   // s32[400]
  int* sum;      // s32[]
} KmeansOutputs;

typedef struct KmeansInstance KmeansInstance;

// Allocates what runs need and copies the constants to the device.
// *instance is NULL if this fails.
KmeansStatus kmeans_create(KmeansInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
KmeansStatus kmeans_run(KmeansInstance* instance, const KmeansInputs* in, const KmeansOutputs* out,
                        struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void kmeans_destroy(KmeansInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* kmeans_last_error(void);

#ifdef KMEANS_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
