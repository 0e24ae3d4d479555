// mlp_mnist.h: the C interface of mlp_mnist, for C and C++; needs no CUDA header.
//
//   in   layer1_b  f32[48]
//   in   layer1_w  f32[64,48]
//   in   layer2_b  f32[32]
//   in   layer2_w  f32[48,32]
//   in   layer3_b  f32[10]
//   in   layer3_w  f32[32,10]
//   in   images    f32[16,64]
//   out  p         f32[16,10]
//
//   MlpMnistInstance* instance;
//   if (mlp_mnist_create(&instance) != kMlpMnistOk) {
//     puts(mlp_mnist_last_error());
//   }
//   mlp_mnist_run(instance, &in, &out, stream);  // as often as needed
//   mlp_mnist_destroy(instance);
//
// An instance belongs to the device that is current when it is created: mlp_mnist_run refuses to run
// while another one is, mlp_mnist_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef MLP_MNIST_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum MlpMnistStatus {
  kMlpMnistOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kMlpMnistInvalidArgument = 1,
  // mlp_mnist_create found too little memory.
  kMlpMnistOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kMlpMnistCudaError = 3,
} MlpMnistStatus;

enum {
  kMlpMnistInputCount = 7,
  kMlpMnistOutputCount = 1,
  // 1 if mlp_mnist_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kMlpMnistRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kMlpMnistInLayer1B[] = {48};
static const int64_t kMlpMnistInLayer1W[] = {64, 48};
static const int64_t kMlpMnistInLayer2B[] = {32};
static const int64_t kMlpMnistInLayer2W[] = {48, 32};
static const int64_t kMlpMnistInLayer3B[] = {10};
static const int64_t kMlpMnistInLayer3W[] = {32, 10};
static const int64_t kMlpMnistInImages[] = {16, 64};
static const int64_t kMlpMnistOutP[] = {16, 10};

// One input or output.
typedef struct MlpMnistTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} MlpMnistTensor;

// In the order of the structs below; the row after the last has no name.
extern const MlpMnistTensor kMlpMnistInputTable[];
extern const MlpMnistTensor kMlpMnistOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct MlpMnistInputs {
  const float* layer1_b;  // f32[48]
  const float* layer1_w;  // f32[64,48]
  const float* layer2_b;  // f32[32]
  const float* layer2_w;  // f32[48,32]
  const float* layer3_b;  // f32[10]
  const float* layer3_w;  // f32[32,10]
  const float* images;    // f32[16,64]
} MlpMnistInputs;

typedef struct MlpMnistOutputs {
  float* p;  // f32[16,10]
} MlpMnistOutputs;

typedef struct MlpMnistInstance MlpMnistInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
MlpMnistStatus mlp_mnist_create(MlpMnistInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
MlpMnistStatus mlp_mnist_run(MlpMnistInstance* instance, const MlpMnistInputs* in,
                             const MlpMnistOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void mlp_mnist_destroy(MlpMnistInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* mlp_mnist_last_error(void);

#ifdef MLP_MNIST_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
