// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "classifier/classifier.h"

#include "launcher/architectures.cuh"

const ClassifierInfo* classifier_info() {
  static const ClassifierInfo info = {
      .size = sizeof(ClassifierInfo),
      .kernels = 2,
      .launches = 2,
      .interface_hash = CLASSIFIER_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "54ac430753ee542137095db86e9af7e62f765a991d59108b9e035be9dfad9b28",
      .architectures = kBuiltFor,
      .workspace_bytes = 2048,
      .weights_bytes = 1296,
      .can_capture = kClassifierCanCapture,
  };
  return &info;
}
