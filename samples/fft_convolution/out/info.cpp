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
      .input_sha256 = "c237bfaafbb0e7f892267188661034c9e28de462489b6e167745a19cb3ac5a0a",
      .architectures = kBuiltFor,
      .workspace_bytes = 17152,
      .weights_bytes = 6664,
      .can_capture = kFftConvolutionCanCapture,
  };
  return &info;
}
