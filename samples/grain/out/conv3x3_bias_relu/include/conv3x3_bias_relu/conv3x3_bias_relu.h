// conv3x3_bias_relu.h: the C interface of conv3x3_bias_relu, for C and C++; needs no CUDA header. 2 programs
// that share device memory, each with an interface of its own:
//
//   conv3x3_bias_relu (conv3x3_bias_relu_conv3x3_bias_relu/conv3x3_bias_relu_conv3x3_bias_relu.h)
//     in   x     f32[2,16,16,3]
//     in   w     f32[3,3,3,8]
//     in   bias  f32[8]
//     out  y     f32[2,16,16,8]
//   conv_pool (conv3x3_bias_relu_conv_pool/conv3x3_bias_relu_conv_pool.h)
//     in   x  f32[2,16,16,3]
//     in   w  f32[3,3,3,8]
//     out  y  f32[2,4,4,8]
//
//   Conv3x3BiasReluInstance* model;
//   if (conv3x3_bias_relu_create(&model) != kConv3x3BiasReluOk) {
//     puts(conv3x3_bias_relu_last_error());
//   }
//   conv3x3_bias_relu_conv3x3_bias_relu_run(model->conv3x3_bias_relu, &in, &out, stream);  // as often as needed
//   conv3x3_bias_relu_conv_pool_run(model->conv_pool, &in, &out, stream);
//   conv3x3_bias_relu_destroy(model);
//
// An instance belongs to one device and serves one run at a time: runs of its programs, whichever they
// are, must follow each other, on one stream or by events. Between runs the device memory that they
// share holds nothing of the caller's: what one program passes to another is an output, and an input.
// Instances are independent of each other.

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "conv3x3_bias_relu_conv3x3_bias_relu/conv3x3_bias_relu_conv3x3_bias_relu.h"
#include "conv3x3_bias_relu_conv_pool/conv3x3_bias_relu_conv_pool.h"

// All that callers depend on: the programs and their interfaces. A caller that was compiled
// for another one is refused when it creates an instance.
#define CONV3X3_BIAS_RELU_INTERFACE 0xee3327bdc539bd3cULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CONV3X3_BIAS_RELU_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

// The numbers are those of the programs' own.
typedef enum Conv3x3BiasReluStatus {
  kConv3x3BiasReluOk = 0,
  kConv3x3BiasReluInvalidArgument = 1,
  kConv3x3BiasReluOutOfMemory = 2,
  kConv3x3BiasReluCudaError = 3,
  kConv3x3BiasReluOtherInterface = 4,
  kConv3x3BiasReluOtherDevice = 5,
} Conv3x3BiasReluStatus;

// A program of an instance each, for its functions. conv3x3_bias_relu_destroy destroys them.
typedef struct Conv3x3BiasReluInstance {
  struct Conv3x3BiasReluConv3x3BiasReluInstance* conv3x3_bias_relu;
  struct Conv3x3BiasReluConvPoolInstance* conv_pool;
} Conv3x3BiasReluInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct Conv3x3BiasReluOptions {
  uint32_t size;            // sizeof(Conv3x3BiasReluOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // CONV3X3_BIAS_RELU_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // conv3x3_bias_relu_workspace_bytes(). NULL: conv3x3_bias_relu_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by conv3x3_bias_relu_destroy, or by conv3x3_bias_relu_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
} Conv3x3BiasReluOptions;

#define CONV3X3_BIAS_RELU_OPTIONS \
  {sizeof(Conv3x3BiasReluOptions), -1, CONV3X3_BIAS_RELU_INTERFACE, NULL, 0, NULL, NULL, NULL}

// Makes what runs of all programs need. *instance is NULL if this fails. Without options:
// CONV3X3_BIAS_RELU_OPTIONS, as the library has them.
Conv3x3BiasReluStatus conv3x3_bias_relu_create_with(Conv3x3BiasReluInstance** instance,
                                                    const Conv3x3BiasReluOptions* options);

// The same with CONV3X3_BIAS_RELU_OPTIONS. Compiled into the caller, whose interface is compared.
static inline Conv3x3BiasReluStatus conv3x3_bias_relu_create(Conv3x3BiasReluInstance** instance) {
  const Conv3x3BiasReluOptions options = CONV3X3_BIAS_RELU_OPTIONS;
  return conv3x3_bias_relu_create_with(instance, &options);
}

// Device memory of an instance: the largest arena of its programs, and what each keeps between runs.
// Of the same size is the workspace that instances of single programs may share, one of each.
int64_t conv3x3_bias_relu_workspace_bytes(void);

// The instance's runs must be finished. NULL is allowed.
void conv3x3_bias_relu_destroy(Conv3x3BiasReluInstance* instance);

// Why the last call of this thread that gives a Conv3x3BiasReluStatus failed; empty if it did not. Programs have
// one of their own: conv3x3_bias_relu_conv3x3_bias_relu_last_error.
const char* conv3x3_bias_relu_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* conv3x3_bias_relu_status_text(Conv3x3BiasReluStatus status);

// What the library is; it begins as what its programs say of themselves (conv3x3_bias_relu_conv3x3_bias_relu_info). Later
// versions may have more fields, at the end.
typedef struct Conv3x3BiasReluInfo {
  uint32_t size;                // sizeof(Conv3x3BiasReluInfo), in the library
  int32_t kernels;              // of all programs
  int64_t launches;             // -1: each program has a number of its own
  uint64_t interface_hash;      // CONV3X3_BIAS_RELU_INTERFACE, in the library
  const char* generator;        // "sinter 0.1.0"
  const char* input_sha256;     // of the texts that were compiled, one behind the other
  const char* architectures;    // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;      // as conv3x3_bias_relu_workspace_bytes()
  int64_t weights_bytes;        // of these, constants
  const char* const* programs;  // their names, in the order of Conv3x3BiasReluInstance; then NULL
} Conv3x3BiasReluInfo;

const Conv3x3BiasReluInfo* conv3x3_bias_relu_info(void);

#ifdef CONV3X3_BIAS_RELU_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
