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
// An instance belongs to one device: image_filters_bilateral_run refuses to run while another one is current,
// image_filters_bilateral_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in image_filters_bilateral_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define IMAGE_FILTERS_BILATERAL_INTERFACE 0xa339d2a52a8293bdULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef IMAGE_FILTERS_BILATERAL_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum ImageFiltersBilateralStatus {
  kImageFiltersBilateralOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kImageFiltersBilateralInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kImageFiltersBilateralOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kImageFiltersBilateralCudaError = 3,
  // The caller was compiled with a header of another interface.
  kImageFiltersBilateralOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kImageFiltersBilateralOtherDevice = 5,
  // There is no graph of a run: kImageFiltersBilateralCanCapture is 0.
  kImageFiltersBilateralCannotCapture = 7,
} ImageFiltersBilateralStatus;

enum {
  kImageFiltersBilateralInputCount = 1,
  kImageFiltersBilateralOutputCount = 1,
  // 1 if image_filters_bilateral_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kImageFiltersBilateralRunSynchronises = 0,
  // 1 if image_filters_bilateral_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kImageFiltersBilateralCanCapture = 1,
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

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct ImageFiltersBilateralOptions {
  uint32_t size;            // sizeof(ImageFiltersBilateralOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // IMAGE_FILTERS_BILATERAL_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // image_filters_bilateral_workspace_bytes(). NULL: image_filters_bilateral_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by image_filters_bilateral_destroy, or by image_filters_bilateral_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} ImageFiltersBilateralOptions;

#define IMAGE_FILTERS_BILATERAL_OPTIONS \
  {sizeof(ImageFiltersBilateralOptions), -1, IMAGE_FILTERS_BILATERAL_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: IMAGE_FILTERS_BILATERAL_OPTIONS, as the library has them.
ImageFiltersBilateralStatus image_filters_bilateral_create_with(ImageFiltersBilateralInstance** instance,
                                                                const ImageFiltersBilateralOptions* options);

// The same with IMAGE_FILTERS_BILATERAL_OPTIONS. Compiled into the caller, whose interface is compared.
static inline ImageFiltersBilateralStatus image_filters_bilateral_create(ImageFiltersBilateralInstance** instance) {
  const ImageFiltersBilateralOptions options = IMAGE_FILTERS_BILATERAL_OPTIONS;
  return image_filters_bilateral_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t image_filters_bilateral_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
ImageFiltersBilateralStatus image_filters_bilateral_run(ImageFiltersBilateralInstance* instance,
                                                        const ImageFiltersBilateralInputs* in,
                                                        const ImageFiltersBilateralOutputs* out,
                                                        struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct ImageFiltersBilateralGraph ImageFiltersBilateralGraph;
ImageFiltersBilateralStatus image_filters_bilateral_capture(ImageFiltersBilateralGraph** graph,
                                                            ImageFiltersBilateralInstance* instance,
                                                            const ImageFiltersBilateralInputs* in,
                                                            const ImageFiltersBilateralOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
ImageFiltersBilateralStatus image_filters_bilateral_graph_launch(const ImageFiltersBilateralGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
ImageFiltersBilateralStatus image_filters_bilateral_graph_update(ImageFiltersBilateralGraph* graph,
                                                                 const ImageFiltersBilateralInputs* in,
                                                                 const ImageFiltersBilateralOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* image_filters_bilateral_graph_exec(const ImageFiltersBilateralGraph* graph);

// Its launches must be finished. NULL is allowed.
void image_filters_bilateral_graph_destroy(ImageFiltersBilateralGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void image_filters_bilateral_destroy(ImageFiltersBilateralInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* image_filters_bilateral_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* image_filters_bilateral_status_text(ImageFiltersBilateralStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct ImageFiltersBilateralInfo {
  uint32_t size;              // sizeof(ImageFiltersBilateralInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // IMAGE_FILTERS_BILATERAL_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as image_filters_bilateral_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kImageFiltersBilateralCanCapture
} ImageFiltersBilateralInfo;

const ImageFiltersBilateralInfo* image_filters_bilateral_info(void);

#ifdef IMAGE_FILTERS_BILATERAL_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
