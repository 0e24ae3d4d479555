// monte_carlo_pi.h: the C interface of monte_carlo_pi, for C and C++; needs no CUDA header.
//
//   in   seed      u32[2]
//   out  estimate  f32[]
//
//   MonteCarloPiInstance* instance;
//   if (monte_carlo_pi_create(&instance) != kMonteCarloPiOk) {
//     puts(monte_carlo_pi_last_error());
//   }
//   monte_carlo_pi_run(instance, &in, &out, stream);  // as often as needed
//   monte_carlo_pi_destroy(instance);
//
// An instance belongs to the device that is current when it is created: monte_carlo_pi_run refuses to run
// while another one is, monte_carlo_pi_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef MONTE_CARLO_PI_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum MonteCarloPiStatus {
  kMonteCarloPiOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kMonteCarloPiInvalidArgument = 1,
  // monte_carlo_pi_create found too little memory.
  kMonteCarloPiOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kMonteCarloPiCudaError = 3,
} MonteCarloPiStatus;

enum {
  kMonteCarloPiInputCount = 1,
  kMonteCarloPiOutputCount = 1,
  // 1 if monte_carlo_pi_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kMonteCarloPiRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kMonteCarloPiInSeed[] = {2};

// One input or output.
typedef struct MonteCarloPiTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} MonteCarloPiTensor;

// In the order of the structs below; the row after the last has no name.
extern const MonteCarloPiTensor kMonteCarloPiInputTable[];
extern const MonteCarloPiTensor kMonteCarloPiOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct MonteCarloPiInputs {
  const uint32_t* seed;  // u32[2]
} MonteCarloPiInputs;

typedef struct MonteCarloPiOutputs {
  float* estimate;  // f32[]
} MonteCarloPiOutputs;

typedef struct MonteCarloPiInstance MonteCarloPiInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
MonteCarloPiStatus monte_carlo_pi_create(MonteCarloPiInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
MonteCarloPiStatus monte_carlo_pi_run(MonteCarloPiInstance* instance, const MonteCarloPiInputs* in,
                                      const MonteCarloPiOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void monte_carlo_pi_destroy(MonteCarloPiInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* monte_carlo_pi_last_error(void);

#ifdef MONTE_CARLO_PI_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
