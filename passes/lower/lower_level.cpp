// The items of one level of the schedule tree: kernels and their launches, and loops of the host.
#include <algorithm>

#include "passes/lower/fingerprint.h"
#include "passes/lower/lower_contract.h"
#include "passes/lower/lowering.h"

namespace sinter {

bool Lowering::collect_values(const TreeNode& node, const Computation* computation, std::set<const Instruction*>* computed,
                              std::string* schedule) {
  for (const TreeNode& item : node.body()) {
    const auto find = [&](const std::string& name) -> const Instruction* {
      const auto found = by_name_.find(name);
      if (found != by_name_.end()) return found->second;
      plan_error(item.loc, "E0402", "no value is called '" + name + "'", "names are those `sinter opt` prints");
      return nullptr;
    };
    if (item.kind == TreeNode::Kind::kStage) {
      *schedule = item.schedule;
      for (const TreeValue& value : item.values) {
        const Instruction* instruction = find(value.name);
        if (instruction == nullptr) return false;
        if (instruction->parent() == computation) computed->insert(instruction);
      }
    } else if (item.kind == TreeNode::Kind::kLoop && item.scope == Scope::kThread) {
      const Instruction* instruction = find(item.name);
      if (instruction == nullptr) return false;
      if (instruction->parent() == computation) computed->insert(instruction);
    } else {
      plan_error(item.loc, "E0403", "only stages and loops of thread scope can stand in a kernel",
                         "other scopes are not lowered");
      return false;
    }
  }
  return true;
}

// Once for all kernels of a level, in time linear in its values.
bool Lowering::collect_items(const LevelContext& context, const std::vector<TreeNode>& items, LevelItems* level) {
  for (const Instruction* result : level_results(context)) level->results.insert(result);
  for (size_t i = 0; i < items.size(); ++i) {
    const TreeNode& item = items[i];
    std::set<const Instruction*> values;
    std::string schedule = "map";
    if (item.kind == TreeNode::Kind::kKernel) {
      if (!collect_values(item, context.computation, &values, &schedule)) return false;
    } else if (by_name_.count(item.name) > 0) {
      values.insert(by_name_.at(item.name));
    }
    for (const Instruction* value : values) {
      if (item.kind == TreeNode::Kind::kKernel) level->first_maker.try_emplace(value, i);
      for (const Instruction* operand : array_operands(*value)) {
        const Instruction* maker = operand->opcode == Opcode::kGetTupleElement ? operand->operand(0) : operand;
        if (values.count(maker) == 0) level->readers[operand].insert(i);
      }
    }
    level->computed.push_back(std::move(values));
    level->schedules.push_back(std::move(schedule));
  }
  for (const Instruction& instruction : context.computation->instructions()) {
    level->position.emplace(&instruction, level->position.size());
    if (names_.count(&instruction) == 0 && instruction.shape.is_array()) names_[&instruction] = result_name(&instruction);
  }
  return true;
}

bool Lowering::kernel(const LevelContext& context, const TreeNode& node, const LevelItems& level, size_t number,
                      std::vector<HostStep>* steps) {
  KernelValues values;
  values.context.level = context.computation;
  values.context.counters = context.counters;
  values.context.counter_trip = context.counter_trip;
  values.context.computed = level.computed[number];
  const std::string& schedule = level.schedules[number];

  // Outputs: what the level gives, or others read.
  const auto wanted = [&](const Instruction* value) {
    if (level.results.count(value) > 0) return true;
    const auto readers = level.readers.find(value);
    return readers != level.readers.end() && (readers->second.size() > 1 || *readers->second.begin() != number);
  };
  std::vector<const Instruction*> in_order;
  for (const Instruction* value : values.context.computed) {
    if (level.first_maker.at(value) == number) in_order.push_back(value);
  }
  std::sort(in_order.begin(), in_order.end(),
            [&](const auto* a, const auto* b) { return level.position.at(a) < level.position.at(b); });
  for (const Instruction* value : in_order) {
    if (value->shape.is_array()) {
      if (wanted(value)) values.outputs.push_back(value);
      continue;
    }
    std::vector<const Instruction*> elements;
    for (const Instruction* user : value->users()) {
      if (user->opcode == Opcode::kGetTupleElement && wanted(user) &&
          std::find(elements.begin(), elements.end(), user) == elements.end()) {
        elements.push_back(user);
      }
    }
    std::sort(elements.begin(), elements.end(), [](const auto* a, const auto* b) {
      return *a->attributes.tuple_index < *b->attributes.tuple_index;
    });
    values.outputs.insert(values.outputs.end(), elements.begin(), elements.end());
  }
  if (values.outputs.empty()) return true;
  bool all_empty = true;
  for (const Instruction* output : values.outputs) all_empty &= output->shape.element_count() == 0;
  if (all_empty) return true;

  // Results first, in their order; then the others.
  std::stable_sort(values.outputs.begin(), values.outputs.end(), [&](const auto* a, const auto* b) {
    const auto rank = [&](const Instruction* value) { return std::find(results_.begin(), results_.end(), value) - results_.begin(); };
    return rank(a) < rank(b);
  });

  LoweredKernel lowered;
  if (schedule.rfind("row", 0) == 0) {
    std::optional<RowExtents> extents;
    for (const Instruction* value : values.context.computed) {
      const std::optional<RowExtents> of_value = row_extents(*value);
      // The longest row: others are unrolled.
      if (of_value && (!extents || of_value->columns > extents->columns)) extents = of_value;
    }
    if (!extents) {
      plan_error(node.loc, "E0404", "'" + node.name + "' has no reduction over rows", "use `stage map`");
      return false;
    }
    lowered = lower_row(module_, node, values, *extents, names_);
  } else if (schedule == "contract") {
    std::optional<DemandGraph::Failure> failure;
    const std::optional<ContractDemand> demand = demand_contract(values, &failure);
    if (!demand) {
      plan_error(node.loc, "E0404", "'" + node.name + "' is not one dot and what belongs to it element by element",
                         "use `stage map`");
      return false;
    }
    if (!contract_tile(node.block[0])) {
      plan_error(node.loc, "E0404", "'" + node.name + "' needs a block of 64, 256 or 1024 threads",
                         "the tiles of a contraction are 8, 16 or 32 elements wide");
      return false;
    }
    lowered = lower_contract(module_, node, values, *demand, names_);
  } else {
    lowered = lower_map(module_, node, values, names_);
  }

  if (!check_grid(node, lowered.kernel)) return false;
  HostStep step;
  step.kind = HostStep::Kind::kLaunch;
  step.may_share = lowered.may_share;
  for (const Instruction* argument : lowered.arguments) {
    if (argument == nullptr) {
      step.passes_counter = true;
      step.counter = counters_.back();
    } else {
      step.buffers.push_back(buffer_of(argument));
    }
  }
  for (size_t i = 0; i < values.outputs.size() && i < 4; ++i) {
    step.comment += (i == 0 ? "" : ", ") + values.outputs[i]->name;
  }
  if (values.outputs.size() > 4) step.comment += ", ...";
  const std::vector<PythonFrame> frames = module_.python_frames(*values.outputs[0]);
  if (!frames.empty()) step.comment += "  (" + frames[0].file + ":" + std::to_string(frames[0].line) + ")";
  const std::string print = fingerprint(lowered.kernel);
  const auto same = kernel_of_fingerprint_.find(print);
  if (same != kernel_of_fingerprint_.end()) {
    step.kernel = same->second;
  } else {
    step.kernel = program_.kernels.size();
    kernel_of_fingerprint_[print] = step.kernel;
    program_.kernels.push_back(std::move(lowered.kernel));
  }
  steps->push_back(std::move(step));
  return true;
}

bool Lowering::level(const LevelContext& context, const std::vector<TreeNode>& items, std::vector<HostStep>* steps) {
  LevelItems level;
  if (!collect_items(context, items, &level)) return false;
  for (size_t i = 0; i < items.size(); ++i) {
    const TreeNode& item = items[i];
    if (item.kind == TreeNode::Kind::kKernel) {
      if (!kernel(context, item, level, i, steps)) return false;
    } else if (item.kind == TreeNode::Kind::kLoop && item.scope == Scope::kHost) {
      if (!host_loop(context, item, steps)) return false;
    } else {
      plan_error(item.loc, "E0403", "only kernels and loops of host scope can stand here", "other items are not lowered");
      return false;
    }
  }
  return true;
}

}  // namespace sinter
