// mlp_mnist.h: the C interface of mlp_mnist, for C and C++; needs no CUDA header.
//
//   in   layer1_b  f32[48]
//   in   layer1_w  f32[64,48]
//   in   layer2_b  f32[32]
//   in   layer2_w  f32[48,32]
//   in   layer3_b  f32[10]
//   in   layer3_w  f32[32,10]
//   in   images    f32[16,64]
//   out  probs     f32[16,10]
//
//   MlpMnistInstance* instance;
//   if (mlp_mnist_create(&instance) != kMlpMnistOk) {
//     puts(mlp_mnist_last_error());
//   }
//   mlp_mnist_run(instance, &in, &out, stream);  // as often as needed
//   mlp_mnist_destroy(instance);
//
// An instance belongs to one device: mlp_mnist_run refuses to run while another one is current,
// mlp_mnist_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in mlp_mnist_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define MLP_MNIST_INTERFACE 0x1a60e40065af8184ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef MLP_MNIST_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum MlpMnistStatus {
  kMlpMnistOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kMlpMnistInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kMlpMnistOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kMlpMnistCudaError = 3,
  // The caller was compiled with a header of another interface.
  kMlpMnistOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kMlpMnistOtherDevice = 5,
  // There is no graph of a run: kMlpMnistCanCapture is 0.
  kMlpMnistCannotCapture = 7,
} MlpMnistStatus;

enum {
  kMlpMnistInputCount = 7,
  kMlpMnistOutputCount = 1,
  // 1 if mlp_mnist_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kMlpMnistRunSynchronises = 0,
  // 1 if mlp_mnist_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kMlpMnistCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kMlpMnistInLayer1B[] = {48};
static const int64_t kMlpMnistInLayer1W[] = {64, 48};
static const int64_t kMlpMnistInLayer2B[] = {32};
static const int64_t kMlpMnistInLayer2W[] = {48, 32};
static const int64_t kMlpMnistInLayer3B[] = {10};
static const int64_t kMlpMnistInLayer3W[] = {32, 10};
static const int64_t kMlpMnistInImages[] = {16, 64};
static const int64_t kMlpMnistOutProbs[] = {16, 10};

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
  float* probs;  // f32[16,10]
} MlpMnistOutputs;

typedef struct MlpMnistInstance MlpMnistInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct MlpMnistOptions {
  uint32_t size;            // sizeof(MlpMnistOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // MLP_MNIST_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // mlp_mnist_workspace_bytes(). NULL: mlp_mnist_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by mlp_mnist_destroy, or by mlp_mnist_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} MlpMnistOptions;

#define MLP_MNIST_OPTIONS \
  {sizeof(MlpMnistOptions), -1, MLP_MNIST_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: MLP_MNIST_OPTIONS, as the library has them.
MlpMnistStatus mlp_mnist_create_with(MlpMnistInstance** instance, const MlpMnistOptions* options);

// The same with MLP_MNIST_OPTIONS. Compiled into the caller, whose interface is compared.
static inline MlpMnistStatus mlp_mnist_create(MlpMnistInstance** instance) {
  const MlpMnistOptions options = MLP_MNIST_OPTIONS;
  return mlp_mnist_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t mlp_mnist_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
MlpMnistStatus mlp_mnist_run(MlpMnistInstance* instance, const MlpMnistInputs* in,
                             const MlpMnistOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct MlpMnistGraph MlpMnistGraph;
MlpMnistStatus mlp_mnist_capture(MlpMnistGraph** graph, MlpMnistInstance* instance,
                                 const MlpMnistInputs* in, const MlpMnistOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
MlpMnistStatus mlp_mnist_graph_launch(const MlpMnistGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
MlpMnistStatus mlp_mnist_graph_update(MlpMnistGraph* graph, const MlpMnistInputs* in,
                                      const MlpMnistOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* mlp_mnist_graph_exec(const MlpMnistGraph* graph);

// Its launches must be finished. NULL is allowed.
void mlp_mnist_graph_destroy(MlpMnistGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void mlp_mnist_destroy(MlpMnistInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* mlp_mnist_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* mlp_mnist_status_text(MlpMnistStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct MlpMnistInfo {
  uint32_t size;              // sizeof(MlpMnistInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // MLP_MNIST_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as mlp_mnist_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kMlpMnistCanCapture
} MlpMnistInfo;

const MlpMnistInfo* mlp_mnist_info(void);

#ifdef MLP_MNIST_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
