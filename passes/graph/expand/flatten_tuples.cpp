// flatten_tuples: the entry takes arrays and gives an array or a tuple of arrays, and what gives a tuple says so: every
// root of tuple type is a `tuple` instruction. A copy of a tuple is the tuple.
//
//   %p = (f32[4], s32[2]) parameter(0)   =>   %a = f32[4] parameter(0), %b = s32[2] parameter(1), %p = tuple(%a, %b)
//   ROOT %w = (s32[], f32[4]) while(%t)  =>   ROOT %r = (s32[], f32[4]) tuple(%i, %x) of the loop's elements
//
// Results are those of the module before, left to right.
#include <algorithm>

#include "passes/analysis/values/tuple_leaves.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

bool is_nested(const Shape& shape) {
  return std::any_of(shape.elements.begin(), shape.elements.end(), [](const Shape& s) { return s.is_tuple(); });
}

// Which leaf of `shape` the array at `index` is.
int64_t leaf_number(const Shape& shape, const std::vector<int64_t>& index) {
  const Shape* at = &shape;
  int64_t number = 0;
  for (const int64_t element : index) {
    for (int64_t i = 0; i < element; ++i) {
      number += static_cast<int64_t>(leaf_shapes(at->elements[static_cast<size_t>(i)]).size());
    }
    at = &at->elements[static_cast<size_t>(element)];
  }
  return number;
}

bool drop_copies(Computation& computation) {
  std::vector<Instruction*> copies;
  for (Instruction& instruction : computation.instructions()) {
    if (instruction.opcode == Opcode::kCopy && instruction.shape.is_tuple()) copies.push_back(&instruction);
  }
  for (Instruction* copy : copies) copy->replace_all_uses_with(copy->operand(0));
  remove_instructions(computation, copies);
  return !copies.empty();
}

bool spell_root(Computation& computation) {
  Instruction* root = computation.root();
  if (!root->shape.is_tuple()) return false;
  const bool flat = computation.parent()->entry() != &computation || !is_nested(root->shape);
  if (root->opcode == Opcode::kTuple && flat) return false;
  std::vector<Instruction*> elements;
  if (flat) {
    for (size_t i = 0; i < root->shape.elements.size(); ++i) {
      Instruction* element = computation.add(Opcode::kGetTupleElement, root->shape.elements[i], {root});
      element->attributes.edit().tuple_index = static_cast<int64_t>(i);
      element->metadata = root->metadata;
      element->loc = root->loc;
      elements.push_back(element);
    }
  } else {
    elements = leaves_of(computation, nullptr, root);
  }
  Shape shape = Shape::tuple({});
  for (const Instruction* element : elements) shape.elements.push_back(element->shape);
  Instruction* tuple = computation.add(Opcode::kTuple, shape, elements);
  tuple->loc = root->loc;
  computation.set_root(tuple);
  return true;
}

// Results of the entry before and after spell_root: aliases name them by number.
void renumber_results(Module& module, const Shape& before) {
  for (std::vector<Alias>* aliases : {&module.input_output_alias, &module.buffer_donor}) {
    for (Alias& alias : *aliases) {
      if (!alias.output_index.empty()) alias.output_index = {leaf_number(before, alias.output_index)};
    }
  }
  if (module.entry_result_layout) module.entry_result_layout = Shape::tuple(leaf_shapes(*module.entry_result_layout));
}

bool flatten_parameters(Module& module) {
  Computation& entry = *module.entry();
  const std::vector<Instruction*> parameters = entry.parameters();
  const auto is_tuple = [](const Instruction* parameter) { return parameter->shape.is_tuple(); };
  if (std::none_of(parameters.begin(), parameters.end(), is_tuple)) return false;

  std::vector<int64_t> first;  // the number of each parameter's first leaf
  int64_t count = 0;
  for (const Instruction* parameter : parameters) {
    first.push_back(count);
    count += static_cast<int64_t>(leaf_shapes(parameter->shape).size());
  }
  for (std::vector<Alias>* aliases : {&module.input_output_alias, &module.buffer_donor}) {
    for (Alias& alias : *aliases) {
      const Shape& shape = parameters[static_cast<size_t>(alias.parameter)]->shape;
      alias.parameter = first[static_cast<size_t>(alias.parameter)] + leaf_number(shape, alias.parameter_index);
      alias.parameter_index.clear();
    }
  }
  std::vector<Shape> layouts;
  for (const Shape& shape : module.entry_parameter_layouts) {
    for (Shape& leaf : leaf_shapes(shape)) layouts.push_back(std::move(leaf));
  }
  module.entry_parameter_layouts = std::move(layouts);

  for (size_t i = 0; i < parameters.size(); ++i) {
    Instruction* parameter = parameters[i];
    parameter->parameter_number = first[i];
    if (!parameter->shape.is_tuple()) continue;
    std::vector<Instruction*> leaves;
    for (const Shape& shape : leaf_shapes(parameter->shape)) {
      Instruction* leaf = entry.insert_before(parameter, Opcode::kParameter, shape, {}, parameter->name);
      leaf->parameter_number = first[i] + static_cast<int64_t>(leaves.size());
      leaf->loc = parameter->loc;
      leaves.push_back(leaf);
    }
    parameter->replace_all_uses_with(build_nested(entry, parameter, parameter->shape, leaves));
    entry.remove(parameter);
  }
  return true;
}

}  // namespace

bool flatten_tuples(Module& module, const GraphPassOptions&) {
  bool changed = flatten_parameters(module);
  for (const auto& computation : module.computations()) {
    changed |= drop_copies(*computation);
    const Shape before = computation->root()->shape;
    if (!spell_root(*computation)) continue;
    if (module.entry() == computation.get()) renumber_results(module, before);
    changed = true;
  }
  return changed;
}

}  // namespace sinter
