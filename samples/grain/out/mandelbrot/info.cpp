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
      .input_sha256 = "df6537a88a6741e595da3f59010d1baa120ac5519e20e2450e40ecb3ae429241",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kMandelbrotCanCapture,
  };
  return &info;
}
