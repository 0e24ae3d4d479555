// cartpole_rng.h: the C interface of cartpole_rng, for C and C++; needs no CUDA header.
//
//   in   start  f32[64,4]
//   in   seed   u32[2]
//   out  start  f32[64,4]
//   out  sum    s32[64]
//
//   CartpoleRngInstance* instance;
//   if (cartpole_rng_create(&instance) != kCartpoleRngOk) {
//     puts(cartpole_rng_last_error());
//   }
//   cartpole_rng_run(instance, &in, &out, stream);  // as often as needed
//   cartpole_rng_destroy(instance);
//
// An instance belongs to the device that is current when it is created: cartpole_rng_run refuses to run
// while another one is, cartpole_rng_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CARTPOLE_RNG_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum CartpoleRngStatus {
  kCartpoleRngOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kCartpoleRngInvalidArgument = 1,
  // cartpole_rng_create found too little memory.
  kCartpoleRngOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kCartpoleRngCudaError = 3,
} CartpoleRngStatus;

enum {
  kCartpoleRngInputCount = 2,
  kCartpoleRngOutputCount = 2,
  // 1 if cartpole_rng_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kCartpoleRngRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kCartpoleRngInStart[] = {64, 4};
static const int64_t kCartpoleRngInSeed[] = {2};
static const int64_t kCartpoleRngOutStart[] = {64, 4};
static const int64_t kCartpoleRngOutSum[] = {64};

// One input or output.
typedef struct CartpoleRngTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} CartpoleRngTensor;

// In the order of the structs below; the row after the last has no name.
extern const CartpoleRngTensor kCartpoleRngInputTable[];
extern const CartpoleRngTensor kCartpoleRngOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct CartpoleRngInputs {
  const float* start;    // f32[64,4]
  const uint32_t* seed;  // u32[2]
} CartpoleRngInputs;

typedef struct CartpoleRngOutputs {
  float* start;  // f32[64,4]
  int* sum;      // s32[64]
} CartpoleRngOutputs;

typedef struct CartpoleRngInstance CartpoleRngInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
CartpoleRngStatus cartpole_rng_create(CartpoleRngInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
CartpoleRngStatus cartpole_rng_run(CartpoleRngInstance* instance, const CartpoleRngInputs* in,
                                   const CartpoleRngOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void cartpole_rng_destroy(CartpoleRngInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* cartpole_rng_last_error(void);

#ifdef CARTPOLE_RNG_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
