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
      .input_sha256 = "54c271881a459ba6658903717bafa63b3a92e2688a2a853f7f29f58dc34279d1",
      .architectures = kBuiltFor,
      .workspace_bytes = 3584,
      .weights_bytes = 257,
      .can_capture = kKmeansCanCapture,
  };
  return &info;
}
