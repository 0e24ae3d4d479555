#include "passes/schedule/groups/group_room.h"

#include <algorithm>
#include <optional>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/schedule/groups/group_values.h"

namespace sinter {

namespace {

// Nodes that an element of a value takes beside those of its operands, each of which is demanded once at most; nullopt
// of operations that may demand more.
std::optional<int64_t> own_nodes(const Instruction& value) {
  const int64_t rank = value.shape.is_array() ? value.shape.rank() : 0;
  switch (value.opcode) {
    case Opcode::kSlice:
    case Opcode::kReshape:
    case Opcode::kBroadcast:
    case Opcode::kTranspose:
    case Opcode::kReverse:
      return 0;
    case Opcode::kIota:
      return 1;
    case Opcode::kConcatenate:
      return static_cast<int64_t>(value.operands().size());
    case Opcode::kPad:
    case Opcode::kDynamicUpdateSlice:  // tests, and clamped starts
      return 2 * rank;
    case Opcode::kBitcastConvert:
      return std::nullopt;  // may take several elements
    default:
      return family_of(value) == Family::kElementwise ? std::optional<int64_t>(1) : std::nullopt;
  }
}

}  // namespace

GroupRoom::GroupRoom(const DemandGraph& graph, size_t values)
    : is_known_(graph.loops.empty()),
      values_(values),
      values_built_(values),
      nodes_(static_cast<int64_t>(graph.nodes.size())) {
  for (const DemandNode& node : graph.nodes) {
    if (node.kind == DemandNode::Kind::kLoad) ++loads_[node.instruction];
    is_known_ &= node.kind != DemandNode::Kind::kCall;  // it counts as what it computes
  }
}

int64_t GroupRoom::nodes_with(const Instruction& value) const {
  const auto loads = loads_.find(&value);
  const std::optional<int64_t> own = own_nodes(value);
  if (!is_known_ || !own || loads == loads_.end()) return INT64_MAX;
  return nodes_ + loads->second * (*own + static_cast<int64_t>(value.operands().size()));
}

void GroupRoom::add(const Instruction& value) {
  constexpr int64_t kMost = int64_t{1} << 40;
  ++values_;
  const int64_t nodes = nodes_with(value);
  is_known_ &= nodes < kMost;
  if (!is_known_) return;
  nodes_ = nodes;
  const int64_t loads = loads_.at(&value);
  for (const Instruction* operand : array_operands(value)) loads_[operand] += loads;
}

std::optional<GroupRoom> GroupRoom::of_other(
    llvm::function_ref<const Instruction*(const Instruction*)> of_other) const {
  GroupRoom room = *this;
  room.loads_.clear();
  for (const auto& [array, loads] : loads_) {
    const Instruction* other = of_other(array);
    if (other == nullptr) return std::nullopt;
    room.loads_[other] = loads;
  }
  return room;
}

}  // namespace sinter
