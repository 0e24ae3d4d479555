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
      .input_sha256 = "fc1f559d34b7829297a26fa7b8047fdafa48f98f48dd285dd1fde3344e3f9ebe",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kLogsumexpCanCapture,
  };
  return &info;
}
