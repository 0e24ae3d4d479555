#include "passes/lower/write/block_shares.h"

#include "passes/demand/views/row_stride.h"

namespace sinter {

ShareStrides share_strides(const DemandGraph& graph, int row, int64_t rows) {
  ShareStrides result;
  const IndexExpr own = graph.coordinate(row);
  const auto add = [&](const Instruction* value, const IndexExpr& place, ShareStrides::Strides* strides) {
    const int64_t stride = row_stride(place, row, own, rows);
    const auto [known, fresh] = strides->try_emplace(value, stride);
    if (known->second != stride) known->second = 0;
  };
  for (const DemandNode& node : graph.nodes) {
    if (node.kind == DemandNode::Kind::kLoad) add(node.instruction, node.expr, &result.read);
  }
  for (const DemandStore& store : graph.stores) add(store.value, store.offset, &result.written);
  for (const DemandLoop& loop : graph.loops) {
    for (const DemandLoop::Stack& stack : loop.stacks) result.written[stack.output] = 0;
  }
  return result;
}

void add_block_shares(const ShareStrides& known, int64_t rows, int64_t each, LoweredKernel* lowered) {
  if (rows <= each) return;
  for (size_t i = 0; i < lowered->arguments.size(); ++i) {
    const StageArgument& argument = lowered->arguments[i];
    if (argument.kind != StageArgument::Kind::kValue) continue;
    Parameter& parameter = lowered->kernel.parameters[i];
    const ShareStrides::Strides& strides = parameter.output ? known.written : known.read;
    const auto stride = strides.find(argument.value);
    if (stride == strides.end() || stride->second == 0) continue;
    parameter.share = {.stride = stride->second, .extent = rows, .each = each};
  }
}

}  // namespace sinter
