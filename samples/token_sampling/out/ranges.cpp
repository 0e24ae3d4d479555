// ranges.cpp: how profilers call the steps of token_sampling: by the HLO that they
// compute. A part of the library if it is built with TOKEN_SAMPLING_NVTX.

#include <cstring>

const char* token_sampling_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"token_sampling", "token_sampling: top_k.4, top_k.5  (language.py:160)"},
      {"token_sampling_2", "token_sampling_2: squeeze.5, select_n.1  (language.py:165)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
