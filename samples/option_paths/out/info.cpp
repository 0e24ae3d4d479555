// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "option_paths/option_paths.h"

#include "launcher/architectures.cuh"

const OptionPathsInfo* option_paths_info() {
  static const OptionPathsInfo info = {
      .size = sizeof(OptionPathsInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = OPTION_PATHS_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "ccab40f489de03cf8dd78b92a6da6379569fa8ae2a9a97233a8251e38200b601",
      .architectures = kBuiltFor,
      .workspace_bytes = 1280,
      .weights_bytes = 0,
      .can_capture = kOptionPathsCanCapture,
  };
  return &info;
}
