// image_filters_bilateral.h: the C interface of image_filters_bilateral, for C and C++; needs no CUDA header.
//
//   in   image   f32[48,64]
//   out  smooth  f32[48,64]
//
//   ImageFiltersBilateralInstance* instance;
//   if (image_filters_bilateral_create(&instance) != kImageFiltersBilateralOk) {
//     puts(image_filters_bilateral_last_error());
//   }
//   image_filters_bilateral_run(instance, &in, &out, stream);  // as often as needed
//   image_filters_bilateral_destroy(instance);
//
// An instance belongs to the device that is current when it is created: image_filters_bilateral_run refuses to run
// while another one is, image_filters_bilateral_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef IMAGE_FILTERS_BILATERAL_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum ImageFiltersBilateralStatus {
  kImageFiltersBilateralOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kImageFiltersBilateralInvalidArgument = 1,
  // image_filters_bilateral_create found too little memory.
  kImageFiltersBilateralOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kImageFiltersBilateralCudaError = 3,
} ImageFiltersBilateralStatus;

enum {
  kImageFiltersBilateralInputCount = 1,
  kImageFiltersBilateralOutputCount = 1,
  // 1 if image_filters_bilateral_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kImageFiltersBilateralRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kImageFiltersBilateralInImage[] = {48, 64};
static const int64_t kImageFiltersBilateralOutSmooth[] = {48, 64};

// One input or output.
typedef struct ImageFiltersBilateralTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} ImageFiltersBilateralTensor;

// In the order of the structs below; the row after the last has no name.
extern const ImageFiltersBilateralTensor kImageFiltersBilateralInputTable[];
extern const ImageFiltersBilateralTensor kImageFiltersBilateralOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct ImageFiltersBilateralInputs {
  const float* image;  // f32[48,64]
} ImageFiltersBilateralInputs;

typedef struct ImageFiltersBilateralOutputs {
  float* smooth;  // f32[48,64]
} ImageFiltersBilateralOutputs;

typedef struct ImageFiltersBilateralInstance ImageFiltersBilateralInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
ImageFiltersBilateralStatus image_filters_bilateral_create(ImageFiltersBilateralInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
ImageFiltersBilateralStatus image_filters_bilateral_run(ImageFiltersBilateralInstance* instance,
                                                        const ImageFiltersBilateralInputs* in,
                                                        const ImageFiltersBilateralOutputs* out,
                                                        struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void image_filters_bilateral_destroy(ImageFiltersBilateralInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* image_filters_bilateral_last_error(void);

#ifdef IMAGE_FILTERS_BILATERAL_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
