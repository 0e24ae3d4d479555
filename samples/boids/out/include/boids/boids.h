// boids.h: the C interface of boids, for C and C++; needs no CUDA header.
//
//   in   position  f32[256,2]
//   in   velocity  f32[256,2]
//   out  position  f32[256,2]
//   out  velocity  f32[256,2]
//
//   BoidsInstance* instance;
//   if (boids_create(&instance) != kBoidsOk) {
//     puts(boids_last_error());
//   }
//   boids_run(instance, &in, &out, stream);  // as often as needed
//   boids_destroy(instance);
//
// An instance belongs to the device that is current when it is created: boids_run refuses to run
// while another one is, boids_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef BOIDS_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum BoidsStatus {
  kBoidsOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kBoidsInvalidArgument = 1,
  // boids_create found too little memory.
  kBoidsOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kBoidsCudaError = 3,
} BoidsStatus;

enum {
  kBoidsInputCount = 2,
  kBoidsOutputCount = 2,
  // 1 if boids_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kBoidsRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kBoidsInPosition[] = {256, 2};
static const int64_t kBoidsInVelocity[] = {256, 2};
static const int64_t kBoidsOutPosition[] = {256, 2};
static const int64_t kBoidsOutVelocity[] = {256, 2};

// One input or output.
typedef struct BoidsTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} BoidsTensor;

// In the order of the structs below; the row after the last has no name.
extern const BoidsTensor kBoidsInputTable[];
extern const BoidsTensor kBoidsOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct BoidsInputs {
  const float* position;  // f32[256,2]
  const float* velocity;  // f32[256,2]
} BoidsInputs;

typedef struct BoidsOutputs {
  float* position;  // f32[256,2]
  float* velocity;  // f32[256,2]
} BoidsOutputs;

typedef struct BoidsInstance BoidsInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
BoidsStatus boids_create(BoidsInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
BoidsStatus boids_run(BoidsInstance* instance, const BoidsInputs* in, const BoidsOutputs* out,
                      struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void boids_destroy(BoidsInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* boids_last_error(void);

#ifdef BOIDS_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
