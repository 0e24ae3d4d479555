// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "cartpole_policy/cartpole_policy.h"

#include "launcher/architectures.cuh"

const CartpolePolicyInfo* cartpole_policy_info() {
  static const CartpolePolicyInfo info = {
      .size = sizeof(CartpolePolicyInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = CARTPOLE_POLICY_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "773b8b7db43a64825ee3714744f5bdbdc367f1d8fb448325eb66d9300a9eb20b",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kCartpolePolicyCanCapture,
  };
  return &info;
}
