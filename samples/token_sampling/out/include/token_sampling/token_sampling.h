// token_sampling.h: the C interface of token_sampling, for C and C++; needs no CUDA header.
//
//   in   logits         f32[8,200]
//   in   temperature    f32[]
//   in   key            u32[2]
//   out  picked_tokens  s32[8]
//   out  kept           f32[8,40]
//
//   TokenSamplingInstance* instance;
//   if (token_sampling_create(&instance) != kTokenSamplingOk) {
//     puts(token_sampling_last_error());
//   }
//   token_sampling_run(instance, &in, &out, stream);  // as often as needed
//   token_sampling_destroy(instance);
//
// An instance belongs to the device that is current when it is created: token_sampling_run refuses to run
// while another one is, token_sampling_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef TOKEN_SAMPLING_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum TokenSamplingStatus {
  kTokenSamplingOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kTokenSamplingInvalidArgument = 1,
  // token_sampling_create found too little memory.
  kTokenSamplingOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kTokenSamplingCudaError = 3,
} TokenSamplingStatus;

enum {
  kTokenSamplingInputCount = 3,
  kTokenSamplingOutputCount = 2,
  // 1 if token_sampling_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kTokenSamplingRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kTokenSamplingInLogits[] = {8, 200};
static const int64_t kTokenSamplingInKey[] = {2};
static const int64_t kTokenSamplingOutPickedTokens[] = {8};
static const int64_t kTokenSamplingOutKept[] = {8, 40};

// One input or output.
typedef struct TokenSamplingTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} TokenSamplingTensor;

// In the order of the structs below; the row after the last has no name.
extern const TokenSamplingTensor kTokenSamplingInputTable[];
extern const TokenSamplingTensor kTokenSamplingOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct TokenSamplingInputs {
  const float* logits;       // f32[8,200]
  const float* temperature;  // f32[]
  const uint32_t* key;       // u32[2]
} TokenSamplingInputs;

typedef struct TokenSamplingOutputs {
  int* picked_tokens;  // s32[8]
  float* kept;         // f32[8,40]
} TokenSamplingOutputs;

typedef struct TokenSamplingInstance TokenSamplingInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
TokenSamplingStatus token_sampling_create(TokenSamplingInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
TokenSamplingStatus token_sampling_run(TokenSamplingInstance* instance,
                                       const TokenSamplingInputs* in,
                                       const TokenSamplingOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void token_sampling_destroy(TokenSamplingInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* token_sampling_last_error(void);

#ifdef TOKEN_SAMPLING_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
