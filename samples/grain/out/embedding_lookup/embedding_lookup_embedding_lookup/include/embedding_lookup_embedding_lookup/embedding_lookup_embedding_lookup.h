// embedding_lookup_embedding_lookup.h: the C interface of embedding_lookup_embedding_lookup, for C and C++; needs no CUDA header.
//
//   in   table      f32[200,32]
//   in   positions  f32[48,32]
//   in   segments   f32[2,32]
//   in   tokens     s32[4,24]
//   in   segment    s32[4,24]
//   out  x          f32[4,24,32]
//   out  bag        f32[4,32]
//
//   EmbeddingLookupEmbeddingLookupInstance* instance;
//   if (embedding_lookup_embedding_lookup_create(&instance) != kEmbeddingLookupEmbeddingLookupOk) {
//     puts(embedding_lookup_embedding_lookup_last_error());
//   }
//   embedding_lookup_embedding_lookup_run(instance, &in, &out, stream);  // as often as needed
//   embedding_lookup_embedding_lookup_destroy(instance);
//
// An instance belongs to the device that is current when it is created: embedding_lookup_embedding_lookup_run refuses to run
// while another one is, embedding_lookup_embedding_lookup_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef EMBEDDING_LOOKUP_EMBEDDING_LOOKUP_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum EmbeddingLookupEmbeddingLookupStatus {
  kEmbeddingLookupEmbeddingLookupOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kEmbeddingLookupEmbeddingLookupInvalidArgument = 1,
  // embedding_lookup_embedding_lookup_create found too little memory.
  kEmbeddingLookupEmbeddingLookupOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kEmbeddingLookupEmbeddingLookupCudaError = 3,
} EmbeddingLookupEmbeddingLookupStatus;

enum {
  kEmbeddingLookupEmbeddingLookupInputCount = 5,
  kEmbeddingLookupEmbeddingLookupOutputCount = 2,
  // 1 if embedding_lookup_embedding_lookup_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kEmbeddingLookupEmbeddingLookupRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kEmbeddingLookupEmbeddingLookupInTable[] = {200, 32};
static const int64_t kEmbeddingLookupEmbeddingLookupInPositions[] = {48, 32};
static const int64_t kEmbeddingLookupEmbeddingLookupInSegments[] = {2, 32};
static const int64_t kEmbeddingLookupEmbeddingLookupInTokens[] = {4, 24};
static const int64_t kEmbeddingLookupEmbeddingLookupInSegment[] = {4, 24};
static const int64_t kEmbeddingLookupEmbeddingLookupOutX[] = {4, 24, 32};
static const int64_t kEmbeddingLookupEmbeddingLookupOutBag[] = {4, 32};

// One input or output.
typedef struct EmbeddingLookupEmbeddingLookupTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} EmbeddingLookupEmbeddingLookupTensor;

// In the order of the structs below; the row after the last has no name.
extern const EmbeddingLookupEmbeddingLookupTensor kEmbeddingLookupEmbeddingLookupInputTable[];
extern const EmbeddingLookupEmbeddingLookupTensor kEmbeddingLookupEmbeddingLookupOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct EmbeddingLookupEmbeddingLookupInputs {
  const float* table;      // f32[200,32]
  const float* positions;  // f32[48,32]
  const float* segments;   // f32[2,32]
  const int* tokens;       // s32[4,24]
  const int* segment;      // s32[4,24]
} EmbeddingLookupEmbeddingLookupInputs;

typedef struct EmbeddingLookupEmbeddingLookupOutputs {
  float* x;    // f32[4,24,32]
  float* bag;  // f32[4,32]
} EmbeddingLookupEmbeddingLookupOutputs;

typedef struct EmbeddingLookupEmbeddingLookupInstance EmbeddingLookupEmbeddingLookupInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
EmbeddingLookupEmbeddingLookupStatus embedding_lookup_embedding_lookup_create(EmbeddingLookupEmbeddingLookupInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
EmbeddingLookupEmbeddingLookupStatus embedding_lookup_embedding_lookup_run(EmbeddingLookupEmbeddingLookupInstance* instance,
                                                                           const EmbeddingLookupEmbeddingLookupInputs* in,
                                                                           const EmbeddingLookupEmbeddingLookupOutputs* out,
                                                                           struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void embedding_lookup_embedding_lookup_destroy(EmbeddingLookupEmbeddingLookupInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* embedding_lookup_embedding_lookup_last_error(void);

#ifdef EMBEDDING_LOOKUP_EMBEDDING_LOOKUP_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
