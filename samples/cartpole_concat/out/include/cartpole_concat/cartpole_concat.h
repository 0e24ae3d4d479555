// cartpole_concat.h: the C interface of cartpole_concat, for C and C++; needs no CUDA header.
//
//   in   state     f32[64,4]
//   in   actions   s32[16,64]
//   in   starts    f32[16,64,4]
//   out  state     f32[64,4]
//   out  episodes  s32[64]
//
//   CartpoleConcatInstance* instance;
//   if (cartpole_concat_create(&instance) != kCartpoleConcatOk) {
//     puts(cartpole_concat_last_error());
//   }
//   cartpole_concat_run(instance, &in, &out, stream);  // as often as needed
//   cartpole_concat_destroy(instance);
//
// An instance belongs to the device that is current when it is created: cartpole_concat_run refuses to run
// while another one is, cartpole_concat_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CARTPOLE_CONCAT_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum CartpoleConcatStatus {
  kCartpoleConcatOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kCartpoleConcatInvalidArgument = 1,
  // cartpole_concat_create found too little memory.
  kCartpoleConcatOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kCartpoleConcatCudaError = 3,
} CartpoleConcatStatus;

enum {
  kCartpoleConcatInputCount = 3,
  kCartpoleConcatOutputCount = 2,
  // 1 if cartpole_concat_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kCartpoleConcatRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kCartpoleConcatInState[] = {64, 4};
static const int64_t kCartpoleConcatInActions[] = {16, 64};
static const int64_t kCartpoleConcatInStarts[] = {16, 64, 4};
static const int64_t kCartpoleConcatOutState[] = {64, 4};
static const int64_t kCartpoleConcatOutEpisodes[] = {64};

// One input or output.
typedef struct CartpoleConcatTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} CartpoleConcatTensor;

// In the order of the structs below; the row after the last has no name.
extern const CartpoleConcatTensor kCartpoleConcatInputTable[];
extern const CartpoleConcatTensor kCartpoleConcatOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct CartpoleConcatInputs {
  const float* state;   // f32[64,4]
  const int* actions;   // s32[16,64]
  const float* starts;  // f32[16,64,4]
} CartpoleConcatInputs;

typedef struct CartpoleConcatOutputs {
  float* state;   // f32[64,4]
  int* episodes;  // s32[64]
} CartpoleConcatOutputs;

typedef struct CartpoleConcatInstance CartpoleConcatInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
CartpoleConcatStatus cartpole_concat_create(CartpoleConcatInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
CartpoleConcatStatus cartpole_concat_run(CartpoleConcatInstance* instance,
                                         const CartpoleConcatInputs* in,
                                         const CartpoleConcatOutputs* out,
                                         struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void cartpole_concat_destroy(CartpoleConcatInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* cartpole_concat_last_error(void);

#ifdef CARTPOLE_CONCAT_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
