#include "frontend/hlo/name_results.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "frontend/hlo/characters.h"
#include "ir/module/variable.h"

namespace sinter {
namespace {

constexpr const char* kResults = "sinter_results";

bool is_variable_name(std::string_view name) {
  return !name.empty() && is_letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace

void name_results(Module& module) {
  Instruction& root = *module.entry()->root();
  const auto& attributes = root.annotations->frontend_attributes;
  const auto found = attributes.find(kResults);
  const bool makes_tuple = root.opcode == Opcode::kTuple;
  if (found == attributes.end() || (root.shape.is_tuple() && !makes_tuple)) return;
  const std::vector<Instruction*> results = makes_tuple ? root.operands() : std::vector<Instruction*>{&root};
  std::string_view names = found->second;
  for (Instruction* result : results) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    module.result_names.emplace_back(is_variable_name(name) ? name : "");
    if (!is_variable_name(name) || result->opcode == Opcode::kParameter || !variable_of(*result).empty()) continue;
    set_variable(*result, name);
  }
}

}  // namespace sinter
