// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "life/life.h"

#include "launcher/architectures.cuh"

const LifeInfo* life_info() {
  static const LifeInfo info = {
      .size = sizeof(LifeInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = LIFE_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "390ae37ba028672705a0992b52c089534283d0359a6ce97e5c249616da68b3f1",
      .architectures = kBuiltFor,
      .workspace_bytes = 6656,
      .weights_bytes = 0,
      .can_capture = kLifeCanCapture,
  };
  return &info;
}
