// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "image_filters/image_filters.h"

#include "launcher/architectures.cuh"

const ImageFiltersInfo* image_filters_info() {
  static const char* const programs[] = {"box", "bilateral", nullptr};
  static const ImageFiltersInfo info = {
      .size = sizeof(ImageFiltersInfo),
      .kernels = 3,
      .launches = -1,
      .interface_hash = IMAGE_FILTERS_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "0f05b47619c615187d0778e82a937cfc6ccdb55923ec382cc43d3cfa50227467",
      .architectures = kBuiltFor,
      .workspace_bytes = 12288,
      .weights_bytes = 0,
      .programs = programs,
  };
  return &info;
}
