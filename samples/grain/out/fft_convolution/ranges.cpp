// ranges.cpp: how profilers call the steps of fft_convolution: by the HLO that they
// compute. A part of the library if it is built with FFT_CONVOLUTION_NVTX.

#include <cstring>

const char* fft_convolution_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"a", "a: fft.4  (fft_convolution.grain:8)"},
      {"response", "response: fft.3  (fft_convolution.grain:7)"},
      {"y", "y: y  (fft_convolution.grain:10)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
