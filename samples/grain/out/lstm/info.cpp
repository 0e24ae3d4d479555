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
      .input_sha256 = "70a364a0bddcfbf510e920bc8675f4a2b84d917d6277f927cdc50f7b44f071da",
      .architectures = kBuiltFor,
      .workspace_bytes = 18432,
      .weights_bytes = 0,
      .can_capture = kLstmCanCapture,
  };
  return &info;
}
