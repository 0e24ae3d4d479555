// embedding_lookup.h: the C interface of embedding_lookup, for C and C++; needs no CUDA header.
//
//   in   table      f32[200,32]
//   in   positions  f32[48,32]
//   in   segments   f32[2,32]
//   in   tokens     s32[4,24]
//   in   segment    s32[4,24]
//   out  x          f32[4,24,32]
//   out  ratio      f32[4,32]
//
//   EmbeddingLookupInstance* instance;
//   if (embedding_lookup_create(&instance) != kEmbeddingLookupOk) {
//     puts(embedding_lookup_last_error());
//   }
//   embedding_lookup_run(instance, &in, &out, stream);  // as often as needed
//   embedding_lookup_destroy(instance);
//
// An instance belongs to the device that is current when it is created: embedding_lookup_run refuses to run
// while another one is, embedding_lookup_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef EMBEDDING_LOOKUP_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum EmbeddingLookupStatus {
  kEmbeddingLookupOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kEmbeddingLookupInvalidArgument = 1,
  // embedding_lookup_create found too little memory.
  kEmbeddingLookupOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kEmbeddingLookupCudaError = 3,
} EmbeddingLookupStatus;

enum {
  kEmbeddingLookupInputCount = 5,
  kEmbeddingLookupOutputCount = 2,
  // 1 if embedding_lookup_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kEmbeddingLookupRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kEmbeddingLookupInTable[] = {200, 32};
static const int64_t kEmbeddingLookupInPositions[] = {48, 32};
static const int64_t kEmbeddingLookupInSegments[] = {2, 32};
static const int64_t kEmbeddingLookupInTokens[] = {4, 24};
static const int64_t kEmbeddingLookupInSegment[] = {4, 24};
static const int64_t kEmbeddingLookupOutX[] = {4, 24, 32};
static const int64_t kEmbeddingLookupOutRatio[] = {4, 32};

// One input or output.
typedef struct EmbeddingLookupTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} EmbeddingLookupTensor;

// In the order of the structs below; the row after the last has no name.
extern const EmbeddingLookupTensor kEmbeddingLookupInputTable[];
extern const EmbeddingLookupTensor kEmbeddingLookupOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct EmbeddingLookupInputs {
  const float* table;      // f32[200,32]
  const float* positions;  // f32[48,32]
  const float* segments;   // f32[2,32]
  const int* tokens;       // s32[4,24]
  const int* segment;      // s32[4,24]
} EmbeddingLookupInputs;

typedef struct EmbeddingLookupOutputs {
  float* x;      // f32[4,24,32]
  float* ratio;  // f32[4,32]
} EmbeddingLookupOutputs;

typedef struct EmbeddingLookupInstance EmbeddingLookupInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
EmbeddingLookupStatus embedding_lookup_create(EmbeddingLookupInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
EmbeddingLookupStatus embedding_lookup_run(EmbeddingLookupInstance* instance,
                                           const EmbeddingLookupInputs* in,
                                           const EmbeddingLookupOutputs* out,
                                           struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void embedding_lookup_destroy(EmbeddingLookupInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* embedding_lookup_last_error(void);

#ifdef EMBEDDING_LOOKUP_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
