// ranges.cpp: how profilers call the steps of ppo_update: by the HLO that they
// compute. A part of the library if it is built with PPO_UPDATE_NVTX.

#include <cstring>

const char* ppo_update_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"advantages", "advantages: while.134  (training.py:77), and 1 more"},
      {"dense", "dense: dot_general.35  (layers.py:18), and 4 more"},
      {"mlp", "mlp: tanh.11  (layers.py:27), and 1 more"},
      {"steps", "steps: while.136"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
