// cartpole_unroll10.h: the C interface of cartpole_unroll10, for C and C++; needs no CUDA header.
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
//   CartpoleUnroll10Instance* instance;
//   if (cartpole_unroll10_create(&instance) != kCartpoleUnroll10Ok) {
//     puts(cartpole_unroll10_last_error());
//   }
//   cartpole_unroll10_run(instance, &in, &out, stream);  // as often as needed
//   cartpole_unroll10_destroy(instance);
//
// An instance belongs to the device that is current when it is created: cartpole_unroll10_run refuses to run
// while another one is, cartpole_unroll10_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CARTPOLE_UNROLL10_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum CartpoleUnroll10Status {
  kCartpoleUnroll10Ok = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kCartpoleUnroll10InvalidArgument = 1,
  // cartpole_unroll10_create found too little memory.
  kCartpoleUnroll10OutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kCartpoleUnroll10CudaError = 3,
} CartpoleUnroll10Status;

enum {
  kCartpoleUnroll10InputCount = 9,
  kCartpoleUnroll10OutputCount = 5,
  // 1 if cartpole_unroll10_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kCartpoleUnroll10RunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kCartpoleUnroll10InState0[] = {64};
static const int64_t kCartpoleUnroll10InState1[] = {64};
static const int64_t kCartpoleUnroll10InState2[] = {64};
static const int64_t kCartpoleUnroll10InState3[] = {64};
static const int64_t kCartpoleUnroll10InActions[] = {16, 64};
static const int64_t kCartpoleUnroll10InStarts0[] = {16, 64};
static const int64_t kCartpoleUnroll10InStarts1[] = {16, 64};
static const int64_t kCartpoleUnroll10InStarts2[] = {16, 64};
static const int64_t kCartpoleUnroll10InStarts3[] = {16, 64};
static const int64_t kCartpoleUnroll10OutState0[] = {64};
static const int64_t kCartpoleUnroll10OutState1[] = {64};
static const int64_t kCartpoleUnroll10OutState2[] = {64};
static const int64_t kCartpoleUnroll10OutState3[] = {64};
static const int64_t kCartpoleUnroll10OutEpisodes[] = {64};

// One input or output.
typedef struct CartpoleUnroll10Tensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} CartpoleUnroll10Tensor;

// In the order of the structs below; the row after the last has no name.
extern const CartpoleUnroll10Tensor kCartpoleUnroll10InputTable[];
extern const CartpoleUnroll10Tensor kCartpoleUnroll10OutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct CartpoleUnroll10Inputs {
  const float* state_0;   // f32[64]
  const float* state_1;   // f32[64]
  const float* state_2;   // f32[64]
  const float* state_3;   // f32[64]
  const int* actions;     // s32[16,64]
  const float* starts_0;  // f32[16,64]
  const float* starts_1;  // f32[16,64]
  const float* starts_2;  // f32[16,64]
  const float* starts_3;  // f32[16,64]
} CartpoleUnroll10Inputs;

typedef struct CartpoleUnroll10Outputs {
  float* state_0;  // f32[64]
  float* state_1;  // f32[64]
  float* state_2;  // f32[64]
  float* state_3;  // f32[64]
  int* episodes;   // s32[64]
} CartpoleUnroll10Outputs;

typedef struct CartpoleUnroll10Instance CartpoleUnroll10Instance;

// Allocates what runs need.
// *instance is NULL if this fails.
CartpoleUnroll10Status cartpole_unroll10_create(CartpoleUnroll10Instance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
CartpoleUnroll10Status cartpole_unroll10_run(CartpoleUnroll10Instance* instance,
                                             const CartpoleUnroll10Inputs* in,
                                             const CartpoleUnroll10Outputs* out,
                                             struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void cartpole_unroll10_destroy(CartpoleUnroll10Instance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* cartpole_unroll10_last_error(void);

#ifdef CARTPOLE_UNROLL10_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
