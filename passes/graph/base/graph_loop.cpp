#include "passes/graph/base/graph_loop.h"

namespace sinter {

using Value = GraphBuilder::Value;

std::vector<Value> build_loop(
    GraphBuilder& at, Module& module, const std::vector<Value>& initial, int64_t trip,
    const std::function<std::vector<Value>(GraphBuilder&, Value, const std::vector<Value>&)>& body) {
  std::vector<Value> state = {at.integer(DType::kS32, 0)};
  state.insert(state.end(), initial.begin(), initial.end());
  const Value start = at.tuple(state);

  Computation* condition = module.add_computation("condition");
  GraphBuilder test(*condition);
  const Value tested = test.tuple_element(test.parameter(start->shape, "state"), 0);
  condition->set_root(test.compare({tested, test.integer(DType::kS32, trip)}, "LT"));

  Computation* step = module.add_computation("step");
  GraphBuilder inside(*step);
  const Value parameter = inside.parameter(start->shape, "state");
  const Value counter = inside.tuple_element(parameter, 0);
  std::vector<Value> before;
  for (size_t i = 1; i < state.size(); ++i) before.push_back(inside.tuple_element(parameter, static_cast<int64_t>(i)));
  std::vector<Value> after = body(inside, counter, before);
  after.insert(after.begin(), inside.add({counter, inside.integer(DType::kS32, 1)}));
  step->set_root(inside.tuple(after));

  Attributes attributes;
  attributes.condition = condition;
  attributes.body = step;
  const Value loop = at.make(Opcode::kWhile, {start}, std::move(attributes));
  std::vector<Value> results;
  for (size_t i = 1; i < state.size(); ++i) results.push_back(at.tuple_element(loop, static_cast<int64_t>(i)));
  return results;
}

}  // namespace sinter
