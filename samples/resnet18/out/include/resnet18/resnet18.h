// resnet18.h: the C interface of resnet18, for C and C++; needs no CUDA header.
//
//   in   params_blocks_0_conv1           f32[3,3,8,8]
//   in   params_blocks_0_conv2           f32[3,3,8,8]
//   in   params_blocks_0_norm1_bias      f32[8]
//   in   params_blocks_0_norm1_mean      f32[8]
//   in   params_blocks_0_norm1_scale     f32[8]
//   in   params_blocks_0_norm1_variance  f32[8]
//   in   params_blocks_0_norm2_bias      f32[8]
//   in   params_blocks_0_norm2_mean      f32[8]
//   in   params_blocks_0_norm2_scale     f32[8]
//   in   params_blocks_0_norm2_variance  f32[8]
//   in   params_blocks_1_conv1           f32[3,3,8,8]
//   in   params_blocks_1_conv2           f32[3,3,8,8]
//   in   params_blocks_1_norm1_bias      f32[8]
//   in   params_blocks_1_norm1_mean      f32[8]
//   in   params_blocks_1_norm1_scale     f32[8]
//   in   params_blocks_1_norm1_variance  f32[8]
//   in   params_blocks_1_norm2_bias      f32[8]
//   in   params_blocks_1_norm2_mean      f32[8]
//   in   params_blocks_1_norm2_scale     f32[8]
//   in   params_blocks_1_norm2_variance  f32[8]
//   in   params_blocks_2_conv1           f32[3,3,8,16]
//   in   params_blocks_2_conv2           f32[3,3,16,16]
//   in   params_blocks_2_norm1_bias      f32[16]
//   in   params_blocks_2_norm1_mean      f32[16]
//   in   params_blocks_2_norm1_scale     f32[16]
//   in   params_blocks_2_norm1_variance  f32[16]
//   in   params_blocks_2_norm2_bias      f32[16]
//   in   params_blocks_2_norm2_mean      f32[16]
//   in   params_blocks_2_norm2_scale     f32[16]
//   in   params_blocks_2_norm2_variance  f32[16]
//   in   params_blocks_2_norm3_bias      f32[16]
//   in   params_blocks_2_norm3_mean      f32[16]
//   in   params_blocks_2_norm3_scale     f32[16]
//   in   params_blocks_2_norm3_variance  f32[16]
//   in   params_blocks_2_project         f32[1,1,8,16]
//   in   params_blocks_3_conv1           f32[3,3,16,16]
//   in   params_blocks_3_conv2           f32[3,3,16,16]
//   in   params_blocks_3_norm1_bias      f32[16]
//   in   params_blocks_3_norm1_mean      f32[16]
//   in   params_blocks_3_norm1_scale     f32[16]
//   in   params_blocks_3_norm1_variance  f32[16]
//   in   params_blocks_3_norm2_bias      f32[16]
//   in   params_blocks_3_norm2_mean      f32[16]
//   in   params_blocks_3_norm2_scale     f32[16]
//   in   params_blocks_3_norm2_variance  f32[16]
//   in   params_blocks_4_conv1           f32[3,3,16,32]
//   in   params_blocks_4_conv2           f32[3,3,32,32]
//   in   params_blocks_4_norm1_bias      f32[32]
//   in   params_blocks_4_norm1_mean      f32[32]
//   in   params_blocks_4_norm1_scale     f32[32]
//   in   params_blocks_4_norm1_variance  f32[32]
//   in   params_blocks_4_norm2_bias      f32[32]
//   in   params_blocks_4_norm2_mean      f32[32]
//   in   params_blocks_4_norm2_scale     f32[32]
//   in   params_blocks_4_norm2_variance  f32[32]
//   in   params_blocks_4_norm3_bias      f32[32]
//   in   params_blocks_4_norm3_mean      f32[32]
//   in   params_blocks_4_norm3_scale     f32[32]
//   in   params_blocks_4_norm3_variance  f32[32]
//   in   params_blocks_4_project         f32[1,1,16,32]
//   in   params_blocks_5_conv1           f32[3,3,32,32]
//   in   params_blocks_5_conv2           f32[3,3,32,32]
//   in   params_blocks_5_norm1_bias      f32[32]
//   in   params_blocks_5_norm1_mean      f32[32]
//   in   params_blocks_5_norm1_scale     f32[32]
//   in   params_blocks_5_norm1_variance  f32[32]
//   in   params_blocks_5_norm2_bias      f32[32]
//   in   params_blocks_5_norm2_mean      f32[32]
//   in   params_blocks_5_norm2_scale     f32[32]
//   in   params_blocks_5_norm2_variance  f32[32]
//   in   params_blocks_6_conv1           f32[3,3,32,64]
//   in   params_blocks_6_conv2           f32[3,3,64,64]
//   in   params_blocks_6_norm1_bias      f32[64]
//   in   params_blocks_6_norm1_mean      f32[64]
//   in   params_blocks_6_norm1_scale     f32[64]
//   in   params_blocks_6_norm1_variance  f32[64]
//   in   params_blocks_6_norm2_bias      f32[64]
//   in   params_blocks_6_norm2_mean      f32[64]
//   in   params_blocks_6_norm2_scale     f32[64]
//   in   params_blocks_6_norm2_variance  f32[64]
//   in   params_blocks_6_norm3_bias      f32[64]
//   in   params_blocks_6_norm3_mean      f32[64]
//   in   params_blocks_6_norm3_scale     f32[64]
//   in   params_blocks_6_norm3_variance  f32[64]
//   in   params_blocks_6_project         f32[1,1,32,64]
//   in   params_blocks_7_conv1           f32[3,3,64,64]
//   in   params_blocks_7_conv2           f32[3,3,64,64]
//   in   params_blocks_7_norm1_bias      f32[64]
//   in   params_blocks_7_norm1_mean      f32[64]
//   in   params_blocks_7_norm1_scale     f32[64]
//   in   params_blocks_7_norm1_variance  f32[64]
//   in   params_blocks_7_norm2_bias      f32[64]
//   in   params_blocks_7_norm2_mean      f32[64]
//   in   params_blocks_7_norm2_scale     f32[64]
//   in   params_blocks_7_norm2_variance  f32[64]
//   in   params_head_b                   f32[10]
//   in   params_head_w                   f32[64,10]
//   in   params_norm_bias                f32[8]
//   in   params_norm_mean                f32[8]
//   in   params_norm_scale               f32[8]
//   in   params_norm_variance            f32[8]
//   in   params_stem                     f32[7,7,3,8]
//   in   images                          f32[2,32,32,3]
//   out  sum                             f32[2,10]
//
//   Resnet18Instance* instance;
//   if (resnet18_create(&instance) != kResnet18Ok) {
//     puts(resnet18_last_error());
//   }
//   resnet18_run(instance, &in, &out, stream);  // as often as needed
//   resnet18_destroy(instance);
//
// An instance belongs to one device: resnet18_run refuses to run while another one is current,
// resnet18_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in resnet18_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define RESNET18_INTERFACE 0xb9d52356785d1737ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef RESNET18_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum Resnet18Status {
  kResnet18Ok = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kResnet18InvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kResnet18OutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kResnet18CudaError = 3,
  // The caller was compiled with a header of another interface.
  kResnet18OtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kResnet18OtherDevice = 5,
  // There is no graph of a run: kResnet18CanCapture is 0.
  kResnet18CannotCapture = 7,
} Resnet18Status;

enum {
  kResnet18InputCount = 103,
  kResnet18OutputCount = 1,
  // 1 if resnet18_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kResnet18RunSynchronises = 0,
  // 1 if resnet18_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kResnet18CanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kResnet18InParamsBlocks0Conv1[] = {3, 3, 8, 8};
static const int64_t kResnet18InParamsBlocks0Conv2[] = {3, 3, 8, 8};
static const int64_t kResnet18InParamsBlocks0Norm1Bias[] = {8};
static const int64_t kResnet18InParamsBlocks0Norm1Mean[] = {8};
static const int64_t kResnet18InParamsBlocks0Norm1Scale[] = {8};
static const int64_t kResnet18InParamsBlocks0Norm1Variance[] = {8};
static const int64_t kResnet18InParamsBlocks0Norm2Bias[] = {8};
static const int64_t kResnet18InParamsBlocks0Norm2Mean[] = {8};
static const int64_t kResnet18InParamsBlocks0Norm2Scale[] = {8};
static const int64_t kResnet18InParamsBlocks0Norm2Variance[] = {8};
static const int64_t kResnet18InParamsBlocks1Conv1[] = {3, 3, 8, 8};
static const int64_t kResnet18InParamsBlocks1Conv2[] = {3, 3, 8, 8};
static const int64_t kResnet18InParamsBlocks1Norm1Bias[] = {8};
static const int64_t kResnet18InParamsBlocks1Norm1Mean[] = {8};
static const int64_t kResnet18InParamsBlocks1Norm1Scale[] = {8};
static const int64_t kResnet18InParamsBlocks1Norm1Variance[] = {8};
static const int64_t kResnet18InParamsBlocks1Norm2Bias[] = {8};
static const int64_t kResnet18InParamsBlocks1Norm2Mean[] = {8};
static const int64_t kResnet18InParamsBlocks1Norm2Scale[] = {8};
static const int64_t kResnet18InParamsBlocks1Norm2Variance[] = {8};
static const int64_t kResnet18InParamsBlocks2Conv1[] = {3, 3, 8, 16};
static const int64_t kResnet18InParamsBlocks2Conv2[] = {3, 3, 16, 16};
static const int64_t kResnet18InParamsBlocks2Norm1Bias[] = {16};
static const int64_t kResnet18InParamsBlocks2Norm1Mean[] = {16};
static const int64_t kResnet18InParamsBlocks2Norm1Scale[] = {16};
static const int64_t kResnet18InParamsBlocks2Norm1Variance[] = {16};
static const int64_t kResnet18InParamsBlocks2Norm2Bias[] = {16};
static const int64_t kResnet18InParamsBlocks2Norm2Mean[] = {16};
static const int64_t kResnet18InParamsBlocks2Norm2Scale[] = {16};
static const int64_t kResnet18InParamsBlocks2Norm2Variance[] = {16};
static const int64_t kResnet18InParamsBlocks2Norm3Bias[] = {16};
static const int64_t kResnet18InParamsBlocks2Norm3Mean[] = {16};
static const int64_t kResnet18InParamsBlocks2Norm3Scale[] = {16};
static const int64_t kResnet18InParamsBlocks2Norm3Variance[] = {16};
static const int64_t kResnet18InParamsBlocks2Project[] = {1, 1, 8, 16};
static const int64_t kResnet18InParamsBlocks3Conv1[] = {3, 3, 16, 16};
static const int64_t kResnet18InParamsBlocks3Conv2[] = {3, 3, 16, 16};
static const int64_t kResnet18InParamsBlocks3Norm1Bias[] = {16};
static const int64_t kResnet18InParamsBlocks3Norm1Mean[] = {16};
static const int64_t kResnet18InParamsBlocks3Norm1Scale[] = {16};
static const int64_t kResnet18InParamsBlocks3Norm1Variance[] = {16};
static const int64_t kResnet18InParamsBlocks3Norm2Bias[] = {16};
static const int64_t kResnet18InParamsBlocks3Norm2Mean[] = {16};
static const int64_t kResnet18InParamsBlocks3Norm2Scale[] = {16};
static const int64_t kResnet18InParamsBlocks3Norm2Variance[] = {16};
static const int64_t kResnet18InParamsBlocks4Conv1[] = {3, 3, 16, 32};
static const int64_t kResnet18InParamsBlocks4Conv2[] = {3, 3, 32, 32};
static const int64_t kResnet18InParamsBlocks4Norm1Bias[] = {32};
static const int64_t kResnet18InParamsBlocks4Norm1Mean[] = {32};
static const int64_t kResnet18InParamsBlocks4Norm1Scale[] = {32};
static const int64_t kResnet18InParamsBlocks4Norm1Variance[] = {32};
static const int64_t kResnet18InParamsBlocks4Norm2Bias[] = {32};
static const int64_t kResnet18InParamsBlocks4Norm2Mean[] = {32};
static const int64_t kResnet18InParamsBlocks4Norm2Scale[] = {32};
static const int64_t kResnet18InParamsBlocks4Norm2Variance[] = {32};
static const int64_t kResnet18InParamsBlocks4Norm3Bias[] = {32};
static const int64_t kResnet18InParamsBlocks4Norm3Mean[] = {32};
static const int64_t kResnet18InParamsBlocks4Norm3Scale[] = {32};
static const int64_t kResnet18InParamsBlocks4Norm3Variance[] = {32};
static const int64_t kResnet18InParamsBlocks4Project[] = {1, 1, 16, 32};
static const int64_t kResnet18InParamsBlocks5Conv1[] = {3, 3, 32, 32};
static const int64_t kResnet18InParamsBlocks5Conv2[] = {3, 3, 32, 32};
static const int64_t kResnet18InParamsBlocks5Norm1Bias[] = {32};
static const int64_t kResnet18InParamsBlocks5Norm1Mean[] = {32};
static const int64_t kResnet18InParamsBlocks5Norm1Scale[] = {32};
static const int64_t kResnet18InParamsBlocks5Norm1Variance[] = {32};
static const int64_t kResnet18InParamsBlocks5Norm2Bias[] = {32};
static const int64_t kResnet18InParamsBlocks5Norm2Mean[] = {32};
static const int64_t kResnet18InParamsBlocks5Norm2Scale[] = {32};
static const int64_t kResnet18InParamsBlocks5Norm2Variance[] = {32};
static const int64_t kResnet18InParamsBlocks6Conv1[] = {3, 3, 32, 64};
static const int64_t kResnet18InParamsBlocks6Conv2[] = {3, 3, 64, 64};
static const int64_t kResnet18InParamsBlocks6Norm1Bias[] = {64};
static const int64_t kResnet18InParamsBlocks6Norm1Mean[] = {64};
static const int64_t kResnet18InParamsBlocks6Norm1Scale[] = {64};
static const int64_t kResnet18InParamsBlocks6Norm1Variance[] = {64};
static const int64_t kResnet18InParamsBlocks6Norm2Bias[] = {64};
static const int64_t kResnet18InParamsBlocks6Norm2Mean[] = {64};
static const int64_t kResnet18InParamsBlocks6Norm2Scale[] = {64};
static const int64_t kResnet18InParamsBlocks6Norm2Variance[] = {64};
static const int64_t kResnet18InParamsBlocks6Norm3Bias[] = {64};
static const int64_t kResnet18InParamsBlocks6Norm3Mean[] = {64};
static const int64_t kResnet18InParamsBlocks6Norm3Scale[] = {64};
static const int64_t kResnet18InParamsBlocks6Norm3Variance[] = {64};
static const int64_t kResnet18InParamsBlocks6Project[] = {1, 1, 32, 64};
static const int64_t kResnet18InParamsBlocks7Conv1[] = {3, 3, 64, 64};
static const int64_t kResnet18InParamsBlocks7Conv2[] = {3, 3, 64, 64};
static const int64_t kResnet18InParamsBlocks7Norm1Bias[] = {64};
static const int64_t kResnet18InParamsBlocks7Norm1Mean[] = {64};
static const int64_t kResnet18InParamsBlocks7Norm1Scale[] = {64};
static const int64_t kResnet18InParamsBlocks7Norm1Variance[] = {64};
static const int64_t kResnet18InParamsBlocks7Norm2Bias[] = {64};
static const int64_t kResnet18InParamsBlocks7Norm2Mean[] = {64};
static const int64_t kResnet18InParamsBlocks7Norm2Scale[] = {64};
static const int64_t kResnet18InParamsBlocks7Norm2Variance[] = {64};
static const int64_t kResnet18InParamsHeadB[] = {10};
static const int64_t kResnet18InParamsHeadW[] = {64, 10};
static const int64_t kResnet18InParamsNormBias[] = {8};
static const int64_t kResnet18InParamsNormMean[] = {8};
static const int64_t kResnet18InParamsNormScale[] = {8};
static const int64_t kResnet18InParamsNormVariance[] = {8};
static const int64_t kResnet18InParamsStem[] = {7, 7, 3, 8};
static const int64_t kResnet18InImages[] = {2, 32, 32, 3};
static const int64_t kResnet18OutSum[] = {2, 10};

// One input or output.
typedef struct Resnet18Tensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} Resnet18Tensor;

// In the order of the structs below; the row after the last has no name.
extern const Resnet18Tensor kResnet18InputTable[];
extern const Resnet18Tensor kResnet18OutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct Resnet18Inputs {
  const float* params_blocks_0_conv1;           // f32[3,3,8,8]
  const float* params_blocks_0_conv2;           // f32[3,3,8,8]
  const float* params_blocks_0_norm1_bias;      // f32[8]
  const float* params_blocks_0_norm1_mean;      // f32[8]
  const float* params_blocks_0_norm1_scale;     // f32[8]
  const float* params_blocks_0_norm1_variance;  // f32[8]
  const float* params_blocks_0_norm2_bias;      // f32[8]
  const float* params_blocks_0_norm2_mean;      // f32[8]
  const float* params_blocks_0_norm2_scale;     // f32[8]
  const float* params_blocks_0_norm2_variance;  // f32[8]
  const float* params_blocks_1_conv1;           // f32[3,3,8,8]
  const float* params_blocks_1_conv2;           // f32[3,3,8,8]
  const float* params_blocks_1_norm1_bias;      // f32[8]
  const float* params_blocks_1_norm1_mean;      // f32[8]
  const float* params_blocks_1_norm1_scale;     // f32[8]
  const float* params_blocks_1_norm1_variance;  // f32[8]
  const float* params_blocks_1_norm2_bias;      // f32[8]
  const float* params_blocks_1_norm2_mean;      // f32[8]
  const float* params_blocks_1_norm2_scale;     // f32[8]
  const float* params_blocks_1_norm2_variance;  // f32[8]
  const float* params_blocks_2_conv1;           // f32[3,3,8,16]
  const float* params_blocks_2_conv2;           // f32[3,3,16,16]
  const float* params_blocks_2_norm1_bias;      // f32[16]
  const float* params_blocks_2_norm1_mean;      // f32[16]
  const float* params_blocks_2_norm1_scale;     // f32[16]
  const float* params_blocks_2_norm1_variance;  // f32[16]
  const float* params_blocks_2_norm2_bias;      // f32[16]
  const float* params_blocks_2_norm2_mean;      // f32[16]
  const float* params_blocks_2_norm2_scale;     // f32[16]
  const float* params_blocks_2_norm2_variance;  // f32[16]
  const float* params_blocks_2_norm3_bias;      // f32[16]
  const float* params_blocks_2_norm3_mean;      // f32[16]
  const float* params_blocks_2_norm3_scale;     // f32[16]
  const float* params_blocks_2_norm3_variance;  // f32[16]
  const float* params_blocks_2_project;         // f32[1,1,8,16]
  const float* params_blocks_3_conv1;           // f32[3,3,16,16]
  const float* params_blocks_3_conv2;           // f32[3,3,16,16]
  const float* params_blocks_3_norm1_bias;      // f32[16]
  const float* params_blocks_3_norm1_mean;      // f32[16]
  const float* params_blocks_3_norm1_scale;     // f32[16]
  const float* params_blocks_3_norm1_variance;  // f32[16]
  const float* params_blocks_3_norm2_bias;      // f32[16]
  const float* params_blocks_3_norm2_mean;      // f32[16]
  const float* params_blocks_3_norm2_scale;     // f32[16]
  const float* params_blocks_3_norm2_variance;  // f32[16]
  const float* params_blocks_4_conv1;           // f32[3,3,16,32]
  const float* params_blocks_4_conv2;           // f32[3,3,32,32]
  const float* params_blocks_4_norm1_bias;      // f32[32]
  const float* params_blocks_4_norm1_mean;      // f32[32]
  const float* params_blocks_4_norm1_scale;     // f32[32]
  const float* params_blocks_4_norm1_variance;  // f32[32]
  const float* params_blocks_4_norm2_bias;      // f32[32]
  const float* params_blocks_4_norm2_mean;      // f32[32]
  const float* params_blocks_4_norm2_scale;     // f32[32]
  const float* params_blocks_4_norm2_variance;  // f32[32]
  const float* params_blocks_4_norm3_bias;      // f32[32]
  const float* params_blocks_4_norm3_mean;      // f32[32]
  const float* params_blocks_4_norm3_scale;     // f32[32]
  const float* params_blocks_4_norm3_variance;  // f32[32]
  const float* params_blocks_4_project;         // f32[1,1,16,32]
  const float* params_blocks_5_conv1;           // f32[3,3,32,32]
  const float* params_blocks_5_conv2;           // f32[3,3,32,32]
  const float* params_blocks_5_norm1_bias;      // f32[32]
  const float* params_blocks_5_norm1_mean;      // f32[32]
  const float* params_blocks_5_norm1_scale;     // f32[32]
  const float* params_blocks_5_norm1_variance;  // f32[32]
  const float* params_blocks_5_norm2_bias;      // f32[32]
  const float* params_blocks_5_norm2_mean;      // f32[32]
  const float* params_blocks_5_norm2_scale;     // f32[32]
  const float* params_blocks_5_norm2_variance;  // f32[32]
  const float* params_blocks_6_conv1;           // f32[3,3,32,64]
  const float* params_blocks_6_conv2;           // f32[3,3,64,64]
  const float* params_blocks_6_norm1_bias;      // f32[64]
  const float* params_blocks_6_norm1_mean;      // f32[64]
  const float* params_blocks_6_norm1_scale;     // f32[64]
  const float* params_blocks_6_norm1_variance;  // f32[64]
  const float* params_blocks_6_norm2_bias;      // f32[64]
  const float* params_blocks_6_norm2_mean;      // f32[64]
  const float* params_blocks_6_norm2_scale;     // f32[64]
  const float* params_blocks_6_norm2_variance;  // f32[64]
  const float* params_blocks_6_norm3_bias;      // f32[64]
  const float* params_blocks_6_norm3_mean;      // f32[64]
  const float* params_blocks_6_norm3_scale;     // f32[64]
  const float* params_blocks_6_norm3_variance;  // f32[64]
  const float* params_blocks_6_project;         // f32[1,1,32,64]
  const float* params_blocks_7_conv1;           // f32[3,3,64,64]
  const float* params_blocks_7_conv2;           // f32[3,3,64,64]
  const float* params_blocks_7_norm1_bias;      // f32[64]
  const float* params_blocks_7_norm1_mean;      // f32[64]
  const float* params_blocks_7_norm1_scale;     // f32[64]
  const float* params_blocks_7_norm1_variance;  // f32[64]
  const float* params_blocks_7_norm2_bias;      // f32[64]
  const float* params_blocks_7_norm2_mean;      // f32[64]
  const float* params_blocks_7_norm2_scale;     // f32[64]
  const float* params_blocks_7_norm2_variance;  // f32[64]
  const float* params_head_b;                   // f32[10]
  const float* params_head_w;                   // f32[64,10]
  const float* params_norm_bias;                // f32[8]
  const float* params_norm_mean;                // f32[8]
  const float* params_norm_scale;               // f32[8]
  const float* params_norm_variance;            // f32[8]
  const float* params_stem;                     // f32[7,7,3,8]
  const float* images;                          // f32[2,32,32,3]
} Resnet18Inputs;

typedef struct Resnet18Outputs {
  float* sum;  // f32[2,10]
} Resnet18Outputs;

typedef struct Resnet18Instance Resnet18Instance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct Resnet18Options {
  uint32_t size;            // sizeof(Resnet18Options), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // RESNET18_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // resnet18_workspace_bytes(). NULL: resnet18_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by resnet18_destroy, or by resnet18_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} Resnet18Options;

#define RESNET18_OPTIONS \
  {sizeof(Resnet18Options), -1, RESNET18_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: RESNET18_OPTIONS, as the library has them.
Resnet18Status resnet18_create_with(Resnet18Instance** instance, const Resnet18Options* options);

// The same with RESNET18_OPTIONS. Compiled into the caller, whose interface is compared.
static inline Resnet18Status resnet18_create(Resnet18Instance** instance) {
  const Resnet18Options options = RESNET18_OPTIONS;
  return resnet18_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t resnet18_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
Resnet18Status resnet18_run(Resnet18Instance* instance, const Resnet18Inputs* in,
                            const Resnet18Outputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct Resnet18Graph Resnet18Graph;
Resnet18Status resnet18_capture(Resnet18Graph** graph, Resnet18Instance* instance,
                                const Resnet18Inputs* in, const Resnet18Outputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
Resnet18Status resnet18_graph_launch(const Resnet18Graph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
Resnet18Status resnet18_graph_update(Resnet18Graph* graph, const Resnet18Inputs* in,
                                     const Resnet18Outputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* resnet18_graph_exec(const Resnet18Graph* graph);

// Its launches must be finished. NULL is allowed.
void resnet18_graph_destroy(Resnet18Graph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void resnet18_destroy(Resnet18Instance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* resnet18_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* resnet18_status_text(Resnet18Status status);

// What the library is. Later versions may have more fields, at the end.
typedef struct Resnet18Info {
  uint32_t size;              // sizeof(Resnet18Info), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // RESNET18_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as resnet18_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kResnet18CanCapture
} Resnet18Info;

const Resnet18Info* resnet18_info(void);

#ifdef RESNET18_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
