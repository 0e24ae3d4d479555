// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "embedding_lookup/embedding_lookup.h"

#include "launcher/architectures.cuh"

const EmbeddingLookupInfo* embedding_lookup_info() {
  static const char* const programs[] = {"embedding_lookup", "places", nullptr};
  static const EmbeddingLookupInfo info = {
      .size = sizeof(EmbeddingLookupInfo),
      .kernels = 3,
      .launches = -1,
      .interface_hash = EMBEDDING_LOOKUP_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "aab611ac3a341ca4ebfaea50c484862bac8e513a2962ec5d9e58375cd99326ca",
      .architectures = kBuiltFor,
      .workspace_bytes = 256,
      .weights_bytes = 0,
      .programs = programs,
  };
  return &info;
}
