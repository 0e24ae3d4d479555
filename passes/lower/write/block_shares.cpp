#include "passes/lower/write/block_shares.h"

#include <map>
#include <optional>

namespace sinter {

namespace {

// What is known of all places of an array so far: the distance of rows, 0 where they are anyone's.
using Strides = std::map<const Instruction*, int64_t>;

}  // namespace

void add_block_shares(const DemandGraph& graph, int row, int64_t rows, int64_t each, LoweredKernel* lowered) {
  if (rows <= each) return;
  const IndexExpr own = graph.coordinate(row);
  Strides read, written;
  const auto add = [&](const Instruction* value, const IndexExpr& place, Strides* strides) {
    int64_t stride = place.coefficient_of_coordinate(row);
    if (stride <= 0 || !(place.floor_div(stride).floor_mod(rows) == own)) stride = 0;
    const auto [known, fresh] = strides->try_emplace(value, stride);
    if (known->second != stride) known->second = 0;
  };
  for (const DemandNode& node : graph.nodes) {
    if (node.kind == DemandNode::Kind::kLoad) add(node.instruction, node.expr, &read);
  }
  for (const DemandStore& store : graph.stores) add(store.value, store.offset, &written);
  for (const DemandLoop& loop : graph.loops) {
    for (const DemandLoop::Stack& stack : loop.stacks) written[stack.output] = 0;
  }
  for (size_t i = 0; i < lowered->arguments.size(); ++i) {
    const StageArgument& argument = lowered->arguments[i];
    if (argument.kind != StageArgument::Kind::kValue) continue;
    Parameter& parameter = lowered->kernel.parameters[i];
    const Strides& strides = parameter.output ? written : read;
    const auto stride = strides.find(argument.value);
    if (stride == strides.end() || stride->second == 0) continue;
    parameter.share = {.stride = stride->second, .extent = rows, .each = each};
  }
}

}  // namespace sinter
