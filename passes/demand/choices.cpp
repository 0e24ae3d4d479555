#include "passes/demand/choices.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "ir/ops/op_table.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/analysis/shapes/cumulative_window.h"
#include "passes/analysis/values/thresholds.h"

namespace sinter {
namespace {

// Whether such an operation is among those, of `computed`, that the value is made of; nullopt where none of the nearest
// is and there are more. A template, so that the operations are a switch of the caller's.
template <class IsSuch>
std::optional<bool> made_of(const Instruction& value, const std::set<const Instruction*>& computed, IsSuch is_such) {
  constexpr size_t kNearest = 64;
  std::vector<const Instruction*> queue = {&value};
  for (size_t next = 0; next < queue.size() && next < kNearest; ++next) {
    if (computed.count(queue[next]) == 0) continue;
    if (is_such(queue[next]->opcode)) return true;
    queue.insert(queue.end(), queue[next]->operands().begin(), queue[next]->operands().end());
  }
  return queue.size() < kNearest ? std::optional(false) : std::nullopt;
}

}  // namespace

bool is_written_out(int64_t elements, bool terms_differ) {
  constexpr int64_t kWrittenOut = 4;  // terms: no more text than the loop
  return elements > 0 && elements <= (terms_differ ? kShortReduction : kWrittenOut);
}

bool is_row_written_out(int64_t elements) {
  constexpr int64_t kLongestRow = 64;  // registers: a quarter of a thread's
  return elements > 0 && elements <= kLongestRow;
}

bool is_window_written_out(int64_t taps, const Instruction& read, const std::set<const Instruction*>& computed) {
  constexpr int64_t kMostTaps = 16;
  // To write out taps of sums would write out their loops.
  const auto is_sum = [](Opcode opcode) {
    return opcode == Opcode::kReduce || opcode == Opcode::kReduceWindow || opcode == Opcode::kDot ||
           opcode == Opcode::kConvolution || opcode == Opcode::kSelectAndScatter;
  };
  return taps <= kMostTaps && !made_of(read, computed, is_sum).value_or(false);
}

bool is_made_of_parts(const Instruction& value, const std::set<const Instruction*>& computed) {
  const auto is_such = [](Opcode opcode) {
    return opcode == Opcode::kConcatenate || opcode == Opcode::kPad || opcode == Opcode::kDynamicUpdateSlice ||
           opcode == Opcode::kWhile;
  };
  return made_of(value, computed, is_such).value_or(true);
}

bool is_read_at_computed_index(size_t pieces) { return pieces <= 8; }  // each is a step of the index's arithmetic

bool is_asked_in_turn(size_t pieces) { return pieces <= 16; }  // the depth of the text

bool is_dear_for_another_thread(const Instruction& value, const Instruction& loop, int64_t threads, bool reads_row) {
  constexpr size_t kNearest = 128;
  const int64_t dear = reads_row ? kDearInLayer : kDearInBlock;
  int64_t cost = 0;
  std::vector<const Instruction*> queue = {&value};
  for (size_t next = 0; next < queue.size() && next < kNearest; ++next) {
    const Instruction& made = *queue[next];
    const Shape& shape = made.shape.is_tuple() && !made.shape.elements.empty() ? made.shape.elements[0] : made.shape;
    if (!shape.is_array() || shape.element_count() < threads) continue;
    if (made.opcode == Opcode::kDot || made.opcode == Opcode::kReduce) {
      if (made.operand(0)->shape.element_count() > kShortReduction) return true;
      continue;
    }
    // Each thread has what its own element comes to.
    if (made.opcode == Opcode::kReduceWindow && cumulative_window(made)) return true;
    cost += operation_cost(made);
    if (cost >= dear) return true;
    if (made.opcode == Opcode::kParameter) continue;
    // What no step changes is made of what stands before the loop.
    const std::optional<size_t> carry = carry_read(made);
    if (carry && made.parent() == *loop.attributes->body) {
      const Instruction* before = state_element(loop.operand(0), static_cast<int>(*carry));
      const Instruction* next = state_element(made.parent()->root(), static_cast<int>(*carry));
      if (before != nullptr && next != nullptr && carry_read(*next) == carry) queue.push_back(before);
      continue;
    }
    for (const Instruction* operand : made.operands()) {
      if (std::find(queue.begin(), queue.end(), operand) == queue.end()) queue.push_back(operand);
    }
  }
  return false;
}

bool is_dear_in_layer(const DemandGraph& graph, NodeId id) {
  const DemandNode& node = graph.nodes[id];
  if (node.kind == DemandNode::Kind::kReduce) return graph.reduces[node.reduce].scope >= 0;
  if (node.kind == DemandNode::Kind::kCall) return true;
  return node.kind == DemandNode::Kind::kCompute && op_def(node.instruction->opcode).cost >= kDearInLayer;
}

}  // namespace sinter
