// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "nbody/nbody.h"

#include "launcher/architectures.cuh"

const NbodyInfo* nbody_info() {
  static const NbodyInfo info = {
      .size = sizeof(NbodyInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = NBODY_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "239b269342341dc67b61f9559b554749c548d015eb6ae7b82762b55d4c965238",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kNbodyCanCapture,
  };
  return &info;
}
