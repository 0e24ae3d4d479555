// What the call of a per-element function demands: its arguments at the same index.
#include "passes/analysis/functions/emittable.h"
#include "passes/demand/demand.h"

namespace sinter {

using Kind = DemandNode::Kind;

// The call itself is a node of its own for each index, which its results share.
NodeId DemandGraph::build_call(const Key& key) {
  constexpr int kWholeCall = -1;
  const Instruction* call = key.instruction;
  if (!can_emit_function(**call->attributes->to_apply)) return fail(call, "unsupported-op");
  const bool several = call->shape.is_tuple();
  const std::vector<int64_t>& first_dims = (several ? call->shape.elements[0] : call->shape).dims;
  if (several && key.result != kWholeCall) {
    // Results may differ in their dimensions, but not in the order of their elements.
    const std::vector<int64_t>& dims = call->shape.elements[key.result].dims;
    const IndexTuple index = dims == first_dims ? key.index : keep(delinearize(linearize(key.index, dims), first_dims));
    const NodeId whole = want(key.frame, key.guard, call, index, kWholeCall);
    if (whole == kNoNode) return kNoNode;
    DemandNode node;
    node.kind = Kind::kCallResult;
    node.instruction = call;
    node.dtype = call->shape.elements[key.result].dtype;
    node.operands = {whole};
    node.result = key.result;
    node.guard = nodes[whole].guard;
    return add(std::move(node));
  }
  std::vector<NodeId> operands;
  for (size_t i = 0; i < call->operands().size(); ++i) {
    const std::vector<int64_t>& dims = call->operand(i)->shape.dims;
    if (call->operand(i)->shape.element_count() == 1) {
      operands.push_back(operand(key, i, std::vector<IndexExpr>(dims.size())));
    } else if (dims == first_dims) {
      operands.push_back(operand(key, i, key.index));
    } else {
      operands.push_back(operand(key, i, delinearize(linearize(key.index, first_dims), dims)));
    }
  }
  if (!missing_.empty()) return kNoNode;
  DemandNode node;
  node.kind = Kind::kCall;
  node.instruction = call;
  node.dtype = (several ? call->shape.elements[0] : call->shape).dtype;
  node.operands = std::move(operands);
  node.guard = key.guard;
  return add(std::move(node));
}

}  // namespace sinter
