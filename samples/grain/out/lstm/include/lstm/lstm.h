// lstm.h: the C interface of lstm, for C and C++; needs no CUDA header.
//
//   in   wh    f32[24,96]
//   in   bias  f32[96]
//   in   wx    f32[16,96]
//   in   xs    f32[12,4,16]
//   out  h     f32[4,24]
//   out  c     f32[4,24]
//   out  h_2   f32[12,4,24]
//
//   LstmInstance* instance;
//   if (lstm_create(&instance) != kLstmOk) {
//     puts(lstm_last_error());
//   }
//   lstm_run(instance, &in, &out, stream);  // as often as needed
//   lstm_destroy(instance);
//
// An instance belongs to the device that is current when it is created: lstm_run refuses to run
// while another one is, lstm_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef LSTM_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum LstmStatus {
  kLstmOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kLstmInvalidArgument = 1,
  // lstm_create found too little memory.
  kLstmOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kLstmCudaError = 3,
} LstmStatus;

enum {
  kLstmInputCount = 4,
  kLstmOutputCount = 3,
  // 1 if lstm_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kLstmRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kLstmInWh[] = {24, 96};
static const int64_t kLstmInBias[] = {96};
static const int64_t kLstmInWx[] = {16, 96};
static const int64_t kLstmInXs[] = {12, 4, 16};
static const int64_t kLstmOutH[] = {4, 24};
static const int64_t kLstmOutC[] = {4, 24};
static const int64_t kLstmOutH2[] = {12, 4, 24};

// One input or output.
typedef struct LstmTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} LstmTensor;

// In the order of the structs below; the row after the last has no name.
extern const LstmTensor kLstmInputTable[];
extern const LstmTensor kLstmOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct LstmInputs {
  const float* wh;    // f32[24,96]
  const float* bias;  // f32[96]
  const float* wx;    // f32[16,96]
  const float* xs;    // f32[12,4,16]
} LstmInputs;

typedef struct LstmOutputs {
  float* h;    // f32[4,24]
  float* c;    // f32[4,24]
  float* h_2;  // f32[12,4,24]
} LstmOutputs;

typedef struct LstmInstance LstmInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
LstmStatus lstm_create(LstmInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
LstmStatus lstm_run(LstmInstance* instance, const LstmInputs* in, const LstmOutputs* out,
                    struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void lstm_destroy(LstmInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* lstm_last_error(void);

#ifdef LSTM_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
