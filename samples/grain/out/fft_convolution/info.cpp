// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "fft_convolution/fft_convolution.h"

#include "launcher/architectures.cuh"

const FftConvolutionInfo* fft_convolution_info() {
  static const FftConvolutionInfo info = {
      .size = sizeof(FftConvolutionInfo),
      .kernels = 3,
      .launches = 3,
      .interface_hash = FFT_CONVOLUTION_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "6dd3ee5afc7a1c2d9f749c75f5b67cecd587562b97e334f532e60fe64e7d1040",
      .architectures = kBuiltFor,
      .workspace_bytes = 17152,
      .weights_bytes = 6664,
      .can_capture = kFftConvolutionCanCapture,
  };
  return &info;
}
