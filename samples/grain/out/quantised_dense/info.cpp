// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "quantised_dense/quantised_dense.h"

#include "launcher/architectures.cuh"

const QuantisedDenseInfo* quantised_dense_info() {
  static const QuantisedDenseInfo info = {
      .size = sizeof(QuantisedDenseInfo),
      .kernels = 2,
      .launches = 2,
      .interface_hash = QUANTISED_DENSE_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "21bfd670560521e25f3a79d44967adcea79579fb925f72e4602576c41829cf42",
      .architectures = kBuiltFor,
      .workspace_bytes = 256,
      .weights_bytes = 0,
      .can_capture = kQuantisedDenseCanCapture,
  };
  return &info;
}
