// llama_decode.h: the C interface of llama_decode, for C and C++; needs no CUDA header.
//
//   in   params_embedding       bf16[128,64]
//   in   params_layers_0_down   bf16[96,64]
//   in   params_layers_0_gate   bf16[64,96]
//   in   params_layers_0_k      bf16[64,32]
//   in   params_layers_0_norm1  bf16[64]
//   in   params_layers_0_norm2  bf16[64]
//   in   params_layers_0_out    bf16[64,64]
//   in   params_layers_0_q      bf16[64,64]
//   in   params_layers_0_up     bf16[64,96]
//   in   params_layers_0_v      bf16[64,32]
//   in   params_layers_1_down   bf16[96,64]
//   in   params_layers_1_gate   bf16[64,96]
//   in   params_layers_1_k      bf16[64,32]
//   in   params_layers_1_norm1  bf16[64]
//   in   params_layers_1_norm2  bf16[64]
//   in   params_layers_1_out    bf16[64,64]
//   in   params_layers_1_q      bf16[64,64]
//   in   params_layers_1_up     bf16[64,96]
//   in   params_layers_1_v      bf16[64,32]
//   in   params_norm            bf16[64]
//   in   cache_0_k              bf16[2,32,2,16]
//   in   cache_0_v              bf16[2,32,2,16]
//   in   cache_1_k              bf16[2,32,2,16]
//   in   cache_1_v              bf16[2,32,2,16]
//   in   tokens                 s32[2]
//   in   position               s32[]
//   out  argmax                 s32[2]
//   out  logits                 f32[2,128]
//   out  cache_0_k              bf16[2,32,2,16]
//   out  cache_0_v              bf16[2,32,2,16]
//   out  cache_1_k              bf16[2,32,2,16]
//   out  cache_1_v              bf16[2,32,2,16]
//
//   LlamaDecodeInstance* instance;
//   if (llama_decode_create(&instance) != kLlamaDecodeOk) {
//     puts(llama_decode_last_error());
//   }
//   llama_decode_run(instance, &in, &out, stream);  // as often as needed
//   llama_decode_destroy(instance);
//
// An instance belongs to one device: llama_decode_run refuses to run while another one is current,
// llama_decode_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in llama_decode_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define LLAMA_DECODE_INTERFACE 0xb604f5f326ca2484ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef LLAMA_DECODE_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum LlamaDecodeStatus {
  kLlamaDecodeOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kLlamaDecodeInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kLlamaDecodeOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kLlamaDecodeCudaError = 3,
  // The caller was compiled with a header of another interface.
  kLlamaDecodeOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kLlamaDecodeOtherDevice = 5,
  // There is no graph of a run: kLlamaDecodeCanCapture is 0.
  kLlamaDecodeCannotCapture = 7,
} LlamaDecodeStatus;

enum {
  kLlamaDecodeInputCount = 26,
  kLlamaDecodeOutputCount = 6,
  // 1 if llama_decode_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kLlamaDecodeRunSynchronises = 0,
  // 1 if llama_decode_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kLlamaDecodeCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kLlamaDecodeInParamsEmbedding[] = {128, 64};
static const int64_t kLlamaDecodeInParamsLayers0Down[] = {96, 64};
static const int64_t kLlamaDecodeInParamsLayers0Gate[] = {64, 96};
static const int64_t kLlamaDecodeInParamsLayers0K[] = {64, 32};
static const int64_t kLlamaDecodeInParamsLayers0Norm1[] = {64};
static const int64_t kLlamaDecodeInParamsLayers0Norm2[] = {64};
static const int64_t kLlamaDecodeInParamsLayers0Out[] = {64, 64};
static const int64_t kLlamaDecodeInParamsLayers0Q[] = {64, 64};
static const int64_t kLlamaDecodeInParamsLayers0Up[] = {64, 96};
static const int64_t kLlamaDecodeInParamsLayers0V[] = {64, 32};
static const int64_t kLlamaDecodeInParamsLayers1Down[] = {96, 64};
static const int64_t kLlamaDecodeInParamsLayers1Gate[] = {64, 96};
static const int64_t kLlamaDecodeInParamsLayers1K[] = {64, 32};
static const int64_t kLlamaDecodeInParamsLayers1Norm1[] = {64};
static const int64_t kLlamaDecodeInParamsLayers1Norm2[] = {64};
static const int64_t kLlamaDecodeInParamsLayers1Out[] = {64, 64};
static const int64_t kLlamaDecodeInParamsLayers1Q[] = {64, 64};
static const int64_t kLlamaDecodeInParamsLayers1Up[] = {64, 96};
static const int64_t kLlamaDecodeInParamsLayers1V[] = {64, 32};
static const int64_t kLlamaDecodeInParamsNorm[] = {64};
static const int64_t kLlamaDecodeInCache0K[] = {2, 32, 2, 16};
static const int64_t kLlamaDecodeInCache0V[] = {2, 32, 2, 16};
static const int64_t kLlamaDecodeInCache1K[] = {2, 32, 2, 16};
static const int64_t kLlamaDecodeInCache1V[] = {2, 32, 2, 16};
static const int64_t kLlamaDecodeInTokens[] = {2};
static const int64_t kLlamaDecodeOutArgmax[] = {2};
static const int64_t kLlamaDecodeOutLogits[] = {2, 128};
static const int64_t kLlamaDecodeOutCache0K[] = {2, 32, 2, 16};
static const int64_t kLlamaDecodeOutCache0V[] = {2, 32, 2, 16};
static const int64_t kLlamaDecodeOutCache1K[] = {2, 32, 2, 16};
static const int64_t kLlamaDecodeOutCache1V[] = {2, 32, 2, 16};

// One input or output.
typedef struct LlamaDecodeTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} LlamaDecodeTensor;

// In the order of the structs below; the row after the last has no name.
extern const LlamaDecodeTensor kLlamaDecodeInputTable[];
extern const LlamaDecodeTensor kLlamaDecodeOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct LlamaDecodeInputs {
  const uint16_t* params_embedding;       // bf16[128,64]
  const uint16_t* params_layers_0_down;   // bf16[96,64]
  const uint16_t* params_layers_0_gate;   // bf16[64,96]
  const uint16_t* params_layers_0_k;      // bf16[64,32]
  const uint16_t* params_layers_0_norm1;  // bf16[64]
  const uint16_t* params_layers_0_norm2;  // bf16[64]
  const uint16_t* params_layers_0_out;    // bf16[64,64]
  const uint16_t* params_layers_0_q;      // bf16[64,64]
  const uint16_t* params_layers_0_up;     // bf16[64,96]
  const uint16_t* params_layers_0_v;      // bf16[64,32]
  const uint16_t* params_layers_1_down;   // bf16[96,64]
  const uint16_t* params_layers_1_gate;   // bf16[64,96]
  const uint16_t* params_layers_1_k;      // bf16[64,32]
  const uint16_t* params_layers_1_norm1;  // bf16[64]
  const uint16_t* params_layers_1_norm2;  // bf16[64]
  const uint16_t* params_layers_1_out;    // bf16[64,64]
  const uint16_t* params_layers_1_q;      // bf16[64,64]
  const uint16_t* params_layers_1_up;     // bf16[64,96]
  const uint16_t* params_layers_1_v;      // bf16[64,32]
  const uint16_t* params_norm;            // bf16[64]
  const uint16_t* cache_0_k;              // bf16[2,32,2,16]
  const uint16_t* cache_0_v;              // bf16[2,32,2,16]
  const uint16_t* cache_1_k;              // bf16[2,32,2,16]
  const uint16_t* cache_1_v;              // bf16[2,32,2,16]
  const int* tokens;                      // s32[2]
  const int* position;                    // s32[]
} LlamaDecodeInputs;

typedef struct LlamaDecodeOutputs {
  int* argmax;          // s32[2]
  float* logits;        // f32[2,128]
  uint16_t* cache_0_k;  // bf16[2,32,2,16]
  uint16_t* cache_0_v;  // bf16[2,32,2,16]
  uint16_t* cache_1_k;  // bf16[2,32,2,16]
  uint16_t* cache_1_v;  // bf16[2,32,2,16]
} LlamaDecodeOutputs;

typedef struct LlamaDecodeInstance LlamaDecodeInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct LlamaDecodeOptions {
  uint32_t size;            // sizeof(LlamaDecodeOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // LLAMA_DECODE_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // llama_decode_workspace_bytes(). NULL: llama_decode_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by llama_decode_destroy, or by llama_decode_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} LlamaDecodeOptions;

#define LLAMA_DECODE_OPTIONS \
  {sizeof(LlamaDecodeOptions), -1, LLAMA_DECODE_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: LLAMA_DECODE_OPTIONS, as the library has them.
LlamaDecodeStatus llama_decode_create_with(LlamaDecodeInstance** instance,
                                           const LlamaDecodeOptions* options);

// The same with LLAMA_DECODE_OPTIONS. Compiled into the caller, whose interface is compared.
static inline LlamaDecodeStatus llama_decode_create(LlamaDecodeInstance** instance) {
  const LlamaDecodeOptions options = LLAMA_DECODE_OPTIONS;
  return llama_decode_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t llama_decode_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output, but for these pairs, which may be given one pointer:
//   cache_0_k, cache_0_k
//   cache_0_v, cache_0_v
//   cache_1_k, cache_1_k
//   cache_1_v, cache_1_v
LlamaDecodeStatus llama_decode_run(LlamaDecodeInstance* instance, const LlamaDecodeInputs* in,
                                   const LlamaDecodeOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct LlamaDecodeGraph LlamaDecodeGraph;
LlamaDecodeStatus llama_decode_capture(LlamaDecodeGraph** graph, LlamaDecodeInstance* instance,
                                       const LlamaDecodeInputs* in, const LlamaDecodeOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
LlamaDecodeStatus llama_decode_graph_launch(const LlamaDecodeGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
LlamaDecodeStatus llama_decode_graph_update(LlamaDecodeGraph* graph, const LlamaDecodeInputs* in,
                                            const LlamaDecodeOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* llama_decode_graph_exec(const LlamaDecodeGraph* graph);

// Its launches must be finished. NULL is allowed.
void llama_decode_graph_destroy(LlamaDecodeGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void llama_decode_destroy(LlamaDecodeInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* llama_decode_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* llama_decode_status_text(LlamaDecodeStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct LlamaDecodeInfo {
  uint32_t size;              // sizeof(LlamaDecodeInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // LLAMA_DECODE_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as llama_decode_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kLlamaDecodeCanCapture
} LlamaDecodeInfo;

const LlamaDecodeInfo* llama_decode_info(void);

#ifdef LLAMA_DECODE_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
