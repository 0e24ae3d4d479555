// matmul_epilogue.h: the C interface of matmul_epilogue, for C and C++; needs no CUDA header.
//
//   in   a      f32[128,64]
//   in   b      f32[64,96]
//   in   bias   f32[96]
//   in   scale  f32[]
//   out  c      f32[128,96]
//
//   MatmulEpilogueInstance* instance;
//   if (matmul_epilogue_create(&instance) != kMatmulEpilogueOk) {
//     puts(matmul_epilogue_last_error());
//   }
//   matmul_epilogue_run(instance, &in, &out, stream);  // as often as needed
//   matmul_epilogue_destroy(instance);
//
// An instance belongs to the device that is current when it is created: matmul_epilogue_run refuses to run
// while another one is, matmul_epilogue_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef MATMUL_EPILOGUE_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum MatmulEpilogueStatus {
  kMatmulEpilogueOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kMatmulEpilogueInvalidArgument = 1,
  // matmul_epilogue_create found too little memory.
  kMatmulEpilogueOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kMatmulEpilogueCudaError = 3,
} MatmulEpilogueStatus;

enum {
  kMatmulEpilogueInputCount = 4,
  kMatmulEpilogueOutputCount = 1,
  // 1 if matmul_epilogue_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kMatmulEpilogueRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kMatmulEpilogueInA[] = {128, 64};
static const int64_t kMatmulEpilogueInB[] = {64, 96};
static const int64_t kMatmulEpilogueInBias[] = {96};
static const int64_t kMatmulEpilogueOutC[] = {128, 96};

// One input or output.
typedef struct MatmulEpilogueTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} MatmulEpilogueTensor;

// In the order of the structs below; the row after the last has no name.
extern const MatmulEpilogueTensor kMatmulEpilogueInputTable[];
extern const MatmulEpilogueTensor kMatmulEpilogueOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct MatmulEpilogueInputs {
  const float* a;      // f32[128,64]
  const float* b;      // f32[64,96]
  const float* bias;   // f32[96]
  const float* scale;  // f32[]
} MatmulEpilogueInputs;

typedef struct MatmulEpilogueOutputs {
  float* c;  // f32[128,96]
} MatmulEpilogueOutputs;

typedef struct MatmulEpilogueInstance MatmulEpilogueInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
MatmulEpilogueStatus matmul_epilogue_create(MatmulEpilogueInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
MatmulEpilogueStatus matmul_epilogue_run(MatmulEpilogueInstance* instance,
                                         const MatmulEpilogueInputs* in,
                                         const MatmulEpilogueOutputs* out,
                                         struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void matmul_epilogue_destroy(MatmulEpilogueInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* matmul_epilogue_last_error(void);

#ifdef MATMUL_EPILOGUE_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
