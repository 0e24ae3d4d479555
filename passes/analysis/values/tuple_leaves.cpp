// Depth first, with a stack: nesting has no limit.
#include "passes/analysis/values/tuple_leaves.h"

#include <algorithm>

namespace sinter {
namespace {

Instruction* read_element(Computation& computation, Instruction* position, Instruction* tuple, size_t i) {
  Instruction* read = computation.insert_before(position, Opcode::kGetTupleElement, tuple->shape.elements[i], {tuple});
  read->attributes.edit().tuple_index = static_cast<int64_t>(i);
  read->metadata = tuple->metadata;
  read->loc = tuple->loc;
  return read;
}

Instruction* following(Instruction& instruction) {
  std::list<Instruction>& list = instruction.parent()->instructions();
  const auto self =
      std::find_if(list.begin(), list.end(), [&](const Instruction& other) { return &other == &instruction; });
  const auto next = std::next(self);
  return next == list.end() ? nullptr : &*next;
}

}  // namespace

std::vector<Instruction*> leaves_of(Computation& computation, Instruction* position, Instruction* value) {
  std::vector<Instruction*> leaves;
  std::vector<Instruction*> open{value};
  while (!open.empty()) {
    Instruction* next = open.back();
    open.pop_back();
    if (!next->shape.is_tuple()) {
      leaves.push_back(next);
      continue;
    }
    std::vector<Instruction*> elements;
    for (size_t i = 0; i < next->shape.elements.size(); ++i) {
      elements.push_back(next->opcode == Opcode::kTuple ? next->operand(i)
                                                        : read_element(computation, position, next, i));
    }
    open.insert(open.end(), elements.rbegin(), elements.rend());
  }
  return leaves;
}

std::vector<Shape> leaf_shapes(const Shape& shape) {
  std::vector<Shape> leaves;
  std::vector<const Shape*> open{&shape};
  while (!open.empty()) {
    const Shape* next = open.back();
    open.pop_back();
    if (!next->is_tuple()) {
      leaves.push_back(*next);
      continue;
    }
    for (size_t i = next->elements.size(); i-- > 0;) open.push_back(&next->elements[i]);
  }
  return leaves;
}

Instruction* build_nested(Computation& computation, Instruction* position, const Shape& shape,
                          const std::vector<Instruction*>& leaves) {
  struct Open {
    const Shape* shape;
    std::vector<Instruction*> elements;
  };
  std::vector<Open> stack{{&shape, {}}};
  size_t next_leaf = 0;
  while (true) {
    Open& open = stack.back();
    if (open.elements.size() < open.shape->elements.size()) {
      const Shape& element = open.shape->elements[open.elements.size()];
      if (element.is_tuple()) {
        stack.push_back({&element, {}});
      } else {
        open.elements.push_back(leaves[next_leaf++]);
      }
      continue;
    }
    Instruction* tuple = computation.insert_before(position, Opcode::kTuple, *open.shape, open.elements);
    stack.pop_back();
    if (stack.empty()) return tuple;
    stack.back().elements.push_back(tuple);
  }
}

std::vector<Instruction*> flatten_value(Instruction& value, const Shape& flat) {
  Computation& computation = *value.parent();
  Instruction* position = following(value);
  const Shape shape = value.shape;
  // Reads of the old shape are moved to a stand-in before the shape changes.
  Instruction* stand_in = computation.insert_before(position, Opcode::kTuple, shape, {});
  value.replace_all_uses_with(stand_in);
  value.shape = flat;
  value.annotations.edit().sharding.clear();
  std::vector<Instruction*> elements;
  for (size_t i = 0; i < flat.elements.size(); ++i) elements.push_back(read_element(computation, stand_in, &value, i));
  stand_in->replace_all_uses_with(shape.is_tuple() ? build_nested(computation, stand_in, shape, elements)
                                                   : elements[0]);
  computation.remove(stand_in);
  return elements;
}

}  // namespace sinter
