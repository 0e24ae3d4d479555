// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "mlp_mnist/mlp_mnist.h"

#include "launcher/architectures.cuh"

const MlpMnistInfo* mlp_mnist_info() {
  static const MlpMnistInfo info = {
      .size = sizeof(MlpMnistInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = MLP_MNIST_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "f34f2ace202edab15305846a9004cdcb45c861b7c7e185e972398f95a84399d6",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kMlpMnistCanCapture,
  };
  return &info;
}
