// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "gpt2_block/gpt2_block.h"

#include "launcher/architectures.cuh"

const Gpt2BlockInfo* gpt2_block_info() {
  static const Gpt2BlockInfo info = {
      .size = sizeof(Gpt2BlockInfo),
      .kernels = 5,
      .launches = 5,
      .interface_hash = GPT2_BLOCK_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "b3a5247975ffd8017c5fbfeec0af9d1149fb208400a772a1f81168c9bab65c78",
      .architectures = kBuiltFor,
      .workspace_bytes = 30720,
      .weights_bytes = 0,
      .can_capture = kGpt2BlockCanCapture,
  };
  return &info;
}
