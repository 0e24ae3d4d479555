// Steps of a reduction that a thread makes once for several neighbours (lane_steps.h): their operands with one access
// each, and a sum for each neighbour, an array of the thread's own.
#include <algorithm>
#include <cstddef>

#include "passes/demand/lane_steps.h"
#include "passes/lower/write/writer.h"
#include "passes/stages/domain/vectorize.h"

namespace sinter {

using StatementKind = Statement::Kind;
using NodeKind = DemandNode::Kind;

namespace {

// What `= {}` sets the sums to.
bool is_zero(const Expr& init) {
  if (init.kind != Expr::Kind::kLiteral) return false;
  return std::ranges::all_of(init.literal.bytes(), [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace

Statement Writer::over_neighbours() {
  const auto is_k = [](const Variable& variable) { return variable.name == "k"; };
  bool has_k = std::ranges::any_of(kernel_.variables(), is_k);  // a coordinate, or what counts the steps
  for (const DemandReduce& reduce : graph_.reduces) has_k |= lanes_of_steps(graph_, reduce) > 0;
  Statement loop = {.kind = StatementKind::kFor, .value = kernel_.name_expr("kWidth")};
  loop.variable = kernel_.variable(has_k ? "n" : "k", CType::value(DType::kS32));
  loop.begin = kernel_.integer(0);
  loop.unroll = Statement::kUnrollFully;
  return loop;
}

void Writer::declare_sums(Variable* sums, const Expr* init, Block* block) {
  const bool zero = is_zero(*init);
  block->push_back(
      {.kind = StatementKind::kDeclare, .variable = sums, .value = zero ? kernel_.braces({}, sums->type) : nullptr});
  if (zero) return;
  Statement loop = over_neighbours();
  const Expr* sum =
      kernel_.subscript(kernel_.reference(sums), kernel_.reference(loop.variable), CType::value(sums->type.dtype));
  loop.body.push_back(assign(sum, "=", init));
  block->push_back(std::move(loop));
}

void Writer::write_step_lanes(const DemandReduce& reduce, const std::function<void(Block&)>& step, Block* block) {
  const int lanes = lanes_of_steps(graph_, reduce), lane = lane_of_steps(graph_, lanes);
  const int64_t width = graph_.coordinates[lane].extent;
  kernel_.headers.insert("device/vector_access.cuh");
  for (const DemandNode& node : graph_.nodes) {
    if (node.kind != NodeKind::kLoad || node.scope != lanes) continue;
    const auto pointer = expressions_.buffers.find(node.instruction);
    if (pointer == expressions_.buffers.end()) continue;  // what nothing needs is no parameter
    Variable*& vector = expressions_.vectors[{pointer->second, node.expr}];
    if (vector != nullptr) continue;
    vector = vector_variable(pointer->second, "_values", width);
    const IndexExpr place = with_coordinate(node.expr, lane, IndexExpr(0));
    block->push_back(load_vector(vector, element_address(pointer->second, expressions_.index_or_name(place))));
  }
  Statement loop = over_neighbours();
  expressions_.lane = kernel_.reference(loop.variable);
  expressions_.coordinates[lane] = expressions_.lane;
  loop.body = scope(lanes);
  step(loop.body);
  expressions_.lane = nullptr;
  block->push_back(std::move(loop));
}

}  // namespace sinter
