// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "kmeans/kmeans.h"

#include "launcher/architectures.cuh"

const KmeansInfo* kmeans_info() {
  static const KmeansInfo info = {
      .size = sizeof(KmeansInfo),
      .kernels = 2,
      .launches = 2,
      .interface_hash = KMEANS_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "02019b3c2fe71835a1b683f0f9cddf44252a8e1be4b98ed1b96f277cac6f8b0a",
      .architectures = kBuiltFor,
      .workspace_bytes = 3584,
      .weights_bytes = 257,
      .can_capture = kKmeansCanCapture,
  };
  return &info;
}
