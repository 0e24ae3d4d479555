// black_scholes.h: the C interface of black_scholes, for C and C++; needs no CUDA header.
//
//   in   spot        f32[512]
//   in   volatility  f32[512]
//   in   strike      f32[512]
//   in   years       f32[512]
//   in   rate        f32[]
//   out  difference  f32[512]
//   out  cdf         f32[512]
//   out  vega        f32[512]
//
//   BlackScholesInstance* instance;
//   if (black_scholes_create(&instance) != kBlackScholesOk) {
//     puts(black_scholes_last_error());
//   }
//   black_scholes_run(instance, &in, &out, stream);  // as often as needed
//   black_scholes_destroy(instance);
//
// An instance belongs to the device that is current when it is created: black_scholes_run refuses to run
// while another one is, black_scholes_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef BLACK_SCHOLES_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum BlackScholesStatus {
  kBlackScholesOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kBlackScholesInvalidArgument = 1,
  // black_scholes_create found too little memory.
  kBlackScholesOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kBlackScholesCudaError = 3,
} BlackScholesStatus;

enum {
  kBlackScholesInputCount = 5,
  kBlackScholesOutputCount = 3,
  // 1 if black_scholes_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kBlackScholesRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kBlackScholesInSpot[] = {512};
static const int64_t kBlackScholesInVolatility[] = {512};
static const int64_t kBlackScholesInStrike[] = {512};
static const int64_t kBlackScholesInYears[] = {512};
static const int64_t kBlackScholesOutDifference[] = {512};
static const int64_t kBlackScholesOutCdf[] = {512};
static const int64_t kBlackScholesOutVega[] = {512};

// One input or output.
typedef struct BlackScholesTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} BlackScholesTensor;

// In the order of the structs below; the row after the last has no name.
extern const BlackScholesTensor kBlackScholesInputTable[];
extern const BlackScholesTensor kBlackScholesOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct BlackScholesInputs {
  const float* spot;        // f32[512]
  const float* volatility;  // f32[512]
  const float* strike;      // f32[512]
  const float* years;       // f32[512]
  const float* rate;        // f32[]
} BlackScholesInputs;

typedef struct BlackScholesOutputs {
  float* difference;  // f32[512]
  float* cdf;         // f32[512]
  float* vega;        // f32[512]
} BlackScholesOutputs;

typedef struct BlackScholesInstance BlackScholesInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
BlackScholesStatus black_scholes_create(BlackScholesInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
BlackScholesStatus black_scholes_run(BlackScholesInstance* instance, const BlackScholesInputs* in,
                                     const BlackScholesOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void black_scholes_destroy(BlackScholesInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* black_scholes_last_error(void);

#ifdef BLACK_SCHOLES_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
