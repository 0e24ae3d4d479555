// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "embedding_lookup/embedding_lookup.h"

#include "launcher/architectures.cuh"

const EmbeddingLookupInfo* embedding_lookup_info() {
  static const EmbeddingLookupInfo info = {
      .size = sizeof(EmbeddingLookupInfo),
      .kernels = 2,
      .launches = 2,
      .interface_hash = EMBEDDING_LOOKUP_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "d8a8dd32abdd7bfb5da6d7cb82ee5b3f4ccef3f82a7ba2fcc2f5fac310a88e78",
      .architectures = kBuiltFor,
      .workspace_bytes = 256,
      .weights_bytes = 0,
      .can_capture = kEmbeddingLookupCanCapture,
  };
  return &info;
}
