// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "boids/boids.h"

#include "launcher/architectures.cuh"

const BoidsInfo* boids_info() {
  static const BoidsInfo info = {
      .size = sizeof(BoidsInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = BOIDS_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "9cba8454dd64a8c4443c503dbb14449d6a868504a14be950579e776e66cf73d5",
      .architectures = kBuiltFor,
      .workspace_bytes = 4352,
      .weights_bytes = 0,
      .can_capture = kBoidsCanCapture,
  };
  return &info;
}
