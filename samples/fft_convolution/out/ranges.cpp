// ranges.cpp: how profilers call the steps of fft_convolution: by the HLO that they
// compute. A part of the library if it is built with FFT_CONVOLUTION_NVTX.

#include <cstring>

const char* fft_convolution_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"fft", "fft: fft  (arrays.py:70)"},
      {"fft_2", "fft_2: fft.7  (arrays.py:70)"},
      {"fft_3", "fft_3: slice.1  (arrays.py:71)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
