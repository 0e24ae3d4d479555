// Walks the schedule tree: every kernel item becomes a Kernel and a launch, every host loop a step with steps inside.
#include "passes/lower/lower.h"

#include <algorithm>
#include <set>

#include "passes/lower/arena.h"
#include "passes/lower/fingerprint.h"
#include "passes/lower/lower_contract.h"
#include "passes/lower/lower_kernel.h"
#include "passes/schedule/group_values.h"
#include "passes/schedule/value_names.h"

namespace sinter {

namespace {

// The items of a level, and who computes and reads what.
struct LevelItems {
  std::vector<std::set<const Instruction*>> computed;  // by item
  std::vector<std::string> schedules;                  // by item
  std::map<const Instruction*, size_t> first_maker;    // the first kernel that computes a value
  std::map<const Instruction*, std::set<size_t>> readers;  // items that read an array they do not compute
  std::set<const Instruction*> results;
  std::map<const Instruction*, size_t> position;  // in the text
};

class Lowering {
 public:
  Lowering(const Module& module, const Tree& tree, Diagnostics& diagnostics)
      : module_(module), tree_(tree), diagnostics_(diagnostics) {}

  std::optional<Program> run(const std::string& name) {
    program_.name = name;
    index_names();
    declare_interface();
    if (!level(level_context(*module_.entry(), nullptr), tree_.items, &program_.plan.steps)) return std::nullopt;
    copy_results();
    if (!diagnostics_.ok()) return std::nullopt;
    assign_arena(&program_.plan);
    return std::move(program_);
  }

 private:
  void index_names();
  void declare_interface();
  bool level(const LevelContext& context, const std::vector<TreeNode>& items, std::vector<HostStep>* steps);
  bool collect_items(const LevelContext& context, const std::vector<TreeNode>& items, LevelItems* level);
  bool kernel(const LevelContext& context, const TreeNode& node, const LevelItems& level, size_t number,
              std::vector<HostStep>* steps);
  bool host_loop(const LevelContext& context, const TreeNode& node, std::vector<HostStep>* steps);
  void copy_results();

  bool collect_values(const TreeNode& node, const Computation* computation, std::set<const Instruction*>* computed, std::string* schedule);
  size_t buffer_of(const Instruction* value);
  size_t add_buffer(Buffer::Kind kind, const Instruction* value, const std::string& name);
  size_t constant_buffer(const Literal& literal, const std::string& name);
  std::string result_name(const Instruction* value) const;
  const BufferNames& names();
  void copy(size_t from, size_t to, const std::string& comment, std::vector<HostStep>* steps);

  const Module& module_;
  const Tree& tree_;
  Diagnostics& diagnostics_;
  Program program_;
  std::map<std::string, const Instruction*> by_name_;
  std::map<const Instruction*, size_t> location_;  // array value -> position in plan.buffers
  std::map<const Instruction*, std::pair<int64_t, int64_t>> finished_counters_;
  BufferNames names_;
  std::set<std::string> buffer_names_;
  std::map<std::string, size_t> kernel_of_fingerprint_;
  std::vector<const Instruction*> results_;
  std::vector<std::string> counters_;  // of the host loops around what is being lowered
};

void Lowering::index_names() {
  for (const auto& computation : module_.computations()) {
    for (const Instruction& instruction : computation->instructions()) by_name_[instruction.name] = &instruction;
  }
}

// The name of a result: a carry after the parameter it starts from, others after their op.
std::string Lowering::result_name(const Instruction* value) const {
  if (value->opcode == Opcode::kParameter) return value_name(*value);
  if (value->opcode == Opcode::kGetTupleElement && value->operand(0)->opcode == Opcode::kWhile) {
    const Instruction* loop = value->operand(0);
    const int64_t carry = *value->attributes.tuple_index;
    const Instruction* init = loop->operand(0);
    if (init->opcode == Opcode::kTuple) {
      const Instruction* start = array_value(init->operand(carry));
      if (start->opcode == Opcode::kParameter) return names_.count(start) > 0 ? names_.at(start) : value_name(*start);
    }
    const Instruction* root = (*loop->attributes.body)->root();
    if (root->opcode == Opcode::kTuple) {
      const Instruction* next = root->operand(carry);
      if (next->opcode == Opcode::kAdd) return "sum";
      if (next->opcode == Opcode::kDynamicUpdateSlice) return value_name(*array_value(next->operand(1)));
      if (!is_plumbing(*next)) return value_name(*next);
    }
    return "result";
  }
  if (value->opcode == Opcode::kGetTupleElement) return value_name(*value->operand(0));
  return value_name(*value);
}

void Lowering::declare_interface() {
  const auto unique = [](std::set<std::string>& taken, const std::string& base, bool numbered) {
    if (!numbered && taken.insert(base).second) return base;
    for (int number = 1;; ++number) {
      std::string name = base + "_" + std::to_string(number);
      if (taken.insert(name).second) return name;
    }
  };
  std::set<std::string> taken;
  for (const Instruction* parameter : module_.entry()->parameters()) {
    std::string base = parameter->metadata.op_name.empty() ? parameter->name : parameter->metadata.op_name;
    if (parameter->metadata.op_name.empty()) {
      const size_t dot = base.rfind('.');
      if (dot != std::string::npos && base.find_first_not_of("0123456789", dot + 1) == std::string::npos) base.resize(dot);
    }
    Program::Tensor tensor;
    tensor.name = unique(taken, identifier(base), false);
    tensor.shape = parameter->shape;
    names_[parameter] = tensor.name;
    const size_t buffer = add_buffer(Buffer::Kind::kInput, parameter, tensor.name);
    program_.plan.buffers[buffer].index = parameter->parameter_number;
    location_[parameter] = buffer;
    program_.inputs.push_back(std::move(tensor));
  }
  results_ = level_results(level_context(*module_.entry(), nullptr));
  std::map<std::string, int> count;
  for (const Instruction* value : results_) ++count[result_name(value)];
  std::set<std::string> output_names;
  for (size_t i = 0; i < results_.size(); ++i) {
    Program::Tensor tensor;
    const std::string base = result_name(results_[i]);
    tensor.name = unique(output_names, base, count[base] > 1);
    tensor.shape = results_[i]->shape;
    const size_t buffer = add_buffer(Buffer::Kind::kOutput, results_[i], tensor.name);
    program_.plan.buffers[buffer].index = static_cast<int64_t>(i);
    names_.emplace(results_[i], tensor.name);
    const bool made_by_kernel = results_[i]->opcode != Opcode::kParameter && results_[i]->opcode != Opcode::kConstant;
    if (made_by_kernel) location_.emplace(results_[i], buffer);
    program_.outputs.push_back(std::move(tensor));
  }
  for (const Alias& alias : module_.input_output_alias) {
    if (alias.parameter < static_cast<int64_t>(program_.inputs.size())) {
      program_.inputs[alias.parameter].donated_to = alias.output_index.empty() ? 0 : alias.output_index[0];
    }
  }
}

size_t Lowering::add_buffer(Buffer::Kind kind, const Instruction* value, const std::string& name) {
  Buffer buffer;
  buffer.kind = kind;
  buffer.value = value;
  if (value != nullptr) buffer.shape = value->shape;
  buffer.name = name;
  if (kind == Buffer::Kind::kArena || kind == Buffer::Kind::kConstant) {
    for (int number = 1; !buffer_names_.insert(buffer.name).second; ++number) buffer.name = name + "_" + std::to_string(number);
  } else {
    buffer_names_.insert(name);
  }
  program_.plan.buffers.push_back(std::move(buffer));
  return program_.plan.buffers.size() - 1;
}

size_t Lowering::constant_buffer(const Literal& literal, const std::string& name) {
  std::vector<std::byte>& weights = program_.plan.weights;
  weights.resize((weights.size() + 255) / 256 * 256);
  const size_t buffer = add_buffer(Buffer::Kind::kConstant, nullptr, name);
  program_.plan.buffers[buffer].shape = literal.shape();
  program_.plan.buffers[buffer].offset = static_cast<int64_t>(weights.size());
  weights.insert(weights.end(), literal.bytes().begin(), literal.bytes().end());
  return buffer;
}

size_t Lowering::buffer_of(const Instruction* value) {
  const auto found = location_.find(value);
  if (found != location_.end()) return found->second;
  size_t buffer = 0;
  if (value->opcode == Opcode::kConstant) {
    buffer = constant_buffer(value->literal, "constant");
  } else if (finished_counters_.count(value) > 0) {
    const auto [final_value, unused] = finished_counters_.at(value);
    buffer = constant_buffer(integer_literal(value->shape.dtype, final_value), value_name(*value));
  } else {
    if (value->opcode == Opcode::kGetTupleElement && value->operand(0)->opcode == Opcode::kParameter) {
      diagnostics_.error(value->loc, "E0303", "while: the counter '" + value->name + "' of a loop on the host is needed in memory",
                         "carry a separate counter array");
    }
    buffer = add_buffer(Buffer::Kind::kArena, value, names_.count(value) > 0 ? names_.at(value) : result_name(value));
  }
  location_[value] = buffer;
  return buffer;
}

bool Lowering::collect_values(const TreeNode& node, const Computation* computation, std::set<const Instruction*>* computed,
                              std::string* schedule) {
  for (const TreeNode& item : node.body()) {
    const auto find = [&](const std::string& name) -> const Instruction* {
      const auto found = by_name_.find(name);
      if (found != by_name_.end()) return found->second;
      diagnostics_.error(item.loc, "E0402", "plan: no value is called '" + name + "'", "names are those `sinter opt` prints");
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
      diagnostics_.error(item.loc, "E0403", "plan: only stages and loops of thread scope can stand in a kernel",
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
      diagnostics_.error(node.loc, "E0404", "plan: '" + node.name + "' has no reduction over rows", "use `stage map`");
      return false;
    }
    lowered = lower_row(module_, node, values, *extents, names_);
  } else if (schedule == "contract") {
    std::optional<DemandGraph::Failure> failure;
    const std::optional<ContractDemand> demand = demand_contract(values, &failure);
    if (!demand) {
      diagnostics_.error(node.loc, "E0404", "plan: '" + node.name + "' is not one dot and what belongs to it element by element",
                         "use `stage map`");
      return false;
    }
    if (!contract_tile(node.block[0])) {
      diagnostics_.error(node.loc, "E0404", "plan: '" + node.name + "' needs a block of 64, 256 or 1024 threads",
                         "the tiles of a contraction are 8, 16 or 32 elements wide");
      return false;
    }
    lowered = lower_contract(module_, node, values, *demand, names_);
  } else {
    lowered = lower_map(module_, node, values, names_);
  }

  HostStep step;
  step.kind = HostStep::Kind::kLaunch;
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

void Lowering::copy(size_t from, size_t to, const std::string& comment, std::vector<HostStep>* steps) {
  if (program_.plan.buffers[from].shape.bytes() == 0) return;
  HostStep step;
  step.kind = HostStep::Kind::kCopy;
  step.buffers = {from, to};
  step.comment = comment;
  steps->push_back(std::move(step));
}

// The name of a value or loop that an item holds.
static std::string some_value(const TreeNode& item) {
  if (item.kind == TreeNode::Kind::kLoop) return item.name;
  for (const auto& body : item.bodies) {
    for (const TreeNode& inner : body) {
      if (inner.kind == TreeNode::Kind::kLoop) return inner.name;
      if (inner.kind == TreeNode::Kind::kStage && !inner.values.empty()) return inner.values[0].name;
    }
  }
  return "";
}

bool Lowering::host_loop(const LevelContext& context, const TreeNode& node, std::vector<HostStep>* steps) {
  const auto found = by_name_.find(node.name);
  if (found == by_name_.end() || found->second->opcode != Opcode::kWhile || found->second->parent() != context.computation) {
    diagnostics_.error(node.loc, "E0402", "plan: no loop is called '" + node.name + "'", "names are those `sinter opt` prints");
    return false;
  }
  const Instruction* loop = found->second;
  const WhileInfo info = analyze_while(*loop);
  const Computation& body = **loop->attributes.body;
  const Computation& condition = **loop->attributes.condition;
  const Instruction* state = loop->operand(0);
  while (state->opcode == Opcode::kOptBarrier) state = state->operand(0);
  const bool tuple = loop->shape.is_tuple();
  const size_t count = tuple ? loop->shape.elements.size() : 1;
  if (tuple && state->opcode != Opcode::kTuple) {
    diagnostics_.error(loop->loc, "E0303", "while: the initial state of '" + loop->name + "' must be a tuple instruction", "");
    return false;
  }
  const auto elements_of = [&](const Computation& computation, size_t carry) {
    std::vector<const Instruction*> result;
    for (const Instruction& instruction : computation.instructions()) {
      if (!tuple && instruction.opcode == Opcode::kParameter) result.push_back(&instruction);
      if (tuple && instruction.opcode == Opcode::kGetTupleElement && instruction.operand(0)->opcode == Opcode::kParameter &&
          *instruction.attributes.tuple_index == static_cast<int64_t>(carry)) {
        result.push_back(&instruction);
      }
    }
    return result;
  };
  std::vector<const Instruction*> after;
  for (size_t k = 0; k < count; ++k) after.push_back(nullptr);
  for (const Instruction* user : loop->users()) {
    if (tuple && user->opcode == Opcode::kGetTupleElement) after[*user->attributes.tuple_index] = user;
  }
  if (!tuple) after[0] = loop;

  const LevelContext body_level = level_context(body, loop);
  std::vector<const Instruction*> nexts;
  for (size_t k = 0; k < count; ++k) nexts.push_back(array_value(tuple ? body.root()->operand(k) : body.root()));
  std::vector<size_t> carry_buffer(count, SIZE_MAX);
  for (size_t k = 0; k < count; ++k) {
    const Instruction* init = array_value(tuple ? state->operand(k) : state);
    const Carry& kind = info.carries[k];
    if (kind.kind == CarryKind::kInduction && info.trip_count && init->shape.is_scalar()) {
      for (const Instruction* user : loop->users()) {
        if (tuple && user->opcode == Opcode::kGetTupleElement && *user->attributes.tuple_index == static_cast<int64_t>(k)) {
          location_.erase(user);
          finished_counters_[user] = {kind.start + kind.step * *info.trip_count, 0};
        }
      }
      continue;
    }
    size_t buffer = 0;
    if (kind.kind == CarryKind::kInvariant) {
      buffer = buffer_of(init);
    } else {
      const std::string name = after[k] != nullptr ? result_name(after[k]) : result_name(init);
      buffer = add_buffer(Buffer::Kind::kArena, init, name + "_carry");
      program_.plan.buffers[buffer].reason = "host-loop-carry";
      copy(buffer_of(init), buffer, "start of " + name, steps);
      carry_buffer[k] = buffer;
    }
    for (const Computation* computation : {&body, &condition}) {
      for (const Instruction* element : elements_of(*computation, k)) {
        location_[element] = buffer;
        names_[element] = after[k] != nullptr ? result_name(after[k]) : result_name(init);
      }
    }
    for (const Instruction* user : loop->users()) {
      if (tuple && user->opcode == Opcode::kGetTupleElement && *user->attributes.tuple_index == static_cast<int64_t>(k)) {
        location_[user] = buffer;
      }
    }
    if (!tuple) location_[loop] = buffer;
  }

  HostStep step;
  step.kind = info.trip_count ? HostStep::Kind::kLoop : HostStep::Kind::kWhile;
  step.trip = info.trip_count.value_or(0);
  step.counter = counters_.empty() ? "t" : "t_" + std::to_string(counters_.size());
  step.comment = loop->name;
  std::vector<TreeNode> condition_items, body_items;
  for (const TreeNode& item : node.body()) {
    const auto found_value = by_name_.find(some_value(item));
    const bool in_condition = found_value != by_name_.end() && found_value->second->parent() == &condition;
    (in_condition ? condition_items : body_items).push_back(item);
  }
  if (!info.trip_count) {
    program_.plan.synchronises = true;
    const LevelContext condition_level = level_context(condition, nullptr);
    if (!level(condition_level, condition_items, &step.condition)) return false;
    step.buffers.push_back(buffer_of(level_results(condition_level)[0]));
  }
  if (info.trip_count) counters_.push_back(step.counter);
  const bool lowered = level(body_level, body_items, &step.body);
  if (info.trip_count) counters_.pop_back();
  if (!lowered) return false;

  // Next values into the carries. What a kernel of the body wrote is swapped in; anything else is copied first.
  std::vector<std::pair<size_t, size_t>> swaps;
  std::set<size_t> swapped;
  std::vector<HostStep> copies;
  for (size_t k = 0; k < count; ++k) {
    if (carry_buffer[k] == SIZE_MAX) continue;
    const Instruction* next = nexts[k];
    size_t source = buffer_of(next);
    if (source == carry_buffer[k]) continue;
    const bool fresh = next->parent() == &body && !is_plumbing(*next) && swapped.insert(source).second;
    const bool kernel_result = fresh || (next->opcode == Opcode::kGetTupleElement && next->operand(0)->opcode != Opcode::kParameter &&
                                         swapped.insert(source).second && program_.plan.buffers[source].kind == Buffer::Kind::kArena);
    if (!kernel_result) {
      const size_t temporary = add_buffer(Buffer::Kind::kArena, next, result_name(next) + "_next");
      copy(source, temporary, "next of carry " + std::to_string(k), &copies);
      source = temporary;
    }
    swaps.emplace_back(carry_buffer[k], source);
  }
  step.body.insert(step.body.end(), copies.begin(), copies.end());
  for (const auto& [a, b] : swaps) {
    HostStep swap;
    swap.kind = HostStep::Kind::kSwap;
    swap.buffers = {a, b};
    step.body.push_back(std::move(swap));
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
      diagnostics_.error(item.loc, "E0403", "plan: only kernels and loops of host scope can stand here", "other items are not lowered");
      return false;
    }
  }
  return true;
}

// Results that no kernel wrote in place: parameters, constants, loop carries, and values given twice.
void Lowering::copy_results() {
  for (size_t i = 0; i < results_.size(); ++i) {
    const size_t output = program_.inputs.size() + i;
    const size_t source = buffer_of(results_[i]);
    if (source != output) copy(source, output, program_.outputs[i].name, &program_.plan.steps);
  }
}

}  // namespace

std::optional<Program> lower(const Module& module, const Tree& tree, const std::string& program_name, Diagnostics& diagnostics) {
  return Lowering(module, tree, diagnostics).run(program_name);
}

}  // namespace sinter
