// fft_convolution.h: the C interface of fft_convolution, for C and C++; needs no CUDA header.
//
//   in   signal  f32[4,256]
//   in   kernel  f32[256]
//   out  fft     f32[4,256]
//
//   FftConvolutionInstance* instance;
//   if (fft_convolution_create(&instance) != kFftConvolutionOk) {
//     puts(fft_convolution_last_error());
//   }
//   fft_convolution_run(instance, &in, &out, stream);  // as often as needed
//   fft_convolution_destroy(instance);
//
// An instance belongs to one device: fft_convolution_run refuses to run while another one is current,
// fft_convolution_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in fft_convolution_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define FFT_CONVOLUTION_INTERFACE 0xc4d7091f7595b2ffULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef FFT_CONVOLUTION_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum FftConvolutionStatus {
  kFftConvolutionOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kFftConvolutionInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kFftConvolutionOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kFftConvolutionCudaError = 3,
  // The caller was compiled with a header of another interface.
  kFftConvolutionOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kFftConvolutionOtherDevice = 5,
  // There is no graph of a run: kFftConvolutionCanCapture is 0.
  kFftConvolutionCannotCapture = 7,
} FftConvolutionStatus;

enum {
  kFftConvolutionInputCount = 2,
  kFftConvolutionOutputCount = 1,
  // 1 if fft_convolution_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kFftConvolutionRunSynchronises = 0,
  // 1 if fft_convolution_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kFftConvolutionCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kFftConvolutionInSignal[] = {4, 256};
static const int64_t kFftConvolutionInKernel[] = {256};
static const int64_t kFftConvolutionOutFft[] = {4, 256};

// One input or output.
typedef struct FftConvolutionTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} FftConvolutionTensor;

// In the order of the structs below; the row after the last has no name.
extern const FftConvolutionTensor kFftConvolutionInputTable[];
extern const FftConvolutionTensor kFftConvolutionOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct FftConvolutionInputs {
  const float* signal;  // f32[4,256]
  const float* kernel;  // f32[256]
} FftConvolutionInputs;

typedef struct FftConvolutionOutputs {
  float* fft;  // f32[4,256]
} FftConvolutionOutputs;

typedef struct FftConvolutionInstance FftConvolutionInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct FftConvolutionOptions {
  uint32_t size;            // sizeof(FftConvolutionOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // FFT_CONVOLUTION_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // fft_convolution_workspace_bytes(). NULL: fft_convolution_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by fft_convolution_destroy, or by fft_convolution_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} FftConvolutionOptions;

#define FFT_CONVOLUTION_OPTIONS \
  {sizeof(FftConvolutionOptions), -1, FFT_CONVOLUTION_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need and copies the constants to the device.
// *instance is NULL if this fails. Without options: FFT_CONVOLUTION_OPTIONS, as the library has them.
FftConvolutionStatus fft_convolution_create_with(FftConvolutionInstance** instance,
                                                 const FftConvolutionOptions* options);

// The same with FFT_CONVOLUTION_OPTIONS. Compiled into the caller, whose interface is compared.
static inline FftConvolutionStatus fft_convolution_create(FftConvolutionInstance** instance) {
  const FftConvolutionOptions options = FFT_CONVOLUTION_OPTIONS;
  return fft_convolution_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t fft_convolution_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
FftConvolutionStatus fft_convolution_run(FftConvolutionInstance* instance,
                                         const FftConvolutionInputs* in,
                                         const FftConvolutionOutputs* out,
                                         struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct FftConvolutionGraph FftConvolutionGraph;
FftConvolutionStatus fft_convolution_capture(FftConvolutionGraph** graph,
                                             FftConvolutionInstance* instance,
                                             const FftConvolutionInputs* in,
                                             const FftConvolutionOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
FftConvolutionStatus fft_convolution_graph_launch(const FftConvolutionGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
FftConvolutionStatus fft_convolution_graph_update(FftConvolutionGraph* graph,
                                                  const FftConvolutionInputs* in,
                                                  const FftConvolutionOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* fft_convolution_graph_exec(const FftConvolutionGraph* graph);

// Its launches must be finished. NULL is allowed.
void fft_convolution_graph_destroy(FftConvolutionGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void fft_convolution_destroy(FftConvolutionInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* fft_convolution_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* fft_convolution_status_text(FftConvolutionStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct FftConvolutionInfo {
  uint32_t size;              // sizeof(FftConvolutionInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // FFT_CONVOLUTION_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as fft_convolution_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kFftConvolutionCanCapture
} FftConvolutionInfo;

const FftConvolutionInfo* fft_convolution_info(void);

#ifdef FFT_CONVOLUTION_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
