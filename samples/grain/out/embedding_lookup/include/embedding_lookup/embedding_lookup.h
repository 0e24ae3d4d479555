// embedding_lookup.h: the C interface of embedding_lookup, for C and C++; needs no CUDA header. 2 programs
// that share device memory, each with an interface of its own:
//
//   embedding_lookup (embedding_lookup_embedding_lookup/embedding_lookup_embedding_lookup.h)
//     in   table      f32[200,32]
//     in   positions  f32[48,32]
//     in   segments   f32[2,32]
//     in   tokens     s32[4,24]
//     in   segment    s32[4,24]
//     out  x          f32[4,24,32]
//     out  bag        f32[4,32]
//   places (embedding_lookup_places/embedding_lookup_places.h)
//     in   tokens  s32[4,24]
//     out  place   s32[4,24]
//
//   EmbeddingLookupInstance* model;
//   if (embedding_lookup_create(&model) != kEmbeddingLookupOk) {
//     puts(embedding_lookup_last_error());
//   }
//   embedding_lookup_embedding_lookup_run(model->embedding_lookup, &in, &out, stream);  // as often as needed
//   embedding_lookup_places_run(model->places, &in, &out, stream);
//   embedding_lookup_destroy(model);
//
// An instance belongs to one device and serves one run at a time: runs of its programs, whichever they
// are, must follow each other, on one stream or by events. Between runs the device memory that they
// share holds nothing of the caller's: what one program passes to another is an output, and an input.
// Instances are independent of each other.

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "embedding_lookup_embedding_lookup/embedding_lookup_embedding_lookup.h"
#include "embedding_lookup_places/embedding_lookup_places.h"

// All that callers depend on: the programs and their interfaces. A caller that was compiled
// for another one is refused when it creates an instance.
#define EMBEDDING_LOOKUP_INTERFACE 0x5611f989edc91117ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef EMBEDDING_LOOKUP_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

// The numbers are those of the programs' own.
typedef enum EmbeddingLookupStatus {
  kEmbeddingLookupOk = 0,
  kEmbeddingLookupInvalidArgument = 1,
  kEmbeddingLookupOutOfMemory = 2,
  kEmbeddingLookupCudaError = 3,
  kEmbeddingLookupOtherInterface = 4,
  kEmbeddingLookupOtherDevice = 5,
} EmbeddingLookupStatus;

// A program of an instance each, for its functions. embedding_lookup_destroy destroys them.
typedef struct EmbeddingLookupInstance {
  struct EmbeddingLookupEmbeddingLookupInstance* embedding_lookup;
  struct EmbeddingLookupPlacesInstance* places;
} EmbeddingLookupInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct EmbeddingLookupOptions {
  uint32_t size;            // sizeof(EmbeddingLookupOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // EMBEDDING_LOOKUP_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // embedding_lookup_workspace_bytes(). NULL: embedding_lookup_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by embedding_lookup_destroy, or by embedding_lookup_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
} EmbeddingLookupOptions;

#define EMBEDDING_LOOKUP_OPTIONS \
  {sizeof(EmbeddingLookupOptions), -1, EMBEDDING_LOOKUP_INTERFACE, NULL, 0, NULL, NULL, NULL}

// Makes what runs of all programs need. *instance is NULL if this fails. Without options:
// EMBEDDING_LOOKUP_OPTIONS, as the library has them.
EmbeddingLookupStatus embedding_lookup_create_with(EmbeddingLookupInstance** instance,
                                                   const EmbeddingLookupOptions* options);

// The same with EMBEDDING_LOOKUP_OPTIONS. Compiled into the caller, whose interface is compared.
static inline EmbeddingLookupStatus embedding_lookup_create(EmbeddingLookupInstance** instance) {
  const EmbeddingLookupOptions options = EMBEDDING_LOOKUP_OPTIONS;
  return embedding_lookup_create_with(instance, &options);
}

// Device memory of an instance: the largest arena of its programs, and what each keeps between runs.
// Of the same size is the workspace that instances of single programs may share, one of each.
int64_t embedding_lookup_workspace_bytes(void);

// The instance's runs must be finished. NULL is allowed.
void embedding_lookup_destroy(EmbeddingLookupInstance* instance);

// Why the last call of this thread that gives a EmbeddingLookupStatus failed; empty if it did not. Programs have
// one of their own: embedding_lookup_embedding_lookup_last_error.
const char* embedding_lookup_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* embedding_lookup_status_text(EmbeddingLookupStatus status);

// What the library is; it begins as what its programs say of themselves (embedding_lookup_embedding_lookup_info). Later
// versions may have more fields, at the end.
typedef struct EmbeddingLookupInfo {
  uint32_t size;                // sizeof(EmbeddingLookupInfo), in the library
  int32_t kernels;              // of all programs
  int64_t launches;             // -1: each program has a number of its own
  uint64_t interface_hash;      // EMBEDDING_LOOKUP_INTERFACE, in the library
  const char* generator;        // "sinter 0.1.0"
  const char* input_sha256;     // of the texts that were compiled, one behind the other
  const char* architectures;    // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;      // as embedding_lookup_workspace_bytes()
  int64_t weights_bytes;        // of these, constants
  const char* const* programs;  // their names, in the order of EmbeddingLookupInstance; then NULL
} EmbeddingLookupInfo;

const EmbeddingLookupInfo* embedding_lookup_info(void);

#ifdef EMBEDDING_LOOKUP_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
