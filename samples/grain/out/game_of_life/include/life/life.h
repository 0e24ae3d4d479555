// life.h: the C interface of life, for C and C++; needs no CUDA header.
//
//   in   start  u8[64,96]
//   out  start  u8[64,96]
//   out  alive  s32[100]
//
//   LifeInstance* instance;
//   if (life_create(&instance) != kLifeOk) {
//     puts(life_last_error());
//   }
//   life_run(instance, &in, &out, stream);  // as often as needed
//   life_destroy(instance);
//
// An instance belongs to the device that is current when it is created: life_run refuses to run
// while another one is, life_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef LIFE_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum LifeStatus {
  kLifeOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kLifeInvalidArgument = 1,
  // life_create found too little memory.
  kLifeOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kLifeCudaError = 3,
} LifeStatus;

enum {
  kLifeInputCount = 1,
  kLifeOutputCount = 2,
  // 1 if life_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kLifeRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kLifeInStart[] = {64, 96};
static const int64_t kLifeOutStart[] = {64, 96};
static const int64_t kLifeOutAlive[] = {100};

// One input or output.
typedef struct LifeTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} LifeTensor;

// In the order of the structs below; the row after the last has no name.
extern const LifeTensor kLifeInputTable[];
extern const LifeTensor kLifeOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct LifeInputs {
  const uint8_t* start;  // u8[64,96]
} LifeInputs;

typedef struct LifeOutputs {
  uint8_t* start;  // u8[64,96]
  int* alive;      // s32[100]
} LifeOutputs;

typedef struct LifeInstance LifeInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
LifeStatus life_create(LifeInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
LifeStatus life_run(LifeInstance* instance, const LifeInputs* in, const LifeOutputs* out,
                    struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void life_destroy(LifeInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* life_last_error(void);

#ifdef LIFE_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
