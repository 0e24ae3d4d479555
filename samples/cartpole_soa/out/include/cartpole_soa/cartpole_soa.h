// cartpole_soa.h: the C interface of cartpole_soa, for C and C++; needs no CUDA header.
//
//   in   state_0   f32[64]
//   in   state_1   f32[64]
//   in   state_2   f32[64]
//   in   state_3   f32[64]
//   in   actions   s32[16,64]
//   in   starts_0  f32[16,64]
//   in   starts_1  f32[16,64]
//   in   starts_2  f32[16,64]
//   in   starts_3  f32[16,64]
//   out  state_0   f32[64]
//   out  state_1   f32[64]
//   out  state_2   f32[64]
//   out  state_3   f32[64]
//   out  episodes  s32[64]
//
//   CartpoleSoaInstance* instance;
//   if (cartpole_soa_create(&instance) != kCartpoleSoaOk) {
//     puts(cartpole_soa_last_error());
//   }
//   cartpole_soa_run(instance, &in, &out, stream);  // as often as needed
//   cartpole_soa_destroy(instance);
//
// An instance belongs to the device that is current when it is created: cartpole_soa_run refuses to run
// while another one is, cartpole_soa_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CARTPOLE_SOA_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum CartpoleSoaStatus {
  kCartpoleSoaOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kCartpoleSoaInvalidArgument = 1,
  // cartpole_soa_create found too little memory.
  kCartpoleSoaOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kCartpoleSoaCudaError = 3,
} CartpoleSoaStatus;

enum {
  kCartpoleSoaInputCount = 9,
  kCartpoleSoaOutputCount = 5,
  // 1 if cartpole_soa_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kCartpoleSoaRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kCartpoleSoaInState0[] = {64};
static const int64_t kCartpoleSoaInState1[] = {64};
static const int64_t kCartpoleSoaInState2[] = {64};
static const int64_t kCartpoleSoaInState3[] = {64};
static const int64_t kCartpoleSoaInActions[] = {16, 64};
static const int64_t kCartpoleSoaInStarts0[] = {16, 64};
static const int64_t kCartpoleSoaInStarts1[] = {16, 64};
static const int64_t kCartpoleSoaInStarts2[] = {16, 64};
static const int64_t kCartpoleSoaInStarts3[] = {16, 64};
static const int64_t kCartpoleSoaOutState0[] = {64};
static const int64_t kCartpoleSoaOutState1[] = {64};
static const int64_t kCartpoleSoaOutState2[] = {64};
static const int64_t kCartpoleSoaOutState3[] = {64};
static const int64_t kCartpoleSoaOutEpisodes[] = {64};

// One input or output.
typedef struct CartpoleSoaTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} CartpoleSoaTensor;

// In the order of the structs below; the row after the last has no name.
extern const CartpoleSoaTensor kCartpoleSoaInputTable[];
extern const CartpoleSoaTensor kCartpoleSoaOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct CartpoleSoaInputs {
  const float* state_0;   // f32[64]
  const float* state_1;   // f32[64]
  const float* state_2;   // f32[64]
  const float* state_3;   // f32[64]
  const int* actions;     // s32[16,64]
  const float* starts_0;  // f32[16,64]
  const float* starts_1;  // f32[16,64]
  const float* starts_2;  // f32[16,64]
  const float* starts_3;  // f32[16,64]
} CartpoleSoaInputs;

typedef struct CartpoleSoaOutputs {
  float* state_0;  // f32[64]
  float* state_1;  // f32[64]
  float* state_2;  // f32[64]
  float* state_3;  // f32[64]
  int* episodes;   // s32[64]
} CartpoleSoaOutputs;

typedef struct CartpoleSoaInstance CartpoleSoaInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
CartpoleSoaStatus cartpole_soa_create(CartpoleSoaInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
CartpoleSoaStatus cartpole_soa_run(CartpoleSoaInstance* instance, const CartpoleSoaInputs* in,
                                   const CartpoleSoaOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void cartpole_soa_destroy(CartpoleSoaInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* cartpole_soa_last_error(void);

#ifdef CARTPOLE_SOA_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
