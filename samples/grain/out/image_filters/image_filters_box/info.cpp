// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "image_filters_box/image_filters_box.h"

#include "launcher/architectures.cuh"

const ImageFiltersBoxInfo* image_filters_box_info() {
  static const ImageFiltersBoxInfo info = {
      .size = sizeof(ImageFiltersBoxInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = IMAGE_FILTERS_BOX_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "0f05b47619c615187d0778e82a937cfc6ccdb55923ec382cc43d3cfa50227467",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kImageFiltersBoxCanCapture,
  };
  return &info;
}
