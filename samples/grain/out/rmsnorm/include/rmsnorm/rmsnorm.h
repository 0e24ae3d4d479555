// rmsnorm.h: the C interface of rmsnorm, for C and C++; needs no CUDA header.
//
//   in   x      bf16[64,96]
//   in   scale  bf16[96]
//   out  y      bf16[64,96]
//
//   RmsnormInstance* instance;
//   if (rmsnorm_create(&instance) != kRmsnormOk) {
//     puts(rmsnorm_last_error());
//   }
//   rmsnorm_run(instance, &in, &out, stream);  // as often as needed
//   rmsnorm_destroy(instance);
//
// An instance belongs to the device that is current when it is created: rmsnorm_run refuses to run
// while another one is, rmsnorm_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef RMSNORM_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum RmsnormStatus {
  kRmsnormOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kRmsnormInvalidArgument = 1,
  // rmsnorm_create found too little memory.
  kRmsnormOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kRmsnormCudaError = 3,
} RmsnormStatus;

enum {
  kRmsnormInputCount = 2,
  kRmsnormOutputCount = 1,
  // 1 if rmsnorm_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kRmsnormRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kRmsnormInX[] = {64, 96};
static const int64_t kRmsnormInScale[] = {96};
static const int64_t kRmsnormOutY[] = {64, 96};

// One input or output.
typedef struct RmsnormTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} RmsnormTensor;

// In the order of the structs below; the row after the last has no name.
extern const RmsnormTensor kRmsnormInputTable[];
extern const RmsnormTensor kRmsnormOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct RmsnormInputs {
  const uint16_t* x;      // bf16[64,96]
  const uint16_t* scale;  // bf16[96]
} RmsnormInputs;

typedef struct RmsnormOutputs {
  uint16_t* y;  // bf16[64,96]
} RmsnormOutputs;

typedef struct RmsnormInstance RmsnormInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
RmsnormStatus rmsnorm_create(RmsnormInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
RmsnormStatus rmsnorm_run(RmsnormInstance* instance, const RmsnormInputs* in,
                          const RmsnormOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void rmsnorm_destroy(RmsnormInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* rmsnorm_last_error(void);

#ifdef RMSNORM_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
