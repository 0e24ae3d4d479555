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
      .input_sha256 = "c1529d4ef700839c9abc35ad0dc20783f9694868601d3d16133d659995cd8043",
      .architectures = kBuiltFor,
      .workspace_bytes = 1280,
      .weights_bytes = 0,
      .can_capture = kOptionPathsCanCapture,
  };
  return &info;
}
