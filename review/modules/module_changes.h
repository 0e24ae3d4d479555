// What differs between what two folders compute, in HLO terms: of the program, and of kernels.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "review/modules/align_modules.h"
#include "review/modules/recorded_module.h"

namespace sinter {

struct ModulePair {
  RecordedModule before, after;
  Alignment alignment;
};

// nullopt where one of the folders does not say what it computes.
std::optional<ModulePair> read_module_pair(const FileSet& before, const FileSet& after);

struct ModuleChanges {
  // "- exp.1 = f32[64,97] exponential(sub.6)  model.py:12", then what stands in its place; what has no counterpart
  // alone.
  std::vector<std::string> lines;
  std::vector<std::string> values;  // those of the lines that say no more than another value of a constant
  bool shapes = false;              // an operation is on other extents, or of operands of others
  bool none() const { return lines.empty() && !shapes; }
};

ModuleChanges program_changes(const ModulePair& pair);

// Of kernels that are one another's counterparts; what is computed by another kernel now is said, too. nullopt where
// one of them is not in its folder's plan.
std::optional<ModuleChanges> kernel_changes(const ModulePair& pair, const std::vector<std::string>& before,
                                            const std::vector<std::string>& after);

// "exp.1 = f32[64,97] exponential(sub.6)  model.py:12".
std::string instruction_line(const Instruction& instruction);

// By kernel before, then after: how many values both compute, how many either does, and how many of these have a
// counterpart in some kernel of the other side.
struct Overlap {
  size_t both = 0, before = 0, after = 0;
  size_t known_before = 0, known_after = 0;
};
std::map<std::string, std::map<std::string, Overlap>> kernel_overlaps(const ModulePair& pair);

}  // namespace sinter
