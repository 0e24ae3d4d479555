// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "image_filters_bilateral/image_filters_bilateral.h"

#include "launcher/architectures.cuh"

const ImageFiltersBilateralInfo* image_filters_bilateral_info() {
  static const ImageFiltersBilateralInfo info = {
      .size = sizeof(ImageFiltersBilateralInfo),
      .kernels = 2,
      .launches = 2,
      .interface_hash = IMAGE_FILTERS_BILATERAL_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "0f05b47619c615187d0778e82a937cfc6ccdb55923ec382cc43d3cfa50227467",
      .architectures = kBuiltFor,
      .workspace_bytes = 12288,
      .weights_bytes = 0,
      .can_capture = kImageFiltersBilateralCanCapture,
  };
  return &info;
}
