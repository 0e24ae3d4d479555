#include "passes/schedule/moves/block_numbers.h"

#include <algorithm>
#include <set>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/analysis/values/thresholds.h"
#include "passes/demand/replace_nodes.h"
#include "passes/demand/views/common_nodes.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/schedule/groups/group_values.h"

namespace sinter {

namespace {

using Kind = DemandNode::Kind;
using Values = std::set<const Instruction*>;

// Elements of a launch from which on a barrier is hidden behind other blocks.
constexpr int64_t kManyElements = 65536;
constexpr int64_t kSmallestBlock = 64;  // threads
// Elements of arrays that a number may be taken from.
constexpr int64_t kMostNumbers = 64;

bool is_number(const Instruction& value) { return value.shape.is_array() && value.shape.element_count() == 1; }

// Whether one element of it is computed without loops, and without reading at an index that is computed.
bool is_plain(const Instruction& value) {
  if (value.opcode == Opcode::kCall) return true;
  if (value.opcode == Opcode::kDynamicSlice || value.opcode == Opcode::kGather) return false;
  const Family family = family_of(value);
  return (family == Family::kElementwise || family == Family::kIndexMap) && value.shape.element_count() <= kMostNumbers;
}

// What one element of the value costs, with all of `computed` that it is made of; nullopt if not all is plain.
std::optional<int64_t> cost_with_operands(const Instruction* value, const Values& computed) {
  Values found = {value};
  std::vector<const Instruction*> open = {value};
  int64_t cost = 0;
  while (!open.empty()) {
    const Instruction* next = open.back();
    open.pop_back();
    if (!is_plain(*next)) return std::nullopt;
    cost += operation_cost(*next);
    for (const Instruction* array : array_operands(*next)) {
      const Instruction* operand = maker_of(array);
      if (computed.count(operand) > 0 && found.insert(operand).second) open.push_back(operand);
    }
  }
  return cost;
}

void share_in_stage(const InstructionsByName& instructions, TreeNode* stage) {
  Values computed;
  for (const TreeValue& value : stage->values) computed.insert(instructions.at(value.name));
  const auto is_array = [&](const Instruction* user) { return computed.count(user) > 0 && !is_number(*user); };
  for (TreeValue& value : stage->values) {
    const Instruction* number = instructions.at(value.name);
    if (!is_number(*number) || std::none_of(number->users().begin(), number->users().end(), is_array)) continue;
    if (cost_with_operands(number, computed).value_or(0) >= kDearNumber) value.shared = true;
  }
}

}  // namespace

void share_numbers(const InstructionsByName& instructions, Tree* tree) {
  for (TreeNode& kernel : tree->items) {
    if (kernel.kind != TreeNode::Kind::kKernel || kernel.block[0] < kSmallestBlock || kernel.body().empty()) continue;
    std::vector<std::vector<TreeNode>>& bodies = part_bodies(kernel);
    const size_t count = split_of(kernel) == nullptr ? bodies.size() : kernel.body()[0].ranges.size();
    std::vector<TreeNode*> stages;
    int64_t elements = 0;
    for (size_t part = 0; part < count; ++part) {
      if (bodies[part].size() != 1 || bodies[part][0].schedule != kMap || bodies[part][0].domain.tile > 0) continue;
      stages.push_back(&bodies[part][0]);
      int64_t most = 0;
      for (const TreeValue& value : bodies[part][0].values) {
        const Shape& shape = instructions.at(value.name)->shape;
        if (shape.is_array()) most = std::max(most, shape.element_count());
      }
      elements += most;
    }
    if (elements < kManyElements) continue;
    for (TreeNode* stage : stages) share_in_stage(instructions, stage);
  }
}

std::optional<std::vector<NodeId>> find_block_numbers(const MapDemand& demand,
                                                      const std::vector<const Instruction*>& numbers) {
  DemandGraph& graph = *demand.graph;
  const std::vector<bool> needed = needed_nodes(graph);
  std::vector<std::optional<bool>> common(graph.nodes.size());
  const auto may_be_common = [](const DemandNode& node) {
    const bool plain = node.kind == Kind::kConstant || node.kind == Kind::kIndex || node.kind == Kind::kLoad ||
                       node.kind == Kind::kCompute || node.kind == Kind::kCall || node.kind == Kind::kCallResult;
    bool same = plain && node.guard == 0 && node.scope == 0;
    node.expr.visit_leaves([&](const IndexExpr::Atom& atom) { same &= atom.kind != IndexExpr::AtomKind::kCoordinate; });
    return same;
  };
  std::set<NodeId> found;
  for (const Instruction* number : numbers) {
    if (!graph.loops.empty() || !is_number(*number)) return std::nullopt;
    const NodeId id = graph.demand(number, std::vector<IndexExpr>(number->shape.dims.size(), 0));
    if (id == kNoNode) return std::nullopt;
    if (id >= static_cast<NodeId>(needed.size()) || !needed[id]) continue;  // nothing reads it
    if (!is_common(graph, id, may_be_common, &common)) return std::nullopt;
    if (graph.nodes[id].kind != Kind::kConstant && graph.nodes[id].kind != Kind::kIndex) found.insert(id);
  }
  join_results(graph, &found);
  return std::vector<NodeId>(found.begin(), found.end());
}

void compute_for_block(DemandGraph* graph, const std::vector<NodeId>& numbers) {
  if (numbers.empty()) return;
  DemandScope scope;
  scope.kind = DemandScope::Kind::kFirstThread;
  graph->scopes.push_back(scope);
  const int first_thread = static_cast<int>(graph->scopes.size()) - 1;
  std::map<NodeId, NodeId> copies, shared;
  for (const NodeId number : numbers) {
    const auto is_copied = [&](NodeId id) { return graph->nodes[id].kind != Kind::kConstant; };
    const auto adapt = [&](DemandNode* node) { node->guard = first_thread; };
    DemandNode here = graph->nodes[number];
    here.kind = Kind::kOfBlock;
    here.expr = IndexExpr();
    here.operands = {copy_node(graph, number, is_copied, adapt, &copies)};
    graph->nodes.push_back(std::move(here));
    shared[number] = static_cast<NodeId>(graph->nodes.size()) - 1;
  }
  std::set<NodeId> made;
  for (const auto* nodes : {&copies, &shared}) {
    for (const auto& [number, node] : *nodes) made.insert(node);
  }
  replace_nodes(graph, shared, made);
  graph->first_thread = first_thread;
  graph->set_scopes();
}

}  // namespace sinter
