// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "matmul_epilogue/matmul_epilogue.h"

#include "launcher/architectures.cuh"

const MatmulEpilogueInfo* matmul_epilogue_info() {
  static const MatmulEpilogueInfo info = {
      .size = sizeof(MatmulEpilogueInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = MATMUL_EPILOGUE_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "71f709a8a9c5cd142eed69ab11c2f6fa8736bd68833d05d7adcda3a3b0eb3b4e",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kMatmulEpilogueCanCapture,
  };
  return &info;
}
