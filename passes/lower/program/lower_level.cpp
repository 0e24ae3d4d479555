// The items of one level of the schedule tree: kernels and their launches, and loops of the host.
#include <algorithm>

#include "passes/analysis/loops/loop_starts.h"
#include "passes/lower/program/fingerprint.h"
#include "passes/lower/program/lowering.h"
#include "passes/names/value_names.h"
#include "passes/schedule/tree/storing_items.h"
#include "passes/stages/domain/same_form.h"

namespace sinter {

bool Lowering::collect_values(const TreeNode& node, const Computation* computation,
                              std::set<const Instruction*>* computed, std::set<const Instruction*>* stored,
                              std::string* schedule) {
  for (const TreeNode& item : node.body()) {
    const auto add = [&](const std::string& name, Loc loc) {
      const auto found = by_name_.find(name);
      if (found == by_name_.end()) {
        plan_error(loc, "E0405", "no value is called '" + name + "'", "names are those `sinter opt` prints");
        return false;
      }
      if (found->second->parent() == computation) {
        computed->insert(found->second);
        return true;
      }
      if (tree_.source == nullptr) return true;
      plan_error(loc, "E0406",
                 "'" + name + "' is no value of this level, but of '" + found->second->parent()->name + "'",
                 "kernels that compute what is in a loop's body stand inside the loop's item");
      return false;
    };
    if (item.kind == TreeNode::Kind::kStage) {
      *schedule = item.schedule;
      for (const TreeValue& value : item.values) {
        if (!add(value.name, value.loc)) return false;
        if (value.stored) stored->insert(by_name_.at(value.name));
      }
    } else if (item.kind == TreeNode::Kind::kLoop && !holds_kernels(item)) {
      if (!add(item.name, item.loc)) return false;
    } else {
      plan_error(item.loc, "E0406", "only stages and loops that threads run can stand in a kernel",
                 "a loop of scope host holds kernels");
      return false;
    }
  }
  return true;
}

// A part is a kernel item like any other, of some of its launch's blocks.
std::vector<LevelUnit> Lowering::units_of(const std::vector<TreeNode>& items) {
  std::vector<LevelUnit> units;
  for (const TreeNode& item : items) {
    const TreeNode* split = item.kind == TreeNode::Kind::kKernel ? split_of(item) : nullptr;
    if (split == nullptr) {
      units.push_back({.node = &item, .body = item.bodies.empty() ? nullptr : &item.body()});
      continue;
    }
    for (size_t i = 0; i < split->bodies.size(); ++i) {
      TreeNode& part = parts_.emplace_back();
      part.kind = TreeNode::Kind::kKernel;
      part.name = split->parts[i].empty() ? item.name + "_" + std::to_string(i + 1) : split->parts[i];
      const bool last = i >= split->ranges.size();
      part.grid[0] = last ? 1 : split->ranges[i].second - split->ranges[i].first;
      part.block[0] = item.block[0];
      part.bodies = {split->bodies[i]};
      part.loc = split->bodies[i].empty() ? item.loc : split->bodies[i].front().loc;
      units.push_back({&part, &item, last, &split->bodies[i]});
    }
  }
  return units;
}

// Once for all kernels of a level, in time linear in its values.
bool Lowering::collect_items(const LevelContext& context, const std::vector<LevelUnit>& units, LevelItems* level) {
  for (const Instruction* result : level_results(context)) level->results.insert(result);
  std::vector<ItemValues> items;
  for (size_t i = 0; i < units.size(); ++i) {
    const TreeNode& item = *units[i].node;
    ItemValues& of_item = items.emplace_back();
    std::set<const Instruction*>& values = of_item.computed;
    std::string schedule(kMap);
    if (item.kind == TreeNode::Kind::kKernel) {
      if (!collect_values(item, context.computation, &values, &of_item.stored, &schedule)) return false;
      of_item.kind = stage_kind(schedule);
    } else if (by_name_.count(item.name) > 0) {
      values.insert(by_name_.at(item.name));
    }
    for (const Instruction* value : values) {
      const bool loop = item.kind == TreeNode::Kind::kLoop && value->opcode == Opcode::kWhile;
      for (const Instruction* operand :
           loop ? arrays_begun_with(*value, item.scope == Scope::kGrid) : array_operands(*value)) {
        const Instruction* maker = maker_of(operand);
        if (values.count(maker) == 0) {
          level->readers[operand].insert(i);
        } else {
          of_item.read.insert(maker);
        }
      }
    }
    level->schedules.push_back(std::move(schedule));
  }
  auto [makers, given] = storing_items(items);
  level->maker = std::move(makers);
  for (ItemValues& item : items) level->computed.push_back(std::move(item.computed));
  // What stays inside a kernel needs no name here.
  const auto is_inside = [&](const Instruction* value) {
    return level->maker.count(value) > 0 && given.count(value) == 0 && level->readers.count(value) == 0 &&
           level->results.count(value) == 0;
  };
  for (const Instruction& instruction : context.computation->instructions()) {
    if (names_.count(&instruction) > 0 || !instruction.shape.is_array() || is_inside(&instruction)) continue;
    names_[&instruction] = context.counters.count(&instruction) > 0 ? "counter" : result_name(&instruction);
  }
  return true;
}

// What a kernel item computes, and what it stores: what the level gives, or others read.
KernelValues Lowering::values_of(const LevelContext& context, const LevelItems& level, size_t number) const {
  KernelValues values;
  values.context.level = context.computation;
  values.context.counters = context.counters;
  values.context.counter_trip = context.counter_trip;
  values.context.computed = level.computed[number];
  for (const Instruction* update : context.updates_in_place) {
    if (values.context.computed.count(update) > 0) values.context.updates_in_place.insert(update);
  }
  const auto wanted = [&](const Instruction* value) {
    if (level.results.count(value) > 0) return true;
    const auto readers = level.readers.find(value);
    return readers != level.readers.end() && (readers->second.size() > 1 || *readers->second.begin() != number);
  };
  std::vector<const Instruction*> made_here;
  for (const Instruction* value : values.context.computed) {
    if (level.maker.at(value) == number) made_here.push_back(value);
  }
  for (const Instruction* value : in_text_order(std::move(made_here))) {
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
    std::sort(elements.begin(), elements.end(),
              [](const auto* a, const auto* b) { return *a->attributes->tuple_index < *b->attributes->tuple_index; });
    values.outputs.insert(values.outputs.end(), elements.begin(), elements.end());
  }
  // Results first, in their order; then the others.
  std::stable_sort(values.outputs.begin(), values.outputs.end(), [&](const auto* a, const auto* b) {
    const auto rank = [&](const Instruction* value) {
      const auto found = result_rank_.find(value);
      return found == result_rank_.end() ? results_.size() : found->second;
    };
    return rank(a) < rank(b);
  });
  return values;
}

// `twin`: what it is known to be.
bool Lowering::kernel(const LevelContext& context, const LevelUnit& unit, const std::string& schedule,
                      KernelValues values, std::optional<Twin> twin, std::vector<HostStep>* steps) {
  const TreeNode& node = *unit.node;
  if (!check_use(node, values)) return false;
  if (values.outputs.empty()) return true;
  for (const Instruction* output : values.outputs) {
    if (context.counters.count(output) == 0 || location_.count(output) > 0) continue;
    location_[output] = add_buffer(Buffer::Kind::kArena, output, names_.at(output));
  }
  // Nobody writes or reads an array without elements.
  std::erase_if(values.outputs, [](const Instruction* output) { return output->shape.element_count() == 0; });
  if (values.outputs.empty()) return true;

  // The only array that other kernels read goes by the kernel where it has the name of an operation, if the kernel is
  // named after more than the program, and after no other of its arrays.
  std::vector<const Instruction*> given;
  for (const Instruction* output : values.outputs) {
    if (location_.count(output) == 0) given.push_back(output);
  }
  const std::string kernel = without_number(node.name);
  const bool is_main =
      given.size() == 1 && (values.outputs.size() == 1 || without_number(names_.at(given[0])) == kernel);
  if (is_main && kernel != program_.name) {
    const std::string& name = names_.at(given[0]);
    const bool is_operation = variable_name(*given[0]).empty() && is_operation_name(name);
    if (is_operation || without_number(name) == kernel) main_results_.emplace(given[0], node.name);
  }

  // An array has one name: that of its place in memory.
  for (const Instruction* output : values.outputs) {
    const Buffer& place = program_.plan.buffers[buffer_of(output)];
    std::string& name = names_.at(output);
    plain_names_.emplace(output, name);
    if (place.kind != Buffer::Kind::kPointer) name = place.name;
  }

  const StageInput input = {module_,
                            tree_,
                            node,
                            schedule,
                            values,
                            names_,
                            [&](const std::string& suffix) { return kernel_name(node, suffix); },
                            together_ ? nullptr : &needed_,
                            unit.launch != nullptr};
  std::optional<LoweredStage> lowered;
  std::optional<size_t> same;  // a kernel that differs in names from an earlier one is that kernel, on other arrays
  if (twin) {
    same = twin->kernel;
    lowered = std::move(twin->stage);
  } else if (std::optional<Twin> found = together_ ? std::nullopt : find_twin(unit, schedule, values, *steps)) {
    lowered = std::move(found->stage);
    same = found->kernel;
    if (unit.launch != nullptr) joint_.back().forms.push_back(joint_.back().forms.back());
  } else if (unit.launch != nullptr && unit.last) {
    joint_.back().forms.push_back(outline(schedule, values));
  } else if (const std::string* form = unit.launch == nullptr ? nullptr : form_of_part_before(input, schedule);
             form != nullptr && (joint_.back().forms.empty() || *form != joint_.back().forms.back())) {
    joint_.back().forms.push_back(*form);
  } else if (unit.launch != nullptr) {
    lowered = lower_plainly(input);
    if (!lowered) return false;
    if (!check_part(*lowered, node)) return false;
    std::vector<std::string>& forms = joint_.back().forms;
    const std::string form = fingerprint(lowered->kernels[0]);
    if (!forms.empty() && form == forms.back()) {
      same = steps->back().kernel;
      lowered->steps[0].may_share = steps->back().may_share;
    }
    forms.push_back(form);
  }
  if (!same) lowered = stage(input);
  if (!lowered || (unit.last && !check_part(*lowered, node))) return false;
  if (lowered->kernels.size() == 1 && !check_grid(unit, lowered->kernels[0])) return false;

  std::string comment;
  for (size_t i = 0; i < values.outputs.size() && i < 4; ++i) {
    comment += (i == 0 ? "" : ", ") + values.outputs[i]->name;
  }
  if (values.outputs.size() > 4) comment += ", ...";
  const std::vector<PythonFrame> frames = module_.python_frames(*values.outputs[0]);
  if (!frames.empty()) comment += "  (" + frames[0].file + ":" + std::to_string(frames[0].line) + ")";
  std::optional<StageStep> launch;
  if (lowered->kernels.size() == 1 && lowered->steps.size() == 1) launch = lowered->steps[0];
  place_stage(std::move(*lowered), unit, same, comment, steps);
  if (unit.launch != nullptr) steps->back().part = {joint_.size() - 1, unit.last};
  if (launch) {
    const size_t kernel = steps->back().kernel;
    const auto [sites, fresh] = sites_.try_emplace(kernel);
    if (fresh && unit.launch == nullptr && !together_) kernels_alike_[form_hash(values)].push_back(kernel);
    if (fresh) sites->second = {node, unit.launch != nullptr, together_, schedule, std::move(values), {}};
    sites->second.launches.push_back(std::move(*launch));
  }
  return true;
}

// Parts that share a launch.
bool Lowering::launch(const LevelContext& context, std::span<const LevelUnit> parts, const LevelItems& level,
                      size_t first, std::vector<HostStep>* steps) {
  joint_.push_back({parts[0].launch->name, parts[0].launch->block[0], program_.kernels.size(), {}});
  const size_t first_step = steps->size(), number = joint_.size() - 1;
  const std::span schedules = std::span(level.schedules).subspan(first, parts.size());
  std::vector<KernelValues> values;
  for (size_t i = 0; i < parts.size(); ++i) values.push_back(values_of(context, level, first + i));
  std::vector<Twin> twins = find_twins(parts, schedules, values);
  const bool is_new = twins.empty();
  const size_t hash = is_new ? form_hash(values) : 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    std::optional<Twin> twin;
    if (!is_new) twin = std::move(twins[i]);
    if (!kernel(context, parts[i], schedules[i], std::move(values[i]), std::move(twin), steps)) return false;
  }
  if (!is_new) return true;
  close_launch(first_step, steps);
  if (!joint_.back().kernels.empty()) launches_alike_[hash].push_back(number);
  return true;
}

// What kernels leave open of their threads (`over auto`).
bool Lowering::settle_domains(const LevelContext& context, const LevelItems& level, std::vector<LevelUnit>* units) {
  for (size_t i = 0; i < units->size(); ++i) {
    LevelUnit& unit = (*units)[i];
    if (unit.node->kind != TreeNode::Kind::kKernel) continue;
    const StageDomain* said = domain_of(unit.node->body());
    if (said == nullptr || said->kind != StageDomain::Kind::kOpen) continue;
    KernelValues values = values_of(context, level, i);
    std::erase_if(values.outputs, [](const Instruction* output) { return output->shape.element_count() == 0; });
    if (values.outputs.empty()) continue;
    const StageInput input = {module_, tree_, *unit.node, level.schedules[i], values, names_, {}};
    const std::optional<StageDomain> settled = settle_domain(input, diagnostics_);
    if (!settled) return false;
    TreeNode& item = parts_.emplace_back(*unit.node);
    set_domain(*settled, &item.body());
    unit.node = &item;
    open_domains[unit.body] = *settled;
  }
  return true;
}

bool Lowering::level(const LevelContext& context, const std::vector<TreeNode>& items, std::vector<HostStep>* steps) {
  LevelItems level;
  std::vector<LevelUnit> units = units_of(items);
  if (!collect_items(context, units, &level) || !check_items(units, level)) return false;
  if (!check_updates(context, units, level)) return false;
  if (!settle_domains(context, level, &units)) return false;
  for (size_t i = 0, next = 0; i < units.size(); i = next) {
    const TreeNode& item = *units[i].node;
    next = i + 1;
    if (together_ &&
        (units[i].launch != nullptr || item.kind == TreeNode::Kind::kCall || item.kind == TreeNode::Kind::kBranch)) {
      plan_error(item.loc, "E0406", "only kernels and loops of scope grid can stand in a loop of scope grid",
                 "splits, calls and branches need a loop of scope host");
      return false;
    }
    if (const TreeNode* shared = units[i].launch; shared != nullptr) {
      while (next < units.size() && units[next].launch == shared) ++next;
      if (!launch(context, std::span(units).subspan(i, next - i), level, i, steps)) return false;
    } else if (item.kind == TreeNode::Kind::kKernel) {
      const std::string& schedule = level.schedules[i];
      if (!kernel(context, units[i], schedule, values_of(context, level, i), std::nullopt, steps)) return false;
    } else if (item.kind == TreeNode::Kind::kCall) {
      if (!library_call(context, item, steps)) return false;
    } else if (item.kind == TreeNode::Kind::kLoop && holds_kernels(item)) {
      if (!host_loop(context, item, steps)) return false;
    } else if (item.kind == TreeNode::Kind::kBranch && item.scope == Scope::kHost) {
      if (!host_branch(context, item, steps)) return false;
    } else {
      plan_error(item.loc, "E0406", "only kernels, calls, and loops and branches of host scope, can stand here",
                 "stages, splits and loops that threads run stand in a kernel");
      return false;
    }
  }
  return true;
}

}  // namespace sinter
