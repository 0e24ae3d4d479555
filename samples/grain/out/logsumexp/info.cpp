// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "logsumexp/logsumexp.h"

#include "launcher/architectures.cuh"

const LogsumexpInfo* logsumexp_info() {
  static const LogsumexpInfo info = {
      .size = sizeof(LogsumexpInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = LOGSUMEXP_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "7678328b629b506ed0634c78768fe7c9c8610b3d06c53cec33f13d4705d8ade8",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kLogsumexpCanCapture,
  };
  return &info;
}
