// A while whose state is no flat tuple.
#include "passes/graph/expand/flatten_while.h"

#include <algorithm>

#include "passes/analysis/values/tuple_leaves.h"

namespace sinter {

bool flatten_while(Instruction& loop) {
  const auto is_tuple = [](const Shape& element) { return element.is_tuple(); };
  if (loop.shape.is_tuple() && std::ranges::none_of(loop.shape.elements, is_tuple)) return false;
  Computation& outside = *loop.parent();
  Computation& body = *loop.attributes->body.value();
  Computation& condition = *loop.attributes->condition.value();

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
