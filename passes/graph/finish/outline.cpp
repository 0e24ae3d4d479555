#include "passes/graph/finish/outline.h"

#include <algorithm>

#include "passes/analysis/functions/attention.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {

namespace {

// A loop's counter may be in no memory that the fusion's kernel could read. What its steps hand on unchanged is none.
bool may_be_counter(const Instruction& value) {
  if (value.opcode != Opcode::kGetTupleElement || !value.shape.is_scalar() || !is_integer(value.shape.dtype))
    return false;
  const Instruction& next = *value.parent()->root();
  const auto index = static_cast<size_t>(*value.attributes->tuple_index);
  return next.opcode != Opcode::kTuple || index >= next.operands().size() || next.operand(index) != &value;
}

}  // namespace

void store_counters(const std::set<const Instruction*>& instructions, Computation* computation) {
  std::vector<Instruction*> counters;
  for (Instruction& instruction : computation->instructions()) {
    if (may_be_counter(instruction)) counters.push_back(&instruction);
  }
  for (Instruction* counter : counters) {
    std::vector<Instruction*> readers;
    for (Instruction* user : counter->users()) {
      if (instructions.count(user) > 0) readers.push_back(user);
    }
    if (readers.empty()) continue;
    GraphBuilder build(**std::ranges::min_element(readers, {}, &Instruction::position));
    Instruction* stored = build.add({counter, build.constant(Literal(counter->shape))});
    for (Instruction* reader : readers) {
      for (size_t i = 0; i < reader->operands().size(); ++i) {
        if (reader->operand(i) == counter) reader->set_operand(i, stored);
      }
    }
  }
}

std::optional<std::vector<Instruction*>> operands_of(Computation& computation,
                                                     const std::set<const Instruction*>& instructions) {
  std::set<const Instruction*> read;
  for (const Instruction* instruction : instructions) {
    for (const Instruction* operand : instruction->operands()) {
      if (instructions.count(operand) == 0) read.insert(operand);
    }
  }
  std::vector<Instruction*> operands;
  for (Instruction& instruction : computation.instructions()) {
    if (read.count(&instruction) == 0) continue;
    if (!instruction.shape.is_array() || may_be_counter(instruction)) return std::nullopt;
    operands.push_back(&instruction);
  }
  return operands;
}

std::set<const Computation*> computations_of_stages(Module& module) {
  std::set<const Computation*> computations;
  for (const Instruction* fusion : instructions_of(module, Opcode::kFusion)) {
    if (fusion->annotations->frontend_attributes.contains(kStageAttribute))
      computations.insert(*fusion->attributes->calls);
  }
  return computations;
}

Outlined outline(const std::vector<Instruction*>& results, const std::set<const Instruction*>& instructions,
                 const std::vector<Instruction*>& operands, const std::string& name, const std::string& stage) {
  Computation& computation = *results.back()->parent();
  Module& module = *computation.parent();
  Computation* callee = module.add_computation(module.unique_computation_name(name));
  GraphBuilder build(*callee);
  std::map<const Instruction*, Instruction*> copies;
  for (Instruction* operand : operands) copies[operand] = build.parameter(operand->shape, operand->name);
  for (const Instruction& instruction : computation.instructions()) {
    if (instructions.count(&instruction) == 0) continue;
    std::vector<Instruction*> arguments;
    for (const Instruction* operand : instruction.operands()) arguments.push_back(copies.at(operand));
    copies[&instruction] = callee->add_copy(instruction, arguments, nullptr, instruction.name);
  }
  std::vector<Instruction*> roots;
  std::vector<Shape> shapes;
  for (const Instruction* result : results) {
    roots.push_back(copies.at(result));
    shapes.push_back(roots.back()->shape);
  }
  const Shape shape = roots.size() == 1 ? shapes[0] : Shape::tuple(shapes);
  callee->set_root(roots.size() == 1 ? roots[0] : callee->add(Opcode::kTuple, shape, roots));
  Attributes attributes;
  attributes.fusion_kind = "kCustom";
  attributes.calls = callee;
  Instruction* fusion = insert_like(*results.back(), Opcode::kFusion, shape, operands, attributes, name);
  fusion->annotations.edit().frontend_attributes[kStageAttribute] = stage;
  return {std::move(copies), callee, fusion};
}

}  // namespace sinter
