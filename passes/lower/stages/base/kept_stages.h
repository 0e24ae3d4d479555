// Stages that were lowered, for trees of one module that are tried one after the other: most of their kernels are those
// of the tree before.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "passes/lower/stages/base/lowered_stage.h"

namespace sinter {

class KeptStages {
 public:
  // lower_item, or a copy of what it gave for the same input. `is_plain`: of names that only tell whether kernels are
  // the same.
  std::optional<LoweredStage> lower(const StageInput& input, Diagnostics& diagnostics, bool is_plain = false);

  // From now on a tree's time is asked alone, which depends on no name: kernels may go by those of another tree.
  void begin_trial() {
    any_names_ = true;
    has_other_names_ = false;
  }
  // Whether some did.
  bool end_trial() {
    any_names_ = false;
    return has_other_names_;
  }

 private:
  struct Kept {
    LoweredStage stage;
    std::vector<std::pair<const Instruction*, std::string>> names;  // of the arrays that it is launched with
  };
  std::unordered_map<std::string, Kept> kept_;                   // by all that a stage is lowered from
  std::unordered_map<std::string, std::string> with_any_names_;  // by all but names: one of those
  bool any_names_ = false, has_other_names_ = false;
};

}  // namespace sinter
