#include "passes/stages/results/part_matrices.h"

#include <algorithm>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/functions/value_table.h"
#include "passes/analysis/values/arrays.h"

namespace sinter {

namespace {

bool is_load(const DemandNode& node) { return node.kind == DemandNode::Kind::kLoad; }

// Whether two nodes do the same, but for the array that a load reads.
bool are_alike(const DemandNode& a, const DemandNode& b) {
  if (a.kind != b.kind || a.dtype != b.dtype || a.operands != b.operands || !(a.expr == b.expr)) return false;
  if (a.low != b.low || a.high != b.high || a.guard != b.guard || a.scope != b.scope) return false;
  if (a.arm_scope[0] != b.arm_scope[0] || a.arm_scope[1] != b.arm_scope[1] || a.result != b.result) return false;
  if (a.kind == DemandNode::Kind::kConstant) return a.literal.same_value(b.literal);
  switch (a.kind) {
    case DemandNode::Kind::kLoad:
      return a.instruction->shape.same_type(b.instruction->shape);
    case DemandNode::Kind::kIndex:
    case DemandNode::Kind::kChoose:
    case DemandNode::Kind::kClampIndex:
      return true;
    case DemandNode::Kind::kCompute:
      return same_operation(*a.instruction, *b.instruction);
    default:
      return false;
  }
}

}  // namespace

bool have_a_matrix_each(const std::vector<const Instruction*>& dots, size_t side) {
  const Instruction& first = *dots[0];
  return std::all_of(dots.begin() + 1, dots.end(), [&](const Instruction* dot) {
    return dot->opcode == Opcode::kDot && same_operation(*dot, first) && dot->operands().size() == 2 &&
           array_value(dot->operand(1 - side)) == array_value(first.operand(1 - side)) &&
           dot->operand(side)->shape.same_type(first.operand(side)->shape);
  });
}

std::optional<ArraysOfParts> arrays_of_parts(const std::vector<const DemandGraph*>& graphs) {
  const DemandGraph& first = *graphs[0];
  for (const DemandGraph* graph : graphs) {
    if (graph->nodes.size() != first.nodes.size() || graph->results != first.results) return std::nullopt;
    if (!graph->loops.empty() || !graph->reduces.empty()) return std::nullopt;
  }
  ArraysOfParts all;
  for (size_t id = 0; id < first.nodes.size(); ++id) {
    std::vector<const Instruction*> arrays;
    for (const DemandGraph* graph : graphs) {
      if (!are_alike(first.nodes[id], graph->nodes[id])) return std::nullopt;
      arrays.push_back(graph->nodes[id].instruction);
    }
    if (!is_load(first.nodes[id])) continue;
    // Wherever the first part reads an array, each of the others has the same one in its place.
    const auto known = std::find_if(all.begin(), all.end(), [&](auto& other) { return other[0] == arrays[0]; });
    if (known == all.end()) {
      all.push_back(std::move(arrays));
    } else if (*known != arrays) {
      return std::nullopt;
    }
  }
  std::erase_if(all, [](const std::vector<const Instruction*>& arrays) {
    return std::all_of(arrays.begin(), arrays.end(), [&](auto* array) { return array == arrays[0]; });
  });
  return all.empty() ? std::nullopt : std::optional(std::move(all));
}

bool is_made_of(const Instruction& value, const Instruction& dot, const DemandContext& context) {
  std::set<const Instruction*> seen = {&value};
  std::vector<const Instruction*> open = {&value};
  while (!open.empty()) {
    const Instruction* next = open.back();
    open.pop_back();
    for (const Instruction* operand : next->operands()) {
      if (operand == &dot) return true;
      if (context.computed.contains(operand) && seen.insert(operand).second) open.push_back(operand);
    }
  }
  return false;
}

std::vector<const Instruction*> products_apart(const DemandContext& context,
                                               const std::vector<const Instruction*>& outputs,
                                               const std::vector<const Instruction*>& dots) {
  std::vector<const Instruction*> products;
  for (const Instruction* output : outputs) {
    const Instruction* of_output = nullptr;
    for (const Instruction* dot : dots) {
      if (output != dot && !is_made_of(*output, *dot, context)) continue;
      if (of_output != nullptr) return {};
      of_output = dot;
    }
    products.push_back(of_output);
  }
  const bool all_read = std::ranges::all_of(dots, [&](auto* dot) { return llvm::is_contained(products, dot); });
  return all_read && !llvm::is_contained(products, nullptr) ? products : std::vector<const Instruction*>();
}

}  // namespace sinter
