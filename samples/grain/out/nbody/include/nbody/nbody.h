// nbody.h: the C interface of nbody, for C and C++; needs no CUDA header.
//
//   in   position0  f32[48,3]
//   in   velocity0  f32[48,3]
//   in   mass       f32[48]
//   out  position0  f32[48,3]
//   out  velocity0  f32[48,3]
//
//   NbodyInstance* instance;
//   if (nbody_create(&instance) != kNbodyOk) {
//     puts(nbody_last_error());
//   }
//   nbody_run(instance, &in, &out, stream);  // as often as needed
//   nbody_destroy(instance);
//
// An instance belongs to the device that is current when it is created: nbody_run refuses to run
// while another one is, nbody_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef NBODY_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum NbodyStatus {
  kNbodyOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kNbodyInvalidArgument = 1,
  // nbody_create found too little memory.
  kNbodyOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kNbodyCudaError = 3,
} NbodyStatus;

enum {
  kNbodyInputCount = 3,
  kNbodyOutputCount = 2,
  // 1 if nbody_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kNbodyRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kNbodyInPosition0[] = {48, 3};
static const int64_t kNbodyInVelocity0[] = {48, 3};
static const int64_t kNbodyInMass[] = {48};
static const int64_t kNbodyOutPosition0[] = {48, 3};
static const int64_t kNbodyOutVelocity0[] = {48, 3};

// One input or output.
typedef struct NbodyTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} NbodyTensor;

// In the order of the structs below; the row after the last has no name.
extern const NbodyTensor kNbodyInputTable[];
extern const NbodyTensor kNbodyOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct NbodyInputs {
  const float* position0;  // f32[48,3]
  const float* velocity0;  // f32[48,3]
  const float* mass;       // f32[48]
} NbodyInputs;

typedef struct NbodyOutputs {
  float* position0;  // f32[48,3]
  float* velocity0;  // f32[48,3]
} NbodyOutputs;

typedef struct NbodyInstance NbodyInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
NbodyStatus nbody_create(NbodyInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
NbodyStatus nbody_run(NbodyInstance* instance, const NbodyInputs* in, const NbodyOutputs* out,
                      struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void nbody_destroy(NbodyInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* nbody_last_error(void);

#ifdef NBODY_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
