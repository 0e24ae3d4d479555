// ranges.cpp: how profilers call the steps of llama_decode: by the HLO that they
// compute. A part of the library if it is built with LLAMA_DECODE_NVTX.

#include <cstring>

const char* llama_decode_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"decode_attention", "decode_attention: dot_general.19  (language.py:61), and 1 more"},
      {"decode_attention_2", "decode_attention_2: dynamic_update_slice.5  (language.py:65), and 1 more; dynamic_update_slice.7  (language.py:65), and 1 more"},
      {"decode_attention_3", "decode_attention_3: dot_general.22  (language.py:67); dot_general.31  (language.py:67)"},
      {"decode_attention_4", "decode_attention_4: reduce_max.14, reduce_sum.50  (language.py:69), and 3 more"},
      {"decode_attention_5", "decode_attention_5: dot_general.28  (language.py:61), and 1 more"},
      {"decode_attention_8", "decode_attention_8: reduce_max.15, reduce_sum.53  (language.py:69), and 3 more"},
      {"llama_decode", "llama_decode: dot_general.26  (language.py:98); dot_general.35  (language.py:98)"},
      {"llama_decode_2", "llama_decode_2: network.4  (language.py:98)"},
      {"llama_decode_4", "llama_decode_4: network  (language.py:100)"},
      {"llama_decode_5", "llama_decode_5: reduce.17, convert_element_type.49  (language.py:101)"},
      {"rms_norm", "rms_norm: reduce_sum.49  (layers.py:43), and 1 more"},
      {"rms_norm_2", "rms_norm_2: reduce_sum.52  (layers.py:43)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
