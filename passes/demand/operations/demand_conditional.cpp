// An element of a conditional: a choice among the elements of its arms, each behind a guard. All results of one
// conditional that are wanted at coordinates of the kernel share the guards, and so become one `if`.
//
//   float y, z;
//   if (p) {
//     ...
//     y = a; z = b;
//   } else {
//     y = c; z = d;
//   }
#include "passes/analysis/loops/while_carries.h"
#include "passes/demand/demand.h"

namespace sinter {

using Kind = DemandNode::Kind;

std::vector<const Computation*> conditional_arms(const Instruction& conditional) {
  const std::vector<Computation*> branches = conditional.branches();
  return {branches.begin(), branches.end()};
}

int64_t conditional_selector(const Instruction& conditional, size_t arm) {
  // A pred selector may come with a list of two: then true is the first.
  const bool pred = conditional.operand(0)->shape.dtype == DType::kPred;
  return pred ? 1 - static_cast<int64_t>(arm) : static_cast<int64_t>(arm);
}

// The value `element` of the tuple `source`, or `source` itself, where a frame's parameters are arguments.
NodeId DemandGraph::want_element(int frame, int guard, const Instruction* source, int element,
                                 const std::vector<IndexExpr>& index) {
  for (;;) {
    while (source->opcode == Opcode::kOptBarrier) source = source->operand(0);
    if (source->opcode != Opcode::kParameter || frames_[frame].argument == nullptr) break;
    source = frames_[frame].argument;
    frame = frames_[frame].parent;
  }
  if (source->opcode == Opcode::kTuple) return want(frame, guard, source->operand(element), index);
  if (source->shape.is_array()) return want(frame, guard, source, index);
  if (const Instruction* read = first_read_of(*source, element)) return want(frame, guard, read, index);
  return fail(source, "tuple-opaque");
}

int DemandGraph::arm_frame(int frame, const Instruction* conditional, size_t arm) {
  const auto [place, fresh] = frame_of_arm_.emplace(std::make_tuple(frame, conditional, arm), 0);
  if (!fresh) return place->second;
  Frame made;
  made.loop = -1;
  made.parent = frame;
  made.argument = conditional->operand(arm + 1);
  place->second = static_cast<int>(frames_.size());
  frames_.push_back(std::move(made));
  return place->second;
}

NodeId DemandGraph::build_conditional(const Key& key) {
  const Instruction* instruction = key.instruction;
  const std::vector<const Computation*> arms = conditional_arms(*instruction);
  const NodeId selector = want(key.frame, key.guard, instruction->operand(0), {});
  if (selector == kNoNode) return kNoNode;
  const auto arm_value = [&](size_t arm, int guard) {
    return want_element(arm_frame(key.frame, instruction, arm), guard, arms[arm]->root(), key.result, key.index);
  };
  if (arms.size() == 1) return arm_value(0, key.guard);
  if (nodes[selector].kind == Kind::kConstant) {
    const int64_t value = nodes[selector].literal.integer_at(0);
    size_t chosen = arms.size() - 1;
    for (size_t arm = 0; arm + 1 < arms.size(); ++arm) {
      if (conditional_selector(*instruction, arm) == value) chosen = arm;
    }
    return arm_value(chosen, key.guard);
  }

  // Elements at places that depend on what a loop or reduction counts, or on data, have guards of their own.
  Key group = key;
  group.result = 0;
  bool shared = true;
  for (const IndexExpr& expr : key.index) {
    expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      shared &= atom.kind == IndexExpr::AtomKind::kCoordinate && coordinates[atom.id].scope == 0;
    });
  }
  if (shared) group.index = no_index_;

  // selector == 0 ? arm 0 : selector == 1 ? arm 1 : ... : last arm
  const size_t last = arms.size() - 1;
  std::vector<NodeId> values;
  int guard = key.guard;
  std::vector<int> outer;
  for (size_t arm = 0; arm < last; ++arm) {
    const std::pair<int, int> scopes_of = guards(group, static_cast<int>(arm));
    outer.push_back(guard);
    values.push_back(arm_value(arm, scopes_of.first));
    guard = scopes_of.second;
  }
  values.push_back(arm_value(last, guard));
  if (!missing_.empty() || failure) return kNoNode;
  NodeId result = values.back();
  for (size_t arm = last; arm-- > 0;) {
    const std::pair<int, int> scopes_of = guards(group, static_cast<int>(arm));
    DemandNode node;
    node.kind = Kind::kChoose;
    node.instruction = instruction;
    node.dtype = nodes[values[arm]].dtype;
    node.operands = {values[arm], result};
    node.expr = index_of(selector);
    node.low = conditional_selector(*instruction, arm);
    node.high = node.low + 1;
    node.guard = outer[arm];
    node.arm_scope[0] = scopes_of.first;
    node.arm_scope[1] = scopes_of.second;
    result = add(std::move(node));
  }
  return result;
}

}  // namespace sinter
