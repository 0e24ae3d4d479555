#include "passes/schedule/tree/update_versions.h"

#include <algorithm>

#include "passes/analysis/values/arrays.h"

namespace sinter {

bool is_written_over(const Instruction& array) {
  if (array.opcode != Opcode::kParameter) return true;
  const Module& module = *array.parent()->parent();
  if (array.parent() != module.entry()) return true;
  return std::ranges::any_of(module.input_output_alias,
                             [&](const Alias& alias) { return alias.parameter == array.parameter_number; });
}

UpdateVersions::UpdateVersions(const Computation& level, const std::set<const Instruction*>& updates) {
  std::map<const Instruction*, const Instruction*> next;  // by what is updated
  for (const Instruction* update : updates) next.emplace(array_value(update->operand(0)), update);
  for (const auto& [first, update] : next) {
    if (updates.count(first) > 0) continue;
    // A chain that only its updates read puts nobody off.
    std::vector<const Instruction*> chain;
    bool has_readers = false;
    for (auto found = next.find(first); found != next.end(); found = next.find(found->second)) {
      has_readers |= found->first->users().size() > 1 || found->first->users()[0] != found->second;
      chain.push_back(found->second);
    }
    if (!has_readers) continue;
    std::vector<int>& waits = waits_.emplace_back();
    std::map<const Instruction*, int> numbers;
    for (size_t i = 0; i < chain.size(); ++i) {
      const Instruction* array = array_value(chain[i]->operand(0));
      const auto number = static_cast<int>(i + 1);
      numbers[chain[i]] = number;
      if (is_written_over(*array)) versions_[array] = {chain[i], waits_.size() - 1, number};
    }
    for (const Instruction& value : level.instructions()) {
      int after = 0;
      for (const Instruction* operand : value.operands()) {
        const auto is_update = numbers.find(operand);
        const int of_operand = is_update != numbers.end() ? is_update->second : waits[operand->position()];
        after = std::max(after, of_operand);
      }
      waits.resize(value.position() + 1);
      waits[value.position()] = after;
    }
  }
}

const Instruction* UpdateVersions::update_over(const Instruction* array) const {
  const auto found = versions_.find(array);
  return found == versions_.end() ? nullptr : found->second.update;
}

int UpdateVersions::waits_for(size_t chain, const Instruction* value) const { return waits_[chain][value->position()]; }

const Instruction* UpdateVersions::reads_too_late(const std::set<const Instruction*>& computed) const {
  if (versions_.empty()) return nullptr;
  std::vector<int> most(waits_.size(), -1);  // by chain: that any of the values waits for
  const Instruction* first = nullptr;
  for (const Instruction* value : computed) {
    for (const Instruction* array : array_operands(*value)) {
      const auto version = versions_.find(array);
      if (version == versions_.end() || version->second.update == value) continue;
      const auto& [update, chain, number] = version->second;
      if (waits_for(chain, value) >= number) continue;
      if (most[chain] < 0) {
        for (const Instruction* other : computed) most[chain] = std::max(most[chain], waits_for(chain, other));
      }
      if (most[chain] >= number && (first == nullptr || value->position() < first->position())) first = value;
    }
  }
  return first;
}

bool UpdateVersions::has_late_reader(const Computation& level) const {
  if (versions_.empty()) return false;
  return std::ranges::any_of(level.instructions(), [&](const Instruction& value) {
    if (is_plumbing(value)) return false;
    return std::ranges::any_of(array_operands(value), [&](const Instruction* array) {
      const auto version = versions_.find(array);
      return version != versions_.end() && version->second.update != &value &&
             waits_for(version->second.chain, &value) >= version->second.number;
    });
  });
}

}  // namespace sinter
