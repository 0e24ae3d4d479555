// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "embedding_lookup_places/embedding_lookup_places.h"

#include "launcher/architectures.cuh"

const EmbeddingLookupPlacesInfo* embedding_lookup_places_info() {
  static const EmbeddingLookupPlacesInfo info = {
      .size = sizeof(EmbeddingLookupPlacesInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = EMBEDDING_LOOKUP_PLACES_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "aab611ac3a341ca4ebfaea50c484862bac8e513a2962ec5d9e58375cd99326ca",
      .architectures = kBuiltFor,
      .workspace_bytes = 0,
      .weights_bytes = 0,
      .can_capture = kEmbeddingLookupPlacesCanCapture,
  };
  return &info;
}
