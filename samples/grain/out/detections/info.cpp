// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "detections/detections.h"

#include "launcher/architectures.cuh"

const DetectionsInfo* detections_info() {
  static const DetectionsInfo info = {
      .size = sizeof(DetectionsInfo),
      .kernels = 3,
      .launches = 3,
      .interface_hash = DETECTIONS_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "fa646bb5d9edfabe507526e86d6a437bdb03bb811f6a40068dc41bba4b9b9cf3",
      .architectures = kBuiltFor,
      .workspace_bytes = 1536,
      .weights_bytes = 0,
      .can_capture = kDetectionsCanCapture,
  };
  return &info;
}
