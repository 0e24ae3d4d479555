// option_paths.h: the C interface of option_paths, for C and C++; needs no CUDA header.
//
//   in   spot        f32[]
//   in   strike      f32[]
//   in   volatility  f32[]
//   in   seed        u32[2]
//   out  price       f32[]
//   out  deviation   f32[]
//
//   OptionPathsInstance* instance;
//   if (option_paths_create(&instance) != kOptionPathsOk) {
//     puts(option_paths_last_error());
//   }
//   option_paths_run(instance, &in, &out, stream);  // as often as needed
//   option_paths_destroy(instance);
//
// An instance belongs to the device that is current when it is created: option_paths_run refuses to run
// while another one is, option_paths_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef OPTION_PATHS_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum OptionPathsStatus {
  kOptionPathsOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kOptionPathsInvalidArgument = 1,
  // option_paths_create found too little memory.
  kOptionPathsOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kOptionPathsCudaError = 3,
} OptionPathsStatus;

enum {
  kOptionPathsInputCount = 4,
  kOptionPathsOutputCount = 2,
  // 1 if option_paths_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kOptionPathsRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kOptionPathsInSeed[] = {2};

// One input or output.
typedef struct OptionPathsTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} OptionPathsTensor;

// In the order of the structs below; the row after the last has no name.
extern const OptionPathsTensor kOptionPathsInputTable[];
extern const OptionPathsTensor kOptionPathsOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct OptionPathsInputs {
  const float* spot;        // f32[]
  const float* strike;      // f32[]
  const float* volatility;  // f32[]
  const uint32_t* seed;     // u32[2]
} OptionPathsInputs;

typedef struct OptionPathsOutputs {
  float* price;      // f32[]
  float* deviation;  // f32[]
} OptionPathsOutputs;

typedef struct OptionPathsInstance OptionPathsInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
OptionPathsStatus option_paths_create(OptionPathsInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
OptionPathsStatus option_paths_run(OptionPathsInstance* instance, const OptionPathsInputs* in,
                                   const OptionPathsOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void option_paths_destroy(OptionPathsInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* option_paths_last_error(void);

#ifdef OPTION_PATHS_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
