// graph_attention.h: the C interface of graph_attention, for C and C++; needs no CUDA header.
//
//   in   features   f32[60,16]
//   in   senders    s32[500]
//   in   receivers  s32[500]
//   in   weights    f32[2,16,16]
//   in   scores     f32[2,2,16]
//   out  features   f32[60,16]
//   out  degrees    s32[60]
//
//   GraphAttentionInstance* instance;
//   if (graph_attention_create(&instance) != kGraphAttentionOk) {
//     puts(graph_attention_last_error());
//   }
//   graph_attention_run(instance, &in, &out, stream);  // as often as needed
//   graph_attention_destroy(instance);
//
// An instance belongs to the device that is current when it is created: graph_attention_run refuses to run
// while another one is, graph_attention_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef GRAPH_ATTENTION_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum GraphAttentionStatus {
  kGraphAttentionOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kGraphAttentionInvalidArgument = 1,
  // graph_attention_create found too little memory.
  kGraphAttentionOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kGraphAttentionCudaError = 3,
} GraphAttentionStatus;

enum {
  kGraphAttentionInputCount = 5,
  kGraphAttentionOutputCount = 2,
  // 1 if graph_attention_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kGraphAttentionRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kGraphAttentionInFeatures[] = {60, 16};
static const int64_t kGraphAttentionInSenders[] = {500};
static const int64_t kGraphAttentionInReceivers[] = {500};
static const int64_t kGraphAttentionInWeights[] = {2, 16, 16};
static const int64_t kGraphAttentionInScores[] = {2, 2, 16};
static const int64_t kGraphAttentionOutFeatures[] = {60, 16};
static const int64_t kGraphAttentionOutDegrees[] = {60};

// One input or output.
typedef struct GraphAttentionTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} GraphAttentionTensor;

// In the order of the structs below; the row after the last has no name.
extern const GraphAttentionTensor kGraphAttentionInputTable[];
extern const GraphAttentionTensor kGraphAttentionOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct GraphAttentionInputs {
  const float* features;  // f32[60,16]
  const int* senders;     // s32[500]
  const int* receivers;   // s32[500]
  const float* weights;   // f32[2,16,16]
  const float* scores;    // f32[2,2,16]
} GraphAttentionInputs;

typedef struct GraphAttentionOutputs {
  float* features;  // f32[60,16]
  int* degrees;     // s32[60]
} GraphAttentionOutputs;

typedef struct GraphAttentionInstance GraphAttentionInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
GraphAttentionStatus graph_attention_create(GraphAttentionInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
GraphAttentionStatus graph_attention_run(GraphAttentionInstance* instance,
                                         const GraphAttentionInputs* in,
                                         const GraphAttentionOutputs* out,
                                         struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void graph_attention_destroy(GraphAttentionInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* graph_attention_last_error(void);

#ifdef GRAPH_ATTENTION_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
