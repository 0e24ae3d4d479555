// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "lstm/lstm.h"

#include "launcher/architectures.cuh"

const LstmInfo* lstm_info() {
  static const LstmInfo info = {
      .size = sizeof(LstmInfo),
      .kernels = 2,
      .launches = 2,
      .interface_hash = LSTM_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "f3eb898664cf1e405ada4c2e5cf93f36bc10b761fa9a41c568b770de80c3073e",
      .architectures = kBuiltFor,
      .workspace_bytes = 18432,
      .weights_bytes = 0,
      .can_capture = kLstmCanCapture,
  };
  return &info;
}
