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
// An instance belongs to the device that is current when it is created: gpt2_block_run refuses to run
// while another one is, gpt2_block_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef GPT2_BLOCK_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum Gpt2BlockStatus {
  kGpt2BlockOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kGpt2BlockInvalidArgument = 1,
  // gpt2_block_create found too little memory.
  kGpt2BlockOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kGpt2BlockCudaError = 3,
} Gpt2BlockStatus;

enum {
  kGpt2BlockInputCount = 13,
  kGpt2BlockOutputCount = 1,
  // 1 if gpt2_block_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kGpt2BlockRunSynchronises = 0,
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

// Allocates what runs need.
// *instance is NULL if this fails.
Gpt2BlockStatus gpt2_block_create(Gpt2BlockInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
Gpt2BlockStatus gpt2_block_run(Gpt2BlockInstance* instance, const Gpt2BlockInputs* in,
                               const Gpt2BlockOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void gpt2_block_destroy(Gpt2BlockInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* gpt2_block_last_error(void);

#ifdef GPT2_BLOCK_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
