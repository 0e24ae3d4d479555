// What the tree says of updates in place: of carries, which lower_host_loop.cpp goes on with, and of parameters.
// Donated parameters that kernels update in place: the result's memory holds the parameter before the first update,
// which it does already where the caller gives one array for both. Updates one after the other have that memory too,
// and what reads one of them runs before the next.
#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "passes/lower/program/lowering.h"
#include "passes/schedule/groups/updates_in_place.h"

namespace sinter {

// Whether it is an update of a carry that a loop of the host may do in place; noted, if so.
bool Lowering::start_carry_update(const Instruction* update, Loc loc) {
  const auto loop = loop_of_body_.find(update->parent());
  if (loop == loop_of_body_.end() || updates_after_reads(*loop->second).count(update) == 0) return false;
  return carry_updates_.emplace(update, loc).second;
}

bool Lowering::start_updates(LevelContext* entry) {
  std::map<const Instruction*, const TreeValue*> said;  // only looked up
  std::vector<const Instruction*> updates;              // in the order of the tree
  std::vector<const TreeNode*> left;
  std::set<const TreeNode*> in_kernel;  // in loops inside kernels; only looked up
  for (size_t i = tree_.items.size(); i-- > 0;) left.push_back(&tree_.items[i]);
  bool good = true;
  const auto refuse = [&](Loc loc, const std::string& message, const std::string& hint) {
    plan_error(loc, "E0406", message, hint);
    good = false;
  };
  while (!left.empty()) {
    const TreeNode* node = left.back();
    left.pop_back();
    for (const TreeValue& value : node->values) {
      if (!value.in_place) continue;
      const auto found = by_name_.find(value.name);
      if (found == by_name_.end()) continue;  // refused elsewhere
      if (!said.try_emplace(found->second, &value).second) {
        refuse(value.loc, "'" + value.name + "' is updated in place by two kernels", "by one of them");
        continue;
      }
      const bool is_of_carry = !in_kernel.contains(node) && start_carry_update(found->second, value.loc);
      if (!is_of_carry) updates.push_back(found->second);
    }
    const bool is_inside =
        node->kind == TreeNode::Kind::kLoop && node->scope != Scope::kHost && node->scope != Scope::kGrid;
    for (size_t body = node->bodies.size(); body-- > 0;) {
      for (size_t i = node->bodies[body].size(); i-- > 0;) {
        left.push_back(&node->bodies[body][i]);
        if (is_inside || in_kernel.contains(node)) in_kernel.insert(left.back());
      }
    }
  }
  for (const auto& [update, loc] : carry_updates_) {
    const Instruction* before = update->operand(0);
    const auto is_apart = [&](const Instruction* other) {
      return (other == before || other->operand(0) == update) && carry_updates_.count(other) == 0;
    };
    if (!std::ranges::any_of(updates_after_reads(*loop_of_body_.at(update->parent())), is_apart)) continue;
    refuse(loc, "'" + update->name + "' is updated in place, and what it updates or what updates it is not",
           "all of several updates one after the other are `:in_place`, or none");
  }
  if (updates.empty()) return good;

  const auto [possible, next] = donated_updates(module_, true);
  for (const Instruction* update : updates) {
    const TreeValue& value = *said.at(update);
    if (possible.count(update) == 0) {
      refuse(
          value.loc, "'" + value.name + "' is not updated in place",
          "only a small update of a large donated parameter is, whose result takes its memory, or of a loop's state");
      continue;
    }
    const Instruction* before = array_value(update->operand(0));
    const auto after = next.find(update);
    const bool begins =
        before->opcode == Opcode::kParameter || before->opcode == Opcode::kScatter || said.count(before) > 0;
    const bool goes_on = after != next.end() && after->second->opcode != Opcode::kScatter;
    if (!begins || (goes_on && said.count(after->second) == 0)) {
      refuse(value.loc, "'" + value.name + "' is updated in place, and what it updates or what updates it is not",
             "all of several updates one after the other are `:in_place`, or none");
    }
  }
  if (!good) return false;

  for (const Instruction* update : updates) {
    entry->updates_in_place.insert(update);
    const Instruction* last = update;
    for (auto after = next.find(last); after != next.end(); after = next.find(last)) last = after->second;
    const size_t place = location_.at(last);
    if (last != update) place_before(*last, *update);
    for (const Instruction* rows : rows_written_before(*update)) place_before(*last, *rows);
    const Instruction* before = array_value(update->operand(0));
    if (before->opcode != Opcode::kParameter) continue;
    copy(buffer_of(before), place, program_.plan.buffers[place].name, "updated-in-place", &program_.plan.steps);
  }
  return true;
}

// What `last` writes over is where `last` is.
void Lowering::place_before(const Instruction& last, const Instruction& value) {
  location_[&value] = location_.at(&last);
  names_[&value] = names_.at(&last);
}

// Whether all that reads what an update leaves runs before the next update.
bool Lowering::check_updates(const LevelContext& context, const std::vector<LevelUnit>& units,
                             const LevelItems& level) {
  for (const Instruction* update : context.updates_in_place) {
    const Instruction* before = array_value(update->operand(0));
    // What scatters of rows have made before it has its memory, too.
    std::vector<const Instruction*> arrays = rows_written_before(*update);
    if (context.updates_in_place.count(before) > 0 && !llvm::is_contained(arrays, before)) arrays.push_back(before);
    const auto maker = level.maker.find(update);
    for (const Instruction* array : arrays) {
      const auto readers = level.readers.find(array);
      if (readers == level.readers.end() || maker == level.maker.end()) continue;
      const LevelUnit& writer = units[maker->second];
      for (const size_t reader : readers->second) {
        if (reader == maker->second) continue;  // check_updated_elements
        const LevelUnit& unit = units[reader];
        const bool together = writer.launch != nullptr && writer.launch == unit.launch && !writer.last;
        if (reader < maker->second && !together) continue;
        plan_error(unit.node->loc, "E0406",
                   "'" + unit.node->name + "' reads '" + array->name + "', which '" + writer.node->name +
                       "' has updated in place",
                   "move it before '" + writer.node->name + "'");
        return false;
      }
    }
  }
  return true;
}

// Kernels that read what an earlier update has left, and update it: two of their parameters are one array, of which
// each thread reads its own elements before it stores them.
bool Lowering::check_updated_elements(const LevelContext& context, const std::vector<HostStep>& steps) {
  std::set<size_t> places;
  for (const Instruction* update : context.updates_in_place) places.insert(location_.at(update));
  for (const HostStep& step : steps) {
    if (places.empty() || step.kind != HostStep::Kind::kLaunch) continue;
    std::vector<Parameter>& parameters = program_.kernels[step.kernel].parameters;
    for (size_t out = 0; out < step.buffers.size(); ++out) {
      if (places.count(step.buffers[out]) == 0 || !is_written(program_, step, out)) continue;
      for (size_t in = 0; in < step.buffers.size(); ++in) {
        if (step.buffers[in] != step.buffers[out] || is_written(program_, step, in)) continue;
        if (std::ranges::find(step.may_share, std::pair(in, out)) == step.may_share.end()) {
          plan_error(tree_.loc, "E0406",
                     "'" + program_.kernels[step.kernel].name + "' updates '" +
                         program_.plan.buffers[step.buffers[out]].name + "' in place, and reads more of it",
                     "read it in a kernel before");
          return false;
        }
        parameters[in].variable->type.is_restrict = parameters[out].variable->type.is_restrict = false;
      }
    }
  }
  return true;
}

}  // namespace sinter
