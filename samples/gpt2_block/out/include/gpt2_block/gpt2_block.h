// gpt2_block.h: the C interface of gpt2_block, for C and C++; needs no CUDA header.
//
//   in   params_attention_out_b  f32[48]
//   in   params_attention_out_w  f32[48,48]
//   in   params_attention_qkv_b  f32[144]
//   in   params_attention_qkv_w  f32[48,144]
//   in   params_down_b           f32[48]
//   in   params_down_w           f32[192,48]
//   in   params_norm1_bias       f32[48]
//   in   params_norm1_scale      f32[48]
//   in   params_norm2_bias       f32[48]
//   in   params_norm2_scale      f32[48]
//   in   params_up_b             f32[192]
//   in   params_up_w             f32[48,192]
//   in   x                       f32[2,16,48]
//   out  sum                     f32[2,16,48]
//
//   Gpt2BlockInstance* instance;
//   if (gpt2_block_create(&instance) != kGpt2BlockOk) {
//     puts(gpt2_block_last_error());
//   }
//   gpt2_block_run(instance, &in, &out, stream);  // as often as needed
//   gpt2_block_destroy(instance);
//
// An instance belongs to one device: gpt2_block_run refuses to run while another one is current,
// gpt2_block_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in gpt2_block_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define GPT2_BLOCK_INTERFACE 0x880f6f9240cd2a2fULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef GPT2_BLOCK_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum Gpt2BlockStatus {
  kGpt2BlockOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kGpt2BlockInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kGpt2BlockOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kGpt2BlockCudaError = 3,
  // The caller was compiled with a header of another interface.
  kGpt2BlockOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kGpt2BlockOtherDevice = 5,
  // There is no graph of a run: kGpt2BlockCanCapture is 0.
  kGpt2BlockCannotCapture = 7,
} Gpt2BlockStatus;

enum {
  kGpt2BlockInputCount = 13,
  kGpt2BlockOutputCount = 1,
  // 1 if gpt2_block_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kGpt2BlockRunSynchronises = 0,
  // 1 if gpt2_block_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kGpt2BlockCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kGpt2BlockInParamsAttentionOutB[] = {48};
static const int64_t kGpt2BlockInParamsAttentionOutW[] = {48, 48};
static const int64_t kGpt2BlockInParamsAttentionQkvB[] = {144};
static const int64_t kGpt2BlockInParamsAttentionQkvW[] = {48, 144};
static const int64_t kGpt2BlockInParamsDownB[] = {48};
static const int64_t kGpt2BlockInParamsDownW[] = {192, 48};
static const int64_t kGpt2BlockInParamsNorm1Bias[] = {48};
static const int64_t kGpt2BlockInParamsNorm1Scale[] = {48};
static const int64_t kGpt2BlockInParamsNorm2Bias[] = {48};
static const int64_t kGpt2BlockInParamsNorm2Scale[] = {48};
static const int64_t kGpt2BlockInParamsUpB[] = {192};
static const int64_t kGpt2BlockInParamsUpW[] = {48, 192};
static const int64_t kGpt2BlockInX[] = {2, 16, 48};
static const int64_t kGpt2BlockOutSum[] = {2, 16, 48};

// One input or output.
typedef struct Gpt2BlockTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} Gpt2BlockTensor;

// In the order of the structs below; the row after the last has no name.
extern const Gpt2BlockTensor kGpt2BlockInputTable[];
extern const Gpt2BlockTensor kGpt2BlockOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct Gpt2BlockInputs {
  const float* params_attention_out_b;  // f32[48]
  const float* params_attention_out_w;  // f32[48,48]
  const float* params_attention_qkv_b;  // f32[144]
  const float* params_attention_qkv_w;  // f32[48,144]
  const float* params_down_b;           // f32[48]
  const float* params_down_w;           // f32[192,48]
  const float* params_norm1_bias;       // f32[48]
  const float* params_norm1_scale;      // f32[48]
  const float* params_norm2_bias;       // f32[48]
  const float* params_norm2_scale;      // f32[48]
  const float* params_up_b;             // f32[192]
  const float* params_up_w;             // f32[48,192]
  const float* x;                       // f32[2,16,48]
} Gpt2BlockInputs;

typedef struct Gpt2BlockOutputs {
  float* sum;  // f32[2,16,48]
} Gpt2BlockOutputs;

typedef struct Gpt2BlockInstance Gpt2BlockInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct Gpt2BlockOptions {
  uint32_t size;            // sizeof(Gpt2BlockOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // GPT2_BLOCK_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // gpt2_block_workspace_bytes(). NULL: gpt2_block_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by gpt2_block_destroy, or by gpt2_block_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} Gpt2BlockOptions;

#define GPT2_BLOCK_OPTIONS \
  {sizeof(Gpt2BlockOptions), -1, GPT2_BLOCK_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: GPT2_BLOCK_OPTIONS, as the library has them.
Gpt2BlockStatus gpt2_block_create_with(Gpt2BlockInstance** instance,
                                       const Gpt2BlockOptions* options);

// The same with GPT2_BLOCK_OPTIONS. Compiled into the caller, whose interface is compared.
static inline Gpt2BlockStatus gpt2_block_create(Gpt2BlockInstance** instance) {
  const Gpt2BlockOptions options = GPT2_BLOCK_OPTIONS;
  return gpt2_block_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t gpt2_block_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
Gpt2BlockStatus gpt2_block_run(Gpt2BlockInstance* instance, const Gpt2BlockInputs* in,
                               const Gpt2BlockOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct Gpt2BlockGraph Gpt2BlockGraph;
Gpt2BlockStatus gpt2_block_capture(Gpt2BlockGraph** graph, Gpt2BlockInstance* instance,
                                   const Gpt2BlockInputs* in, const Gpt2BlockOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
Gpt2BlockStatus gpt2_block_graph_launch(const Gpt2BlockGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
Gpt2BlockStatus gpt2_block_graph_update(Gpt2BlockGraph* graph, const Gpt2BlockInputs* in,
                                        const Gpt2BlockOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* gpt2_block_graph_exec(const Gpt2BlockGraph* graph);

// Its launches must be finished. NULL is allowed.
void gpt2_block_graph_destroy(Gpt2BlockGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void gpt2_block_destroy(Gpt2BlockInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* gpt2_block_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* gpt2_block_status_text(Gpt2BlockStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct Gpt2BlockInfo {
  uint32_t size;              // sizeof(Gpt2BlockInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // GPT2_BLOCK_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as gpt2_block_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kGpt2BlockCanCapture
} Gpt2BlockInfo;

const Gpt2BlockInfo* gpt2_block_info(void);

#ifdef GPT2_BLOCK_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
