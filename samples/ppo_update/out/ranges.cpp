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
      {"epoch", "epoch: sort.13  (training.py:102)"},
      {"epoch_2", "epoch_2: reshape.26  (training.py:103)"},
      {"epoch_3", "epoch_3: reshape.27, reshape.28, reshape.29, reshape.30  (training.py:103)"},
      {"minibatch", "minibatch: add.347, add.359, sub.79  (layers.py:117); add.341, add.353, sub.73  (layers.py:117)"},
      {"minibatch_2", "minibatch_2: add.343, add.355, sub.75  (layers.py:117)"},
      {"mlp", "mlp: tanh.11  (layers.py:27), and 1 more"},
      {"mlp_2", "mlp_2: tanh.6, tanh.8  (layers.py:27)"},
      {"mlp_3", "mlp_3: tanh.7  (layers.py:27), and 1 more"},
      {"mlp_4", "mlp_4: tanh.9  (layers.py:27), and 4 more"},
      {"mlp_5", "mlp_5: add_any.14  (layers.py:27)"},
      {"mlp_6", "mlp_6: add_any.15  (layers.py:27)"},
      {"mlp_7", "mlp_7: add_any.10  (layers.py:27)"},
      {"mlp_8", "mlp_8: add_any.11  (layers.py:27), and 2 more"},
      {"updated", "updated: dynamic_update_slice.5  (training.py:106)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
