// cumsum.h: the C interface of cumsum, for C and C++; needs no CUDA header.
//
//   in   x                f32[8,300]
//   in   p                f32[8,300]
//   out  running_sum      f32[8,300]
//   out  running_product  f32[8,300]
//   out  running_max      f32[8,300]
//
//   CumsumInstance* instance;
//   if (cumsum_create(&instance) != kCumsumOk) {
//     puts(cumsum_last_error());
//   }
//   cumsum_run(instance, &in, &out, stream);  // as often as needed
//   cumsum_destroy(instance);
//
// An instance belongs to one device: cumsum_run refuses to run while another one is current,
// cumsum_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in cumsum_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define CUMSUM_INTERFACE 0x0c2ef9a3c5dc871fULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CUMSUM_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum CumsumStatus {
  kCumsumOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kCumsumInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kCumsumOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kCumsumCudaError = 3,
  // The caller was compiled with a header of another interface.
  kCumsumOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kCumsumOtherDevice = 5,
} CumsumStatus;

enum {
  kCumsumInputCount = 2,
  kCumsumOutputCount = 3,
  // 1 if cumsum_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kCumsumRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kCumsumInX[] = {8, 300};
static const int64_t kCumsumInP[] = {8, 300};
static const int64_t kCumsumOutRunningSum[] = {8, 300};
static const int64_t kCumsumOutRunningProduct[] = {8, 300};
static const int64_t kCumsumOutRunningMax[] = {8, 300};

// One input or output.
typedef struct CumsumTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} CumsumTensor;

// In the order of the structs below; the row after the last has no name.
extern const CumsumTensor kCumsumInputTable[];
extern const CumsumTensor kCumsumOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct CumsumInputs {
  const float* x;  // f32[8,300]
  const float* p;  // f32[8,300]
} CumsumInputs;

typedef struct CumsumOutputs {
  float* running_sum;      // f32[8,300]
  float* running_product;  // f32[8,300]
  float* running_max;      // f32[8,300]
} CumsumOutputs;

typedef struct CumsumInstance CumsumInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct CumsumOptions {
  uint32_t size;            // sizeof(CumsumOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // CUMSUM_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // cumsum_workspace_bytes(). NULL: cumsum_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
} CumsumOptions;

#define CUMSUM_OPTIONS {sizeof(CumsumOptions), -1, CUMSUM_INTERFACE, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: CUMSUM_OPTIONS, as the library has them.
CumsumStatus cumsum_create_with(CumsumInstance** instance, const CumsumOptions* options);

// The same with CUMSUM_OPTIONS. Compiled into the caller, whose interface is compared.
static inline CumsumStatus cumsum_create(CumsumInstance** instance) {
  const CumsumOptions options = CUMSUM_OPTIONS;
  return cumsum_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t cumsum_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
CumsumStatus cumsum_run(CumsumInstance* instance, const CumsumInputs* in, const CumsumOutputs* out,
                        struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void cumsum_destroy(CumsumInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* cumsum_last_error(void);

// What the library is. Later versions may have more fields, at the end.
typedef struct CumsumInfo {
  uint32_t size;              // sizeof(CumsumInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // CUMSUM_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as cumsum_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
} CumsumInfo;

const CumsumInfo* cumsum_info(void);

#ifdef CUMSUM_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
