// The graph IR: instructions and their use lists, computations, modules.
#include "ir/module/module.h"

#include <algorithm>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "ir/support/diagnostics.h"

namespace sinter {
namespace {

// Calls `visit` with every Computation*& held by an attribute, in the order of attributes.def.
template <class AttributesT, class Visit>
void for_each_called(AttributesT& attributes, Visit visit) {
  const auto visit_member = [&](auto& member) {
    using Value = typename std::remove_cvref_t<decltype(member)>::value_type;
    if constexpr (std::is_same_v<Value, attribute_kind::Computation>) {
      if (member) visit(*member);
    } else if constexpr (std::is_same_v<Value, attribute_kind::ComputationList>) {
      if (member) {
        for (auto& computation : *member) visit(computation);
      }
    }
  };
#define ATTRIBUTE(hlo_name, member, kind) visit_member(attributes.member);
#include "ir/module/attributes.def"
#undef ATTRIBUTE
}

// Reorders `nodes` so that everything `predecessors(node)` lists comes before the node; otherwise the order stays.
// Depth-first with an explicit stack: graphs may be millions deep.
template <class Node, class Predecessors>
std::vector<Node*> dependency_order(const std::vector<Node*>& nodes, std::string_view where,
                                    Predecessors predecessors) {
  enum class State { kNew, kOpen, kDone };
  struct Open {
    Node* node;
    std::vector<Node*> predecessors;
    size_t next = 0;
  };
  std::unordered_map<Node*, State> states;
  states.reserve(nodes.size());
  for (Node* node : nodes) states[node] = State::kNew;

  std::vector<Node*> order;
  order.reserve(nodes.size());
  std::vector<Open> stack;
  for (Node* start : nodes) {
    if (states[start] != State::kNew) continue;
    states[start] = State::kOpen;
    stack.push_back({start, predecessors(start)});
    while (!stack.empty()) {
      Open& open = stack.back();
      if (open.next == open.predecessors.size()) {
        states[open.node] = State::kDone;
        order.push_back(open.node);
        stack.pop_back();
        continue;
      }
      Node* predecessor = open.predecessors[open.next++];
      const auto state = states.find(predecessor);
      check(state != states.end(), where, "a dependency of " + open.node->name + " is elsewhere");
      check(state->second != State::kOpen, where, "a cycle through " + predecessor->name);
      if (state->second == State::kDone) continue;
      state->second = State::kOpen;
      stack.push_back({predecessor, predecessors(predecessor)});
    }
  }
  return order;
}

// "add.5" is stem "add" and number 5; a name without a number at its end is all stem.
struct NumberedName {
  std::string stem;
  int64_t number = 0;
};

NumberedName split_number(const std::string& name) {
  constexpr size_t kMostDigits = 9;
  const size_t dot = name.find_last_of('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == name.size()) return {name};
  const std::string digits = name.substr(dot + 1);
  const bool all_digits = digits.find_first_not_of("0123456789") == std::string::npos;
  if (!all_digits || digits.size() > kMostDigits) return {name};
  return {name.substr(0, dot), std::stoll(digits)};
}

// The next name with base's stem and a number above those given out for the stem. `next_suffix` makes a long run
// of equal bases cheap.
std::string make_unique(const std::string& base, std::unordered_set<std::string>& taken,
                        std::unordered_map<std::string, int64_t>& next_suffix) {
  if (taken.insert(base).second) return base;
  const NumberedName split = split_number(base);
  int64_t& next = next_suffix[split.stem];
  next = std::max(next, split.number + 1);
  while (true) {
    std::string name = split.stem + "." + std::to_string(next++);
    if (taken.insert(name).second) return name;
  }
}

}  // namespace

// Use lists. users_[k] and user_slot_[k] say who reads this value and in which operand slot; use_index_[slot] is
// the way back, so that dropping one use takes constant time.

void Instruction::add_use(size_t slot) {
  Instruction* value = operands_[slot];
  use_index_[slot] = value->users_.size();
  value->users_.push_back(this);
  value->user_slot_.push_back(slot);
}

void Instruction::drop_use(size_t slot) {
  Instruction* value = operands_[slot];
  const size_t hole = use_index_[slot];
  Instruction* moved = value->users_.back();
  const size_t moved_slot = value->user_slot_.back();
  value->users_[hole] = moved;
  value->user_slot_[hole] = moved_slot;
  moved->use_index_[moved_slot] = hole;
  value->users_.pop_back();
  value->user_slot_.pop_back();
}

size_t Instruction::position() const {
  if (!parent_->numbered_) parent_->number();
  return position_;
}

std::vector<const Instruction*> in_text_order(std::vector<const Instruction*> instructions) {
  std::sort(instructions.begin(), instructions.end(),
            [](const Instruction* a, const Instruction* b) { return a->position() < b->position(); });
  return instructions;
}

InstructionsByName instructions_by_name(const Module& module) {
  size_t instructions = 0;
  for (const auto& computation : module.computations()) instructions += computation->instructions().size();
  InstructionsByName result;
  result.reserve(instructions);
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) result[instruction.name] = &instruction;
  }
  return result;
}

void Instruction::set_operand(size_t index, Instruction* value) {
  check(value->parent_ == parent_, "module", "operand " + value->name + " of " + name + " is in another computation");
  drop_use(index);
  operands_[index] = value;
  add_use(index);
}

void Instruction::set_operands(const std::vector<Instruction*>& values) {
  for (size_t slot = operands_.size(); slot-- > 0;) drop_use(slot);
  operands_ = values;
  use_index_.assign(values.size(), 0);
  for (size_t slot = 0; slot < values.size(); ++slot) {
    check(values[slot]->parent_ == parent_, "module",
          "operand " + values[slot]->name + " of " + name + " is in another computation");
    add_use(slot);
  }
}

void Instruction::replace_all_uses_with(Instruction* value) {
  if (value == this) return;
  const std::vector<Instruction*> users = users_;
  const std::vector<size_t> slots = user_slot_;
  for (size_t k = 0; k < users.size(); ++k) users[k]->set_operand(slots[k], value);
  if (parent_->root() == this) parent_->set_root(value);
}

std::vector<Computation*> Instruction::called_computations() const {
  std::vector<Computation*> called;
  if (!attributes.has_value()) return called;
  for_each_called(*attributes, [&](Computation* computation) { called.push_back(computation); });
  return called;
}

std::vector<Computation*> Instruction::branches() const {
  if (attributes->branch_computations) return *attributes->branch_computations;
  std::vector<Computation*> result;
  if (attributes->true_computation) result.push_back(*attributes->true_computation);
  if (attributes->false_computation) result.push_back(*attributes->false_computation);
  return result;
}

void Instruction::replace_called(Computation* from, Computation* to) {
  if (called_computations().empty()) return;
  for_each_called(attributes.edit(), [&](Computation*& computation) {
    if (computation == from) computation = to;
  });
}

Instruction* Computation::add(Opcode opcode, Shape shape, const std::vector<Instruction*>& operands, std::string name) {
  return insert_before(nullptr, opcode, std::move(shape), operands, std::move(name));
}

Instruction* Computation::insert_before(Instruction* position, Opcode opcode, Shape shape,
                                        const std::vector<Instruction*>& operands, std::string name) {
  check(position == nullptr || position->parent_ == this, "module", "insertion before another computation's " + name);
  const auto place = position == nullptr ? instructions_.end() : position->self_;
  const auto self = instructions_.emplace(place);
  numbered_ = false;
  Instruction* instruction = &*self;
  instruction->self_ = self;
  instruction->parent_ = this;
  instruction->name = parent_->unique_instruction_name(name.empty() ? std::string(opcode_name(opcode)) : name);
  instruction->opcode = opcode;
  instruction->shape = std::move(shape);
  instruction->set_operands(operands);
  return instruction;
}

Instruction* Computation::add_copy(const Instruction& original, const std::vector<Instruction*>& operands,
                                   Instruction* position, std::string name) {
  Instruction* copy =
      insert_before(position, original.opcode, original.shape, operands, name.empty() ? original.name : name);
  copy->attributes = original.attributes;
  copy->parameter_number = original.parameter_number;
  copy->literal = original.literal;
  copy->metadata = original.metadata;
  copy->annotations = original.annotations;
  copy->loc = original.loc;
  // Control predecessors are instructions of one computation; a copy into another keeps none.
  if (original.parent_ == this) copy->control_predecessors = original.control_predecessors;
  return copy;
}

Instruction* Computation::add_constant(Literal literal, Instruction* position, std::string name) {
  Instruction* constant = insert_before(position, Opcode::kConstant, literal.shape(), {}, std::move(name));
  constant->literal = std::move(literal);
  return constant;
}

void Computation::remove(Instruction* instruction) {
  check(instruction->parent_ == this, "module", instruction->name + " is removed from a computation it is not in");
  check(instruction->users_.empty(), "module", instruction->name + " is removed but used");
  check(root_ != instruction, "module", instruction->name + " is removed but is the root");
  instruction->set_operands({});
  instructions_.erase(instruction->self_);
}

void Computation::move_before(Instruction* instruction, Instruction* position) {
  check(instruction->parent_ == this && position->parent_ == this, "module",
        instruction->name + " is moved between computations");
  if (instruction != position) instructions_.splice(position->self_, instructions_, instruction->self_);
  numbered_ = false;
}

void Computation::number() const {
  size_t position = 0;
  for (const Instruction& instruction : instructions_) instruction.position_ = position++;
  numbered_ = true;
}

void Computation::sort() {
  std::vector<Instruction*> nodes;
  nodes.reserve(instructions_.size());
  for (Instruction& instruction : instructions_) nodes.push_back(&instruction);
  const auto predecessors = [](const Instruction* instruction) {
    std::vector<Instruction*> result = instruction->operands();
    result.insert(result.end(), instruction->control_predecessors.begin(), instruction->control_predecessors.end());
    return result;
  };
  for (Instruction* instruction : dependency_order(nodes, "Computation::sort", predecessors)) {
    instructions_.splice(instructions_.end(), instructions_, instruction->self_);
  }
  numbered_ = false;
}

std::vector<Instruction*> Computation::parameters() const {
  // Parameters of one number, which verify() refuses, stay in program order.
  std::multimap<int64_t, Instruction*> by_number;
  for (const Instruction& instruction : instructions_) {
    if (instruction.opcode == Opcode::kParameter) by_number.emplace(instruction.parameter_number, &*instruction.self_);
  }
  std::vector<Instruction*> result;
  for (const auto& [number, parameter] : by_number) result.push_back(parameter);
  return result;
}

Module::Module(Module&& other) noexcept { *this = std::move(other); }

Module& Module::operator=(Module&& other) noexcept {
  name = std::move(other.name);
  entry_parameter_layouts = std::move(other.entry_parameter_layouts);
  entry_result_layout = std::move(other.entry_result_layout);
  result_names = std::move(other.result_names);
  input_output_alias = std::move(other.input_output_alias);
  buffer_donor = std::move(other.buffer_donor);
  is_scheduled = other.is_scheduled;
  replica_count = other.replica_count;
  num_partitions = other.num_partitions;
  other_header_fields = std::move(other.other_header_fields);
  tables = std::move(other.tables);
  computations_ = std::move(other.computations_);
  entry_ = std::exchange(other.entry_, nullptr);
  instruction_names_ = std::move(other.instruction_names_);
  computation_names_ = std::move(other.computation_names_);
  next_suffix_ = std::move(other.next_suffix_);
  for (const std::unique_ptr<Computation>& computation : computations_) computation->parent_ = this;
  return *this;
}

Computation* Module::add_computation(std::string name) {
  computations_.push_back(std::make_unique<Computation>());
  Computation* computation = computations_.back().get();
  computation->parent_ = this;
  computation->name = unique_computation_name(name.empty() ? "computation" : name);
  return computation;
}

void Module::remove_computation(Computation* computation) {
  check(computation != entry_, "module", "the entry " + computation->name + " is removed");
  const auto found = std::find_if(computations_.begin(), computations_.end(),
                                  [&](const auto& candidate) { return candidate.get() == computation; });
  check(found != computations_.end(), "module", "a computation of another module is removed");
  computations_.erase(found);
}

void Module::sort_computations() {
  std::vector<Computation*> nodes;
  std::unordered_map<Computation*, size_t> position;
  for (const std::unique_ptr<Computation>& computation : computations_) {
    position[computation.get()] = nodes.size();
    nodes.push_back(computation.get());
  }
  const auto callees = [](const Computation* computation) {
    std::vector<Computation*> result;
    for (const Instruction& instruction : computation->instructions()) {
      const std::vector<Computation*> called = instruction.called_computations();
      result.insert(result.end(), called.begin(), called.end());
    }
    return result;
  };
  std::vector<std::unique_ptr<Computation>> sorted;
  for (Computation* computation : dependency_order(nodes, "Module::sort_computations", callees)) {
    sorted.push_back(std::move(computations_[position[computation]]));
  }
  computations_ = std::move(sorted);
}

std::string Module::unique_instruction_name(const std::string& base) {
  return make_unique(base, instruction_names_, next_suffix_);
}

std::string Module::unique_computation_name(const std::string& base) {
  return make_unique(base, computation_names_, next_suffix_);
}

std::vector<PythonFrame> Module::python_frames(const Instruction& instruction) const {
  const auto has_row = [](const auto& table, int64_t row) {
    return row >= 1 && row <= static_cast<int64_t>(table.size());
  };
  std::vector<PythonFrame> result;
  int64_t row = instruction.metadata->stack_frame_id;
  // A table whose rows form a cycle ends after as many frames as it has rows.
  while (has_row(tables.frames, row) && result.size() < tables.frames.size()) {
    const SourceTables::Frame& frame = tables.frames[static_cast<size_t>(row - 1)];
    if (!has_row(tables.locations, frame.location)) break;
    const SourceTables::Location& location = tables.locations[static_cast<size_t>(frame.location - 1)];
    PythonFrame level;
    if (has_row(tables.files, location.file)) level.file = tables.files[static_cast<size_t>(location.file - 1)];
    if (has_row(tables.functions, location.function)) {
      level.function = tables.functions[static_cast<size_t>(location.function - 1)];
    }
    level.line = location.line;
    result.push_back(std::move(level));
    row = frame.parent - 1;
  }
  return result;
}

std::unique_ptr<Module> Module::clone() const {
  auto copy = std::make_unique<Module>();
  copy->name = name;
  copy->entry_parameter_layouts = entry_parameter_layouts;
  copy->entry_result_layout = entry_result_layout;
  copy->result_names = result_names;
  copy->input_output_alias = input_output_alias;
  copy->buffer_donor = buffer_donor;
  copy->is_scheduled = is_scheduled;
  copy->replica_count = replica_count;
  copy->num_partitions = num_partitions;
  copy->other_header_fields = other_header_fields;
  copy->tables = tables;

  // Names are copied as they are, so every lookup below is by the original's address.
  std::unordered_map<const Computation*, Computation*> computation_map;
  std::unordered_map<const Instruction*, Instruction*> instruction_map;
  for (const std::unique_ptr<Computation>& original : computations_) {
    Computation* computation = copy->add_computation(original->name);
    computation->name = original->name;
    computation->execution_thread = original->execution_thread;
    computation->signature_in_text = original->signature_in_text;
    computation->loc = original->loc;
    computation_map[original.get()] = computation;
    for (const Instruction& instruction : original->instructions_) {
      Instruction* duplicate = computation->add_copy(instruction, {});
      duplicate->name = instruction.name;
      instruction_map[&instruction] = duplicate;
    }
  }

  for (const std::unique_ptr<Computation>& original : computations_) {
    for (const Instruction& instruction : original->instructions_) {
      Instruction* duplicate = instruction_map.at(&instruction);
      std::vector<Instruction*> operands;
      for (const Instruction* operand : instruction.operands()) operands.push_back(instruction_map.at(operand));
      duplicate->set_operands(operands);
      for (const Instruction* predecessor : instruction.control_predecessors) {
        duplicate->control_predecessors.push_back(instruction_map.at(predecessor));
      }
      if (instruction.called_computations().empty()) continue;
      for_each_called(duplicate->attributes.edit(), [&](Computation*& called) { called = computation_map.at(called); });
    }
    if (original->root_ != nullptr) computation_map.at(original.get())->root_ = instruction_map.at(original->root_);
  }
  if (entry_ != nullptr) copy->entry_ = computation_map.at(entry_);
  copy->instruction_names_ = instruction_names_;
  copy->computation_names_ = computation_names_;
  copy->next_suffix_ = next_suffix_;
  return copy;
}

}  // namespace sinter
