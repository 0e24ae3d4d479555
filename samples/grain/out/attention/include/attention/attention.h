// attention.h: the C interface of attention, for C and C++; needs no CUDA header.
//
//   in   q      f32[2,4,16,12]
//   in   k      f32[2,4,16,12]
//   in   v      f32[2,4,16,12]
//   out  mixed  f32[2,4,16,12]
//
//   AttentionInstance* instance;
//   if (attention_create(&instance) != kAttentionOk) {
//     puts(attention_last_error());
//   }
//   attention_run(instance, &in, &out, stream);  // as often as needed
//   attention_destroy(instance);
//
// An instance belongs to the device that is current when it is created: attention_run refuses to run
// while another one is, attention_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef ATTENTION_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum AttentionStatus {
  kAttentionOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kAttentionInvalidArgument = 1,
  // attention_create found too little memory.
  kAttentionOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kAttentionCudaError = 3,
} AttentionStatus;

enum {
  kAttentionInputCount = 3,
  kAttentionOutputCount = 1,
  // 1 if attention_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kAttentionRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kAttentionInQ[] = {2, 4, 16, 12};
static const int64_t kAttentionInK[] = {2, 4, 16, 12};
static const int64_t kAttentionInV[] = {2, 4, 16, 12};
static const int64_t kAttentionOutMixed[] = {2, 4, 16, 12};

// One input or output.
typedef struct AttentionTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} AttentionTensor;

// In the order of the structs below; the row after the last has no name.
extern const AttentionTensor kAttentionInputTable[];
extern const AttentionTensor kAttentionOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct AttentionInputs {
  const float* q;  // f32[2,4,16,12]
  const float* k;  // f32[2,4,16,12]
  const float* v;  // f32[2,4,16,12]
} AttentionInputs;

typedef struct AttentionOutputs {
  float* mixed;  // f32[2,4,16,12]
} AttentionOutputs;

typedef struct AttentionInstance AttentionInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
AttentionStatus attention_create(AttentionInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
AttentionStatus attention_run(AttentionInstance* instance, const AttentionInputs* in,
                              const AttentionOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void attention_destroy(AttentionInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* attention_last_error(void);

#ifdef ATTENTION_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
