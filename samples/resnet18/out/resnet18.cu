// resnet18.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 20.5 kB; the largest live set is 20.5 kB.

#include "resnet18/resnet18.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = resnet18_kernels;

const char* resnet18_range(const char* step);  // for profilers, see ranges.cpp

struct Resnet18Instance {
  int device = 0;                // it runs on
  void* workspace = nullptr;     // its device memory: arena, counts
  DeviceMemory own_workspace;    // it, unless the caller gave one
  Allocator allocator;           // of device memory
  uint32_t* finished = nullptr;  // counts of blocks, and of waits for all of them
};

struct Resnet18Graph {
  Resnet18Instance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const Resnet18Tensor kResnet18InputTable[] = {
    {"params_blocks_0_conv1", "f32", 4, kResnet18InParamsBlocks0Conv1, 2304},
    {"params_blocks_0_conv2", "f32", 4, kResnet18InParamsBlocks0Conv2, 2304},
    {"params_blocks_0_norm1_bias", "f32", 1, kResnet18InParamsBlocks0Norm1Bias, 32},
    {"params_blocks_0_norm1_mean", "f32", 1, kResnet18InParamsBlocks0Norm1Mean, 32},
    {"params_blocks_0_norm1_scale", "f32", 1, kResnet18InParamsBlocks0Norm1Scale, 32},
    {"params_blocks_0_norm1_variance", "f32", 1, kResnet18InParamsBlocks0Norm1Variance, 32},
    {"params_blocks_0_norm2_bias", "f32", 1, kResnet18InParamsBlocks0Norm2Bias, 32},
    {"params_blocks_0_norm2_mean", "f32", 1, kResnet18InParamsBlocks0Norm2Mean, 32},
    {"params_blocks_0_norm2_scale", "f32", 1, kResnet18InParamsBlocks0Norm2Scale, 32},
    {"params_blocks_0_norm2_variance", "f32", 1, kResnet18InParamsBlocks0Norm2Variance, 32},
    {"params_blocks_1_conv1", "f32", 4, kResnet18InParamsBlocks1Conv1, 2304},
    {"params_blocks_1_conv2", "f32", 4, kResnet18InParamsBlocks1Conv2, 2304},
    {"params_blocks_1_norm1_bias", "f32", 1, kResnet18InParamsBlocks1Norm1Bias, 32},
    {"params_blocks_1_norm1_mean", "f32", 1, kResnet18InParamsBlocks1Norm1Mean, 32},
    {"params_blocks_1_norm1_scale", "f32", 1, kResnet18InParamsBlocks1Norm1Scale, 32},
    {"params_blocks_1_norm1_variance", "f32", 1, kResnet18InParamsBlocks1Norm1Variance, 32},
    {"params_blocks_1_norm2_bias", "f32", 1, kResnet18InParamsBlocks1Norm2Bias, 32},
    {"params_blocks_1_norm2_mean", "f32", 1, kResnet18InParamsBlocks1Norm2Mean, 32},
    {"params_blocks_1_norm2_scale", "f32", 1, kResnet18InParamsBlocks1Norm2Scale, 32},
    {"params_blocks_1_norm2_variance", "f32", 1, kResnet18InParamsBlocks1Norm2Variance, 32},
    {"params_blocks_2_conv1", "f32", 4, kResnet18InParamsBlocks2Conv1, 4608},
    {"params_blocks_2_conv2", "f32", 4, kResnet18InParamsBlocks2Conv2, 9216},
    {"params_blocks_2_norm1_bias", "f32", 1, kResnet18InParamsBlocks2Norm1Bias, 64},
    {"params_blocks_2_norm1_mean", "f32", 1, kResnet18InParamsBlocks2Norm1Mean, 64},
    {"params_blocks_2_norm1_scale", "f32", 1, kResnet18InParamsBlocks2Norm1Scale, 64},
    {"params_blocks_2_norm1_variance", "f32", 1, kResnet18InParamsBlocks2Norm1Variance, 64},
    {"params_blocks_2_norm2_bias", "f32", 1, kResnet18InParamsBlocks2Norm2Bias, 64},
    {"params_blocks_2_norm2_mean", "f32", 1, kResnet18InParamsBlocks2Norm2Mean, 64},
    {"params_blocks_2_norm2_scale", "f32", 1, kResnet18InParamsBlocks2Norm2Scale, 64},
    {"params_blocks_2_norm2_variance", "f32", 1, kResnet18InParamsBlocks2Norm2Variance, 64},
    {"params_blocks_2_norm3_bias", "f32", 1, kResnet18InParamsBlocks2Norm3Bias, 64},
    {"params_blocks_2_norm3_mean", "f32", 1, kResnet18InParamsBlocks2Norm3Mean, 64},
    {"params_blocks_2_norm3_scale", "f32", 1, kResnet18InParamsBlocks2Norm3Scale, 64},
    {"params_blocks_2_norm3_variance", "f32", 1, kResnet18InParamsBlocks2Norm3Variance, 64},
    {"params_blocks_2_project", "f32", 4, kResnet18InParamsBlocks2Project, 512},
    {"params_blocks_3_conv1", "f32", 4, kResnet18InParamsBlocks3Conv1, 9216},
    {"params_blocks_3_conv2", "f32", 4, kResnet18InParamsBlocks3Conv2, 9216},
    {"params_blocks_3_norm1_bias", "f32", 1, kResnet18InParamsBlocks3Norm1Bias, 64},
    {"params_blocks_3_norm1_mean", "f32", 1, kResnet18InParamsBlocks3Norm1Mean, 64},
    {"params_blocks_3_norm1_scale", "f32", 1, kResnet18InParamsBlocks3Norm1Scale, 64},
    {"params_blocks_3_norm1_variance", "f32", 1, kResnet18InParamsBlocks3Norm1Variance, 64},
    {"params_blocks_3_norm2_bias", "f32", 1, kResnet18InParamsBlocks3Norm2Bias, 64},
    {"params_blocks_3_norm2_mean", "f32", 1, kResnet18InParamsBlocks3Norm2Mean, 64},
    {"params_blocks_3_norm2_scale", "f32", 1, kResnet18InParamsBlocks3Norm2Scale, 64},
    {"params_blocks_3_norm2_variance", "f32", 1, kResnet18InParamsBlocks3Norm2Variance, 64},
    {"params_blocks_4_conv1", "f32", 4, kResnet18InParamsBlocks4Conv1, 18432},
    {"params_blocks_4_conv2", "f32", 4, kResnet18InParamsBlocks4Conv2, 36864},
    {"params_blocks_4_norm1_bias", "f32", 1, kResnet18InParamsBlocks4Norm1Bias, 128},
    {"params_blocks_4_norm1_mean", "f32", 1, kResnet18InParamsBlocks4Norm1Mean, 128},
    {"params_blocks_4_norm1_scale", "f32", 1, kResnet18InParamsBlocks4Norm1Scale, 128},
    {"params_blocks_4_norm1_variance", "f32", 1, kResnet18InParamsBlocks4Norm1Variance, 128},
    {"params_blocks_4_norm2_bias", "f32", 1, kResnet18InParamsBlocks4Norm2Bias, 128},
    {"params_blocks_4_norm2_mean", "f32", 1, kResnet18InParamsBlocks4Norm2Mean, 128},
    {"params_blocks_4_norm2_scale", "f32", 1, kResnet18InParamsBlocks4Norm2Scale, 128},
    {"params_blocks_4_norm2_variance", "f32", 1, kResnet18InParamsBlocks4Norm2Variance, 128},
    {"params_blocks_4_norm3_bias", "f32", 1, kResnet18InParamsBlocks4Norm3Bias, 128},
    {"params_blocks_4_norm3_mean", "f32", 1, kResnet18InParamsBlocks4Norm3Mean, 128},
    {"params_blocks_4_norm3_scale", "f32", 1, kResnet18InParamsBlocks4Norm3Scale, 128},
    {"params_blocks_4_norm3_variance", "f32", 1, kResnet18InParamsBlocks4Norm3Variance, 128},
    {"params_blocks_4_project", "f32", 4, kResnet18InParamsBlocks4Project, 2048},
    {"params_blocks_5_conv1", "f32", 4, kResnet18InParamsBlocks5Conv1, 36864},
    {"params_blocks_5_conv2", "f32", 4, kResnet18InParamsBlocks5Conv2, 36864},
    {"params_blocks_5_norm1_bias", "f32", 1, kResnet18InParamsBlocks5Norm1Bias, 128},
    {"params_blocks_5_norm1_mean", "f32", 1, kResnet18InParamsBlocks5Norm1Mean, 128},
    {"params_blocks_5_norm1_scale", "f32", 1, kResnet18InParamsBlocks5Norm1Scale, 128},
    {"params_blocks_5_norm1_variance", "f32", 1, kResnet18InParamsBlocks5Norm1Variance, 128},
    {"params_blocks_5_norm2_bias", "f32", 1, kResnet18InParamsBlocks5Norm2Bias, 128},
    {"params_blocks_5_norm2_mean", "f32", 1, kResnet18InParamsBlocks5Norm2Mean, 128},
    {"params_blocks_5_norm2_scale", "f32", 1, kResnet18InParamsBlocks5Norm2Scale, 128},
    {"params_blocks_5_norm2_variance", "f32", 1, kResnet18InParamsBlocks5Norm2Variance, 128},
    {"params_blocks_6_conv1", "f32", 4, kResnet18InParamsBlocks6Conv1, 73728},
    {"params_blocks_6_conv2", "f32", 4, kResnet18InParamsBlocks6Conv2, 147456},
    {"params_blocks_6_norm1_bias", "f32", 1, kResnet18InParamsBlocks6Norm1Bias, 256},
    {"params_blocks_6_norm1_mean", "f32", 1, kResnet18InParamsBlocks6Norm1Mean, 256},
    {"params_blocks_6_norm1_scale", "f32", 1, kResnet18InParamsBlocks6Norm1Scale, 256},
    {"params_blocks_6_norm1_variance", "f32", 1, kResnet18InParamsBlocks6Norm1Variance, 256},
    {"params_blocks_6_norm2_bias", "f32", 1, kResnet18InParamsBlocks6Norm2Bias, 256},
    {"params_blocks_6_norm2_mean", "f32", 1, kResnet18InParamsBlocks6Norm2Mean, 256},
    {"params_blocks_6_norm2_scale", "f32", 1, kResnet18InParamsBlocks6Norm2Scale, 256},
    {"params_blocks_6_norm2_variance", "f32", 1, kResnet18InParamsBlocks6Norm2Variance, 256},
    {"params_blocks_6_norm3_bias", "f32", 1, kResnet18InParamsBlocks6Norm3Bias, 256},
    {"params_blocks_6_norm3_mean", "f32", 1, kResnet18InParamsBlocks6Norm3Mean, 256},
    {"params_blocks_6_norm3_scale", "f32", 1, kResnet18InParamsBlocks6Norm3Scale, 256},
    {"params_blocks_6_norm3_variance", "f32", 1, kResnet18InParamsBlocks6Norm3Variance, 256},
    {"params_blocks_6_project", "f32", 4, kResnet18InParamsBlocks6Project, 8192},
    {"params_blocks_7_conv1", "f32", 4, kResnet18InParamsBlocks7Conv1, 147456},
    {"params_blocks_7_conv2", "f32", 4, kResnet18InParamsBlocks7Conv2, 147456},
    {"params_blocks_7_norm1_bias", "f32", 1, kResnet18InParamsBlocks7Norm1Bias, 256},
    {"params_blocks_7_norm1_mean", "f32", 1, kResnet18InParamsBlocks7Norm1Mean, 256},
    {"params_blocks_7_norm1_scale", "f32", 1, kResnet18InParamsBlocks7Norm1Scale, 256},
    {"params_blocks_7_norm1_variance", "f32", 1, kResnet18InParamsBlocks7Norm1Variance, 256},
    {"params_blocks_7_norm2_bias", "f32", 1, kResnet18InParamsBlocks7Norm2Bias, 256},
    {"params_blocks_7_norm2_mean", "f32", 1, kResnet18InParamsBlocks7Norm2Mean, 256},
    {"params_blocks_7_norm2_scale", "f32", 1, kResnet18InParamsBlocks7Norm2Scale, 256},
    {"params_blocks_7_norm2_variance", "f32", 1, kResnet18InParamsBlocks7Norm2Variance, 256},
    {"params_head_b", "f32", 1, kResnet18InParamsHeadB, 40},
    {"params_head_w", "f32", 2, kResnet18InParamsHeadW, 2560},
    {"params_norm_bias", "f32", 1, kResnet18InParamsNormBias, 32},
    {"params_norm_mean", "f32", 1, kResnet18InParamsNormMean, 32},
    {"params_norm_scale", "f32", 1, kResnet18InParamsNormScale, 32},
    {"params_norm_variance", "f32", 1, kResnet18InParamsNormVariance, 32},
    {"params_stem", "f32", 4, kResnet18InParamsStem, 4704},
    {"images", "f32", 4, kResnet18InImages, 24576},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const Resnet18Tensor kResnet18OutputTable[] = {
    {"sum", "f32", 2, kResnet18OutSum, 80},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 20736;
constexpr Resnet18Options kDefaults = RESNET18_OPTIONS;

thread_local constinit LastError last_error("resnet18");

// True if the step did not succeed; then resnet18_last_error() says why.
bool failed(const Step<resnet18_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(Resnet18Instance& created) {
  created.finished = at<uint32_t>(created.workspace, 20480);
  cudaError_t error = clear_on_device(created.finished, 4);
  return error;
}

}  // namespace

Resnet18Status resnet18_create_with(Resnet18Instance** instance, const Resnet18Options* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error,
                         {.prepare = prepare});
}

Resnet18Status resnet18_run(Resnet18Instance* instance, const Resnet18Inputs* in,
                            const Resnet18Outputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kResnet18InputTable, out, kResnet18OutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<resnet18_range> range("resnet18_run");

  float* const x = at<float>(instance->workspace, 0);               // f32[2,16,16,8]
  float* const x_2 = at<float>(instance->workspace, 16384);         // f32[2,8,8,8]
  float* const y = at<float>(instance->workspace, 0);               // f32[2,8,8,8]
  float* const x_3 = at<float>(instance->workspace, 4096);          // f32[2,8,8,8]
  float* const y_2 = at<float>(instance->workspace, 0);             // f32[2,8,8,8]
  float* const x_4 = at<float>(instance->workspace, 8192);          // f32[2,8,8,8]
  float* const x_project = at<float>(instance->workspace, 0);       // f32[2,4,4,16]
  float* const y_3 = at<float>(instance->workspace, 2048);          // f32[2,4,4,16]
  float* const x_5 = at<float>(instance->workspace, 4096);          // f32[2,4,4,16]
  float* const y_4 = at<float>(instance->workspace, 0);             // f32[2,4,4,16]
  float* const x_6 = at<float>(instance->workspace, 2048);          // f32[2,4,4,16]
  float* const x_project_2 = at<float>(instance->workspace, 6144);  // f32[2,2,2,32]
  float* const x_conv1 = at<float>(instance->workspace, 7168);      // f32[2,2,2,32]
  float* const y_conv2 = at<float>(instance->workspace, 0);         // f32[2,2,2,32]
  float* const x_7 = at<float>(instance->workspace, 1024);          // f32[2,2,2,32]
  float* const x_conv1_2 = at<float>(instance->workspace, 2048);    // f32[2,2,2,32]
  float* const x_8 = at<float>(instance->workspace, 1024);          // f32[2,2,2,32]
  float* const x_project_3 = at<float>(instance->workspace, 0);     // f32[2,1,1,64]
  float* const x_conv1_3 = at<float>(instance->workspace, 512);     // f32[2,1,1,64]
  float* const y_conv2_2 = at<float>(instance->workspace, 1024);    // f32[2,1,1,64]
  float* const x_conv1_4 = at<float>(instance->workspace, 512);     // f32[2,1,1,64]
  float* const y_conv2_3 = at<float>(instance->workspace, 1536);    // f32[2,1,1,64]

  // max.3  (vision.py:96)
  if (failed({"conv", kernels::conv::enqueue(in->params_norm_bias, in->params_norm_mean,
                                             in->params_norm_scale, in->params_norm_variance,
                                             in->params_stem, in->images, x, stream)})) {
    return kResnet18CudaError;
  }

  // reduce_window_max.7  (layers.py:59)
  if (failed({"max_pool", kernels::max_pool::enqueue(x, x_2, stream)})) return kResnet18CudaError;

  // max.7  (vision.py:83)
  if (failed({"residual", kernels::residual::enqueue(in->params_blocks_0_conv1,
                                                     in->params_blocks_0_norm1_bias,
                                                     in->params_blocks_0_norm1_mean,
                                                     in->params_blocks_0_norm1_scale,
                                                     in->params_blocks_0_norm1_variance, x_2, y,
                                                     stream)})) {
    return kResnet18CudaError;
  }

  // max.13  (vision.py:87)
  if (failed({"residual_2", kernels::residual_2::enqueue(in->params_blocks_0_conv2,
                                                         in->params_blocks_0_norm2_bias,
                                                         in->params_blocks_0_norm2_mean,
                                                         in->params_blocks_0_norm2_scale,
                                                         in->params_blocks_0_norm2_variance, x_2, y,
                                                         x_3, stream)})) {
    return kResnet18CudaError;
  }

  // max.17  (vision.py:83)
  if (failed({"residual", kernels::residual::enqueue(in->params_blocks_1_conv1,
                                                     in->params_blocks_1_norm1_bias,
                                                     in->params_blocks_1_norm1_mean,
                                                     in->params_blocks_1_norm1_scale,
                                                     in->params_blocks_1_norm1_variance, x_3, y_2,
                                                     stream)})) {
    return kResnet18CudaError;
  }

  // max.21  (vision.py:87)
  if (failed({"residual_2", kernels::residual_2::enqueue(in->params_blocks_1_conv2,
                                                         in->params_blocks_1_norm2_bias,
                                                         in->params_blocks_1_norm2_mean,
                                                         in->params_blocks_1_norm2_scale,
                                                         in->params_blocks_1_norm2_variance, x_3,
                                                         y_2, x_4, stream)})) {
    return kResnet18CudaError;
  }

  // conv_general_dilated.27  (layers.py:52), and 1 more
  const kernels::conv_2::Conv2Arrays conv_2_arrays = {
      .conv_9 = {in->params_blocks_2_project, x_4, x_project},
      .residual_9 = {in->params_blocks_2_conv1, in->params_blocks_2_norm1_bias,
                     in->params_blocks_2_norm1_mean, in->params_blocks_2_norm1_scale,
                     in->params_blocks_2_norm1_variance, x_4, y_3},
  };
  if (failed({"conv_2", kernels::conv_2::enqueue(conv_2_arrays, stream)})) {
    return kResnet18CudaError;
  }

  // max.25  (vision.py:87)
  if (failed({"residual_5", kernels::residual_5::enqueue(in->params_blocks_2_conv2,
                                                         in->params_blocks_2_norm2_bias,
                                                         in->params_blocks_2_norm2_mean,
                                                         in->params_blocks_2_norm2_scale,
                                                         in->params_blocks_2_norm2_variance,
                                                         in->params_blocks_2_norm3_bias,
                                                         in->params_blocks_2_norm3_mean,
                                                         in->params_blocks_2_norm3_scale,
                                                         in->params_blocks_2_norm3_variance,
                                                         x_project, y_3, x_5, stream)})) {
    return kResnet18CudaError;
  }

  // max.27  (vision.py:83)
  if (failed({"residual_6", kernels::residual_6::enqueue(in->params_blocks_3_conv1,
                                                         in->params_blocks_3_norm1_bias,
                                                         in->params_blocks_3_norm1_mean,
                                                         in->params_blocks_3_norm1_scale,
                                                         in->params_blocks_3_norm1_variance, x_5,
                                                         y_4, stream)})) {
    return kResnet18CudaError;
  }

  // max.29  (vision.py:87), and 1 more
  const kernels::residual_7::Residual7Arrays residual_7_arrays = {
      .residual_9 = {in->params_blocks_3_conv2, in->params_blocks_3_norm2_bias,
                     in->params_blocks_3_norm2_mean, in->params_blocks_3_norm2_scale,
                     in->params_blocks_3_norm2_variance, x_5, y_4, x_6},
      .conv_9 = {in->params_blocks_4_conv1, in->params_blocks_4_project, x_6, x_project_2,
                 x_conv1},
      .finished = instance->finished,
  };
  if (failed({"residual_7", kernels::residual_7::enqueue(residual_7_arrays, stream)})) {
    return kResnet18CudaError;
  }

  // conv_general_dilated.31, max.33  (layers.py:52)
  if (failed({"conv_3", kernels::conv_3::enqueue(in->params_blocks_4_conv2,
                                                 in->params_blocks_4_norm1_bias,
                                                 in->params_blocks_4_norm1_mean,
                                                 in->params_blocks_4_norm1_scale,
                                                 in->params_blocks_4_norm1_variance,
                                                 in->params_blocks_4_norm2_bias,
                                                 in->params_blocks_4_norm2_mean,
                                                 in->params_blocks_4_norm2_scale,
                                                 in->params_blocks_4_norm2_variance,
                                                 in->params_blocks_4_norm3_bias,
                                                 in->params_blocks_4_norm3_mean,
                                                 in->params_blocks_4_norm3_scale,
                                                 in->params_blocks_4_norm3_variance, x_conv1,
                                                 x_project_2, y_conv2, x_7, stream)})) {
    return kResnet18CudaError;
  }

  // conv_general_dilated.33  (layers.py:52)
  if (failed({"conv_4", kernels::conv_4::enqueue(in->params_blocks_5_conv1, x_7, x_conv1_2,
                                                 stream)})) {
    return kResnet18CudaError;
  }

  // max.37  (vision.py:87)
  if (failed({"residual_8", kernels::residual_8::enqueue(in->params_blocks_4_norm2_bias,
                                                         in->params_blocks_4_norm2_mean,
                                                         in->params_blocks_4_norm2_scale,
                                                         in->params_blocks_4_norm2_variance,
                                                         in->params_blocks_4_norm3_bias,
                                                         in->params_blocks_4_norm3_mean,
                                                         in->params_blocks_4_norm3_scale,
                                                         in->params_blocks_4_norm3_variance,
                                                         in->params_blocks_5_conv2,
                                                         in->params_blocks_5_norm1_bias,
                                                         in->params_blocks_5_norm1_mean,
                                                         in->params_blocks_5_norm1_scale,
                                                         in->params_blocks_5_norm1_variance,
                                                         in->params_blocks_5_norm2_bias,
                                                         in->params_blocks_5_norm2_mean,
                                                         in->params_blocks_5_norm2_scale,
                                                         in->params_blocks_5_norm2_variance,
                                                         x_project_2, y_conv2, x_conv1_2, x_8,
                                                         stream)})) {
    return kResnet18CudaError;
  }

  // conv_general_dilated.37, conv_general_dilated.35  (layers.py:52)
  if (failed({"conv_5", kernels::conv_5::enqueue(in->params_blocks_6_conv1,
                                                 in->params_blocks_6_project, x_8, x_project_3,
                                                 x_conv1_3, stream)})) {
    return kResnet18CudaError;
  }

  // conv_general_dilated.36  (layers.py:52)
  if (failed({"conv_6", kernels::conv_6::enqueue(in->params_blocks_6_conv2,
                                                 in->params_blocks_6_norm1_bias,
                                                 in->params_blocks_6_norm1_mean,
                                                 in->params_blocks_6_norm1_scale,
                                                 in->params_blocks_6_norm1_variance, x_conv1_3,
                                                 y_conv2_2, stream)})) {
    return kResnet18CudaError;
  }

  // conv_general_dilated.38  (layers.py:52)
  if (failed({"conv_7", kernels::conv_7::enqueue(in->params_blocks_6_norm2_bias,
                                                 in->params_blocks_6_norm2_mean,
                                                 in->params_blocks_6_norm2_scale,
                                                 in->params_blocks_6_norm2_variance,
                                                 in->params_blocks_6_norm3_bias,
                                                 in->params_blocks_6_norm3_mean,
                                                 in->params_blocks_6_norm3_scale,
                                                 in->params_blocks_6_norm3_variance,
                                                 in->params_blocks_7_conv1, x_project_3, y_conv2_2,
                                                 x_conv1_4, stream)})) {
    return kResnet18CudaError;
  }

  // conv_general_dilated.39  (layers.py:52), and 1 more
  const kernels::conv_8::Conv8Arrays conv_8_arrays = {
      .conv_9 = {in->params_blocks_7_conv2, in->params_blocks_7_norm1_bias,
                 in->params_blocks_7_norm1_mean, in->params_blocks_7_norm1_scale,
                 in->params_blocks_7_norm1_variance, x_conv1_4, y_conv2_3},
      .dense = {in->params_blocks_6_norm2_bias, in->params_blocks_6_norm2_mean,
                in->params_blocks_6_norm2_scale, in->params_blocks_6_norm2_variance,
                in->params_blocks_6_norm3_bias, in->params_blocks_6_norm3_mean,
                in->params_blocks_6_norm3_scale, in->params_blocks_6_norm3_variance,
                in->params_blocks_7_norm2_bias, in->params_blocks_7_norm2_mean,
                in->params_blocks_7_norm2_scale, in->params_blocks_7_norm2_variance,
                in->params_head_b, in->params_head_w, x_project_3, y_conv2_2, y_conv2_3, out->sum},
      .finished = instance->finished,
  };
  if (failed({"conv_8", kernels::conv_8::enqueue(conv_8_arrays, stream)})) {
    return kResnet18CudaError;
  }

  return kResnet18Ok;
}

void resnet18_destroy(Resnet18Instance* instance) {
  destroy_instance(instance);
}

Resnet18Status resnet18_capture(Resnet18Graph** graph, Resnet18Instance* instance,
                                const Resnet18Inputs* in, const Resnet18Outputs* out) {
  const auto run = [=](cudaStream_t stream) { return resnet18_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

Resnet18Status resnet18_graph_launch(const Resnet18Graph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

Resnet18Status resnet18_graph_update(Resnet18Graph* graph, const Resnet18Inputs* in,
                                     const Resnet18Outputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return resnet18_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t resnet18_graph_exec(const Resnet18Graph* graph) { return exec_of(graph); }

void resnet18_graph_destroy(Resnet18Graph* graph) { destroy_graph(graph); }

int64_t resnet18_workspace_bytes() { return kWorkspaceBytes; }

const char* resnet18_last_error() { return last_error.text(); }

const char* resnet18_status_text(Resnet18Status status) { return status_text(status); }
