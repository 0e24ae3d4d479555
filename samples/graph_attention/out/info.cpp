// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "graph_attention/graph_attention.h"

#include "launcher/architectures.cuh"

const GraphAttentionInfo* graph_attention_info() {
  static const GraphAttentionInfo info = {
      .size = sizeof(GraphAttentionInfo),
      .kernels = 8,
      .launches = 10,
      .interface_hash = GRAPH_ATTENTION_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "8e1b5a79aec79fed0b29117d2339c0efc3ffc6d85f98af856d53cd60cef1d500",
      .architectures = kBuiltFor,
      .workspace_bytes = 10752,
      .weights_bytes = 0,
      .can_capture = kGraphAttentionCanCapture,
  };
  return &info;
}
