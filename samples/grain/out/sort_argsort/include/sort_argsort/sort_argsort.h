// sort_argsort.h: the C interface of sort_argsort, for C and C++; needs no CUDA header.
//
//   in   x           f32[6,100]
//   in   group       s32[6,100]
//   out  sorted      f32[6,100]
//   out  order       s32[6,100]
//   out  by_group    s32[6,100]
//   out  by_group_2  f32[6,100]
//
//   SortArgsortInstance* instance;
//   if (sort_argsort_create(&instance) != kSortArgsortOk) {
//     puts(sort_argsort_last_error());
//   }
//   sort_argsort_run(instance, &in, &out, stream);  // as often as needed
//   sort_argsort_destroy(instance);
//
// An instance belongs to the device that is current when it is created: sort_argsort_run refuses to run
// while another one is, sort_argsort_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef SORT_ARGSORT_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum SortArgsortStatus {
  kSortArgsortOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kSortArgsortInvalidArgument = 1,
  // sort_argsort_create found too little memory.
  kSortArgsortOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kSortArgsortCudaError = 3,
} SortArgsortStatus;

enum {
  kSortArgsortInputCount = 2,
  kSortArgsortOutputCount = 4,
  // 1 if sort_argsort_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kSortArgsortRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kSortArgsortInX[] = {6, 100};
static const int64_t kSortArgsortInGroup[] = {6, 100};
static const int64_t kSortArgsortOutSorted[] = {6, 100};
static const int64_t kSortArgsortOutOrder[] = {6, 100};
static const int64_t kSortArgsortOutByGroup[] = {6, 100};
static const int64_t kSortArgsortOutByGroup2[] = {6, 100};

// One input or output.
typedef struct SortArgsortTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} SortArgsortTensor;

// In the order of the structs below; the row after the last has no name.
extern const SortArgsortTensor kSortArgsortInputTable[];
extern const SortArgsortTensor kSortArgsortOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct SortArgsortInputs {
  const float* x;    // f32[6,100]
  const int* group;  // s32[6,100]
} SortArgsortInputs;

typedef struct SortArgsortOutputs {
  float* sorted;      // f32[6,100]
  int* order;         // s32[6,100]
  int* by_group;      // s32[6,100]
  float* by_group_2;  // f32[6,100]
} SortArgsortOutputs;

typedef struct SortArgsortInstance SortArgsortInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
SortArgsortStatus sort_argsort_create(SortArgsortInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
SortArgsortStatus sort_argsort_run(SortArgsortInstance* instance, const SortArgsortInputs* in,
                                   const SortArgsortOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void sort_argsort_destroy(SortArgsortInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* sort_argsort_last_error(void);

#ifdef SORT_ARGSORT_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
