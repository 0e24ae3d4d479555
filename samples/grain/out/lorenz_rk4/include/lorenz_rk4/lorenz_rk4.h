// lorenz_rk4.h: the C interface of lorenz_rk4, for C and C++; needs no CUDA header.
//
//   in   start_x  f32[64]
//   in   start_y  f32[64]
//   in   start_z  f32[64]
//   out  start_x  f32[64]
//   out  start_y  f32[64]
//   out  start_z  f32[64]
//   out  means    f32[40,3]
//
//   LorenzRk4Instance* instance;
//   if (lorenz_rk4_create(&instance) != kLorenzRk4Ok) {
//     puts(lorenz_rk4_last_error());
//   }
//   lorenz_rk4_run(instance, &in, &out, stream);  // as often as needed
//   lorenz_rk4_destroy(instance);
//
// An instance belongs to the device that is current when it is created: lorenz_rk4_run refuses to run
// while another one is, lorenz_rk4_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef LORENZ_RK4_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum LorenzRk4Status {
  kLorenzRk4Ok = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kLorenzRk4InvalidArgument = 1,
  // lorenz_rk4_create found too little memory.
  kLorenzRk4OutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kLorenzRk4CudaError = 3,
} LorenzRk4Status;

enum {
  kLorenzRk4InputCount = 3,
  kLorenzRk4OutputCount = 4,
  // 1 if lorenz_rk4_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kLorenzRk4RunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kLorenzRk4InStartX[] = {64};
static const int64_t kLorenzRk4InStartY[] = {64};
static const int64_t kLorenzRk4InStartZ[] = {64};
static const int64_t kLorenzRk4OutStartX[] = {64};
static const int64_t kLorenzRk4OutStartY[] = {64};
static const int64_t kLorenzRk4OutStartZ[] = {64};
static const int64_t kLorenzRk4OutMeans[] = {40, 3};

// One input or output.
typedef struct LorenzRk4Tensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} LorenzRk4Tensor;

// In the order of the structs below; the row after the last has no name.
extern const LorenzRk4Tensor kLorenzRk4InputTable[];
extern const LorenzRk4Tensor kLorenzRk4OutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct LorenzRk4Inputs {
  const float* start_x;  // f32[64]
  const float* start_y;  // f32[64]
  const float* start_z;  // f32[64]
} LorenzRk4Inputs;

typedef struct LorenzRk4Outputs {
  float* start_x;  // f32[64]
  float* start_y;  // f32[64]
  float* start_z;  // f32[64]
  float* means;    // f32[40,3]
} LorenzRk4Outputs;

typedef struct LorenzRk4Instance LorenzRk4Instance;

// Allocates what runs need.
// *instance is NULL if this fails.
LorenzRk4Status lorenz_rk4_create(LorenzRk4Instance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
LorenzRk4Status lorenz_rk4_run(LorenzRk4Instance* instance, const LorenzRk4Inputs* in,
                               const LorenzRk4Outputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void lorenz_rk4_destroy(LorenzRk4Instance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* lorenz_rk4_last_error(void);

#ifdef LORENZ_RK4_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
