// cholesky_solve.h: the C interface of cholesky_solve, for C and C++; needs no CUDA header.
//
//   in   x         f32[48,3]
//   in   y         f32[48]
//   in   queries   f32[16,3]
//   out  centre    f32[16]
//   out  variance  f32[16]
//
//   CholeskySolveInstance* instance;
//   if (cholesky_solve_create(&instance) != kCholeskySolveOk) {
//     puts(cholesky_solve_last_error());
//   }
//   cholesky_solve_run(instance, &in, &out, stream);  // as often as needed
//   cholesky_solve_destroy(instance);
//
// An instance belongs to the device that is current when it is created: cholesky_solve_run refuses to run
// while another one is, cholesky_solve_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CHOLESKY_SOLVE_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum CholeskySolveStatus {
  kCholeskySolveOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kCholeskySolveInvalidArgument = 1,
  // cholesky_solve_create found too little memory.
  kCholeskySolveOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kCholeskySolveCudaError = 3,
} CholeskySolveStatus;

enum {
  kCholeskySolveInputCount = 3,
  kCholeskySolveOutputCount = 2,
  // 1 if cholesky_solve_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kCholeskySolveRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kCholeskySolveInX[] = {48, 3};
static const int64_t kCholeskySolveInY[] = {48};
static const int64_t kCholeskySolveInQueries[] = {16, 3};
static const int64_t kCholeskySolveOutCentre[] = {16};
static const int64_t kCholeskySolveOutVariance[] = {16};

// One input or output.
typedef struct CholeskySolveTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} CholeskySolveTensor;

// In the order of the structs below; the row after the last has no name.
extern const CholeskySolveTensor kCholeskySolveInputTable[];
extern const CholeskySolveTensor kCholeskySolveOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct CholeskySolveInputs {
  const float* x;        // f32[48,3]
  const float* y;        // f32[48]
  const float* queries;  // f32[16,3]
} CholeskySolveInputs;

typedef struct CholeskySolveOutputs {
  float* centre;    // f32[16]
  float* variance;  // f32[16]
} CholeskySolveOutputs;

typedef struct CholeskySolveInstance CholeskySolveInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
CholeskySolveStatus cholesky_solve_create(CholeskySolveInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
CholeskySolveStatus cholesky_solve_run(CholeskySolveInstance* instance,
                                       const CholeskySolveInputs* in,
                                       const CholeskySolveOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void cholesky_solve_destroy(CholeskySolveInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* cholesky_solve_last_error(void);

#ifdef CHOLESKY_SOLVE_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
