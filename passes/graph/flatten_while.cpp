// A while whose state holds tuples within its tuple.
#include "passes/graph/flatten_while.h"

#include <algorithm>

#include "passes/graph/rewrite.h"

namespace sinter {
namespace {

Instruction* read_element(Computation& computation, Instruction* position, Instruction* tuple, size_t i) {
  Instruction* read = computation.insert_before(position, Opcode::kGetTupleElement, tuple->shape.elements[i], {tuple});
  read->attributes.tuple_index = static_cast<int64_t>(i);
  read->metadata = tuple->metadata;
  read->loc = tuple->loc;
  return read;
}

// The leaves of a value, left to right, read before `position` (nullptr: at the end).
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

// A value of this shape, built before `position` from its leaves, left to right.
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

Instruction* following(Instruction& instruction) {
  std::list<Instruction>& list = instruction.parent()->instructions();
  const auto self =
      std::find_if(list.begin(), list.end(), [&](const Instruction& other) { return &other == &instruction; });
  const auto next = std::next(self);
  return next == list.end() ? nullptr : &*next;
}

// Gives `value` the flat shape; who read it as nested reads a nested tuple built right after it.
void flatten_value(Instruction& value, const Shape& flat) {
  Computation& computation = *value.parent();
  Instruction* position = following(value);
  const Shape nested_shape = value.shape;
  // Reads of the old shape are moved to a stand-in before the shape changes.
  Instruction* stand_in = computation.insert_before(position, Opcode::kTuple, nested_shape, {});
  value.replace_all_uses_with(stand_in);
  value.shape = flat;
  value.sharding.clear();
  std::vector<Instruction*> leaves;
  for (size_t i = 0; i < flat.elements.size(); ++i) leaves.push_back(read_element(computation, stand_in, &value, i));
  stand_in->replace_all_uses_with(build_nested(computation, stand_in, nested_shape, leaves));
  computation.remove(stand_in);
}

}  // namespace

bool flatten_while(Instruction& loop) {
  const bool is_nested = loop.shape.is_tuple() && std::any_of(loop.shape.elements.begin(), loop.shape.elements.end(),
                                                              [](const Shape& element) { return element.is_tuple(); });
  if (!is_nested) return false;
  Computation& outside = *loop.parent();
  Computation& body = *loop.attributes.body.value();
  Computation& condition = *loop.attributes.condition.value();

  const std::vector<Instruction*> inits = leaves_of(outside, &loop, loop.operand(0));
  Shape flat = Shape::tuple({});
  for (const Instruction* leaf : inits) flat.elements.push_back(leaf->shape);
  loop.set_operands({outside.insert_before(&loop, Opcode::kTuple, flat, inits)});

  const std::vector<Instruction*> results = leaves_of(body, nullptr, body.root());
  body.set_root(body.add(Opcode::kTuple, flat, results));
  flatten_value(*body.parameters()[0], flat);
  flatten_value(*condition.parameters()[0], flat);
  flatten_value(loop, flat);
  return true;
}

}  // namespace sinter
