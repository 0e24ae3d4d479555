// cumsum_cumsum_rows.h: the C interface of cumsum_cumsum_rows, for C and C++; needs no CUDA header.
//
//   in   x            f32[8,300]
//   in   p            f32[8,300]
//   out  running_sum  f32[8,300]
//   out  products     f32[8,300]
//   out  running_max  f32[8,300]
//
//   CumsumCumsumRowsInstance* instance;
//   if (cumsum_cumsum_rows_create(&instance) != kCumsumCumsumRowsOk) {
//     puts(cumsum_cumsum_rows_last_error());
//   }
//   cumsum_cumsum_rows_run(instance, &in, &out, stream);  // as often as needed
//   cumsum_cumsum_rows_destroy(instance);
//
// An instance belongs to the device that is current when it is created: cumsum_cumsum_rows_run refuses to run
// while another one is, cumsum_cumsum_rows_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CUMSUM_CUMSUM_ROWS_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum CumsumCumsumRowsStatus {
  kCumsumCumsumRowsOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kCumsumCumsumRowsInvalidArgument = 1,
  // cumsum_cumsum_rows_create found too little memory.
  kCumsumCumsumRowsOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kCumsumCumsumRowsCudaError = 3,
} CumsumCumsumRowsStatus;

enum {
  kCumsumCumsumRowsInputCount = 2,
  kCumsumCumsumRowsOutputCount = 3,
  // 1 if cumsum_cumsum_rows_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kCumsumCumsumRowsRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kCumsumCumsumRowsInX[] = {8, 300};
static const int64_t kCumsumCumsumRowsInP[] = {8, 300};
static const int64_t kCumsumCumsumRowsOutRunningSum[] = {8, 300};
static const int64_t kCumsumCumsumRowsOutProducts[] = {8, 300};
static const int64_t kCumsumCumsumRowsOutRunningMax[] = {8, 300};

// One input or output.
typedef struct CumsumCumsumRowsTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} CumsumCumsumRowsTensor;

// In the order of the structs below; the row after the last has no name.
extern const CumsumCumsumRowsTensor kCumsumCumsumRowsInputTable[];
extern const CumsumCumsumRowsTensor kCumsumCumsumRowsOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct CumsumCumsumRowsInputs {
  const float* x;  // f32[8,300]
  const float* p;  // f32[8,300]
} CumsumCumsumRowsInputs;

typedef struct CumsumCumsumRowsOutputs {
  float* running_sum;  // f32[8,300]
  float* products;     // f32[8,300]
  float* running_max;  // f32[8,300]
} CumsumCumsumRowsOutputs;

typedef struct CumsumCumsumRowsInstance CumsumCumsumRowsInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
CumsumCumsumRowsStatus cumsum_cumsum_rows_create(CumsumCumsumRowsInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
CumsumCumsumRowsStatus cumsum_cumsum_rows_run(CumsumCumsumRowsInstance* instance,
                                              const CumsumCumsumRowsInputs* in,
                                              const CumsumCumsumRowsOutputs* out,
                                              struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void cumsum_cumsum_rows_destroy(CumsumCumsumRowsInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* cumsum_cumsum_rows_last_error(void);

#ifdef CUMSUM_CUMSUM_ROWS_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
