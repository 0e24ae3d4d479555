// A while whose state holds tuples within its tuple.
#include "passes/graph/flatten_while.h"

#include <algorithm>

#include "passes/graph/tuple_leaves.h"

namespace sinter {
namespace {

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
  for (size_t i = 0; i < flat.elements.size(); ++i) {
    Instruction* leaf = computation.insert_before(stand_in, Opcode::kGetTupleElement, flat.elements[i], {&value});
    leaf->attributes.tuple_index = static_cast<int64_t>(i);
    leaf->metadata = value.metadata;
    leaf->loc = value.loc;
    leaves.push_back(leaf);
  }
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
