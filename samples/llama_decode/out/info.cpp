// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "llama_decode/llama_decode.h"

#include "launcher/architectures.cuh"

const LlamaDecodeInfo* llama_decode_info() {
  static const LlamaDecodeInfo info = {
      .size = sizeof(LlamaDecodeInfo),
      .kernels = 12,
      .launches = 15,
      .interface_hash = LLAMA_DECODE_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "4fbd54323dddae644bab5b2d51dc2eb64b853ad4c4b7169cdda23e4e4b4d291d",
      .architectures = kBuiltFor,
      .workspace_bytes = 3072,
      .weights_bytes = 0,
      .can_capture = kLlamaDecodeCanCapture,
  };
  return &info;
}
