// histogram.h: the C interface of histogram, for C and C++; needs no CUDA header.
//
//   in   values      f32[2000]
//   in   weights_in  f32[2000]
//   out  counts      s32[32]
//   out  sums        f32[32]
//   out  peaks       f32[32]
//
//   HistogramInstance* instance;
//   if (histogram_create(&instance) != kHistogramOk) {
//     puts(histogram_last_error());
//   }
//   histogram_run(instance, &in, &out, stream);  // as often as needed
//   histogram_destroy(instance);
//
// An instance belongs to the device that is current when it is created: histogram_run refuses to run
// while another one is, histogram_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef HISTOGRAM_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum HistogramStatus {
  kHistogramOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kHistogramInvalidArgument = 1,
  // histogram_create found too little memory.
  kHistogramOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kHistogramCudaError = 3,
} HistogramStatus;

enum {
  kHistogramInputCount = 2,
  kHistogramOutputCount = 3,
  // 1 if histogram_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kHistogramRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kHistogramInValues[] = {2000};
static const int64_t kHistogramInWeightsIn[] = {2000};
static const int64_t kHistogramOutCounts[] = {32};
static const int64_t kHistogramOutSums[] = {32};
static const int64_t kHistogramOutPeaks[] = {32};

// One input or output.
typedef struct HistogramTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} HistogramTensor;

// In the order of the structs below; the row after the last has no name.
extern const HistogramTensor kHistogramInputTable[];
extern const HistogramTensor kHistogramOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct HistogramInputs {
  const float* values;      // f32[2000]
  const float* weights_in;  // f32[2000]
} HistogramInputs;

typedef struct HistogramOutputs {
  int* counts;   // s32[32]
  float* sums;   // f32[32]
  float* peaks;  // f32[32]
} HistogramOutputs;

typedef struct HistogramInstance HistogramInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
HistogramStatus histogram_create(HistogramInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
HistogramStatus histogram_run(HistogramInstance* instance, const HistogramInputs* in,
                              const HistogramOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void histogram_destroy(HistogramInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* histogram_last_error(void);

#ifdef HISTOGRAM_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
