// oscillators.h: the C interface of oscillators, for C and C++; needs no CUDA header.
//
//   in   x       f32[4096]
//   in   v       f32[4096]
//   out  x       f32[4096]
//   out  v       f32[4096]
//   out  scaled  f32[]
//   out  energy  f32[40]
//   out  part    f32[40]
//   out  part_2  s32[40]
//
//   OscillatorsInstance* instance;
//   if (oscillators_create(&instance) != kOscillatorsOk) {
//     puts(oscillators_last_error());
//   }
//   oscillators_run(instance, &in, &out, stream);  // as often as needed
//   oscillators_destroy(instance);
//
// An instance belongs to the device that is current when it is created: oscillators_run refuses to run
// while another one is, oscillators_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef OSCILLATORS_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum OscillatorsStatus {
  kOscillatorsOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kOscillatorsInvalidArgument = 1,
  // oscillators_create found too little memory.
  kOscillatorsOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kOscillatorsCudaError = 3,
} OscillatorsStatus;

enum {
  kOscillatorsInputCount = 2,
  kOscillatorsOutputCount = 6,
  // 1 if oscillators_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kOscillatorsRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kOscillatorsInX[] = {4096};
static const int64_t kOscillatorsInV[] = {4096};
static const int64_t kOscillatorsOutX[] = {4096};
static const int64_t kOscillatorsOutV[] = {4096};
static const int64_t kOscillatorsOutEnergy[] = {40};
static const int64_t kOscillatorsOutPart[] = {40};
static const int64_t kOscillatorsOutPart2[] = {40};

// One input or output.
typedef struct OscillatorsTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} OscillatorsTensor;

// In the order of the structs below; the row after the last has no name.
extern const OscillatorsTensor kOscillatorsInputTable[];
extern const OscillatorsTensor kOscillatorsOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct OscillatorsInputs {
  const float* x;  // f32[4096]
  const float* v;  // f32[4096]
} OscillatorsInputs;

typedef struct OscillatorsOutputs {
  float* x;       // f32[4096]
  float* v;       // f32[4096]
  float* scaled;  // f32[]
  float* energy;  // f32[40]
  float* part;    // f32[40]
  int* part_2;    // s32[40]
} OscillatorsOutputs;

typedef struct OscillatorsInstance OscillatorsInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
OscillatorsStatus oscillators_create(OscillatorsInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
OscillatorsStatus oscillators_run(OscillatorsInstance* instance, const OscillatorsInputs* in,
                                  const OscillatorsOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void oscillators_destroy(OscillatorsInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* oscillators_last_error(void);

#ifdef OSCILLATORS_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
