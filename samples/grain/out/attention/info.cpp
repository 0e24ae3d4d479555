// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "attention/attention.h"

#include "launcher/architectures.cuh"

const AttentionInfo* attention_info() {
  static const AttentionInfo info = {
      .size = sizeof(AttentionInfo),
      .kernels = 3,
      .launches = 3,
      .interface_hash = ATTENTION_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "21efda7f0990ebf58b8d5b5a13269c8c38569dd1dd7ea0dd940f331a612260e7",
      .architectures = kBuiltFor,
      .workspace_bytes = 9216,
      .weights_bytes = 0,
      .can_capture = kAttentionCanCapture,
  };
  return &info;
}
