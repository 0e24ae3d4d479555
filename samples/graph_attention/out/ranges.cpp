// ranges.cpp: how profilers call the steps of graph_attention: by the HLO that they
// compute. A part of the library if it is built with GRAPH_ATTENTION_NVTX.

#include <cstring>

const char* graph_attention_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"degrees", "degrees: scatter-add.29  (make_samples.py:52), and 1 more"},
      {"dot", "dot: dot_general.7, dot_general.8  (make_samples.py:46)"},
      {"dot_2", "dot_2: dot_general.9  (make_samples.py:45)"},
      {"dot_3", "dot_3: dot_general.10, dot_general.11  (make_samples.py:46)"},
      {"scatter_max", "scatter_max: scatter-max.10  (make_samples.py:47); scatter-max.11  (make_samples.py:47)"},
      {"sum", "sum: scatter-add.25  (make_samples.py:49), and 1 more; scatter-add.27  (make_samples.py:49), and 1 more"},
      {"sums", "sums: scatter-add.26  (make_samples.py:51)"},
      {"sums_2", "sums_2: select_n.28  (make_samples.py:51)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
