// A while whose state holds tuples within its tuple.
#include "passes/graph/expand/flatten_while.h"

#include <algorithm>

#include "passes/analysis/values/tuple_leaves.h"

namespace sinter {

bool flatten_while(Instruction& loop) {
  const bool is_nested = loop.shape.is_tuple() && std::any_of(loop.shape.elements.begin(), loop.shape.elements.end(),
                                                              [](const Shape& element) { return element.is_tuple(); });
  if (!is_nested) return false;
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
