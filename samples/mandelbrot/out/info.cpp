// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "mandelbrot/mandelbrot.h"

#include "launcher/architectures.cuh"

const MandelbrotInfo* mandelbrot_info() {
  static const MandelbrotInfo info = {
      .size = sizeof(MandelbrotInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = MANDELBROT_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "85e218277b1bc419a96c32b7842aa62e1c84c8f8721be086d3af876ad0a1563e",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kMandelbrotCanCapture,
  };
  return &info;
}
