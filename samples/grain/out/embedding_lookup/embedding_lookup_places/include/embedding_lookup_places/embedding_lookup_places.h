// embedding_lookup_places.h: the C interface of embedding_lookup_places, for C and C++; needs no CUDA header.
//
//   in   tokens  s32[4,24]
//   out  place   s32[4,24]
//
//   EmbeddingLookupPlacesInstance* instance;
//   if (embedding_lookup_places_create(&instance) != kEmbeddingLookupPlacesOk) {
//     puts(embedding_lookup_places_last_error());
//   }
//   embedding_lookup_places_run(instance, &in, &out, stream);  // as often as needed
//   embedding_lookup_places_destroy(instance);
//
// An instance belongs to the device that is current when it is created: embedding_lookup_places_run refuses to run
// while another one is, embedding_lookup_places_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef EMBEDDING_LOOKUP_PLACES_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum EmbeddingLookupPlacesStatus {
  kEmbeddingLookupPlacesOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kEmbeddingLookupPlacesInvalidArgument = 1,
  // embedding_lookup_places_create found too little memory.
  kEmbeddingLookupPlacesOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kEmbeddingLookupPlacesCudaError = 3,
} EmbeddingLookupPlacesStatus;

enum {
  kEmbeddingLookupPlacesInputCount = 1,
  kEmbeddingLookupPlacesOutputCount = 1,
  // 1 if embedding_lookup_places_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kEmbeddingLookupPlacesRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kEmbeddingLookupPlacesInTokens[] = {4, 24};
static const int64_t kEmbeddingLookupPlacesOutPlace[] = {4, 24};

// One input or output.
typedef struct EmbeddingLookupPlacesTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} EmbeddingLookupPlacesTensor;

// In the order of the structs below; the row after the last has no name.
extern const EmbeddingLookupPlacesTensor kEmbeddingLookupPlacesInputTable[];
extern const EmbeddingLookupPlacesTensor kEmbeddingLookupPlacesOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct EmbeddingLookupPlacesInputs {
  const int* tokens;  // s32[4,24]
} EmbeddingLookupPlacesInputs;

typedef struct EmbeddingLookupPlacesOutputs {
  int* place;  // s32[4,24]
} EmbeddingLookupPlacesOutputs;

typedef struct EmbeddingLookupPlacesInstance EmbeddingLookupPlacesInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
EmbeddingLookupPlacesStatus embedding_lookup_places_create(EmbeddingLookupPlacesInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
EmbeddingLookupPlacesStatus embedding_lookup_places_run(EmbeddingLookupPlacesInstance* instance,
                                                        const EmbeddingLookupPlacesInputs* in,
                                                        const EmbeddingLookupPlacesOutputs* out,
                                                        struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void embedding_lookup_places_destroy(EmbeddingLookupPlacesInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* embedding_lookup_places_last_error(void);

#ifdef EMBEDDING_LOOKUP_PLACES_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
