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
// An instance belongs to the device that is current when it is created: cumsum_run refuses to run
// while another one is, cumsum_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CUMSUM_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum CumsumStatus {
  kCumsumOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kCumsumInvalidArgument = 1,
  // cumsum_create found too little memory.
  kCumsumOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kCumsumCudaError = 3,
} CumsumStatus;

enum {
  kCumsumInputCount = 2,
  kCumsumOutputCount = 3,
  // 1 if cumsum_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kCumsumRunSynchronises = 0,
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

// Allocates what runs need.
// *instance is NULL if this fails.
CumsumStatus cumsum_create(CumsumInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
CumsumStatus cumsum_run(CumsumInstance* instance, const CumsumInputs* in, const CumsumOutputs* out,
                        struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void cumsum_destroy(CumsumInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* cumsum_last_error(void);

#ifdef CUMSUM_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
