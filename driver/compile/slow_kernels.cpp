#include "driver/compile/slow_kernels.h"

#include <algorithm>
#include <map>

#include "emitter/host/emit_host.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/schedule/groups/group_values.h"
#include "passes/stages/products/tensor_core_form.h"
#include "passes/stages/stage_kind.h"

namespace sinter {

namespace {

// A kernel is slow that takes more than so many times the least, and so many microseconds more.
constexpr double kTimes = 10, kMoreUs = 20;

// What an item of the tree computes.
struct Computed {
  std::vector<const Instruction*> values;
  bool is_compared = true;
};

Computed computed_by(const TreeNode& kernel, const InstructionsByName& instructions) {
  Computed computed;
  std::vector<const TreeNode*> left = {&kernel};
  while (!left.empty()) {
    const TreeNode* item = left.back();
    left.pop_back();
    const StageKind* kind = item->kind == TreeNode::Kind::kStage ? stage_kind(item->schedule) : nullptr;
    const bool counted_otherwise = kind != nullptr && (kind->own || kind->word == kContract);
    if (counted_otherwise || item->kind == TreeNode::Kind::kLoop) computed.is_compared = false;
    for (const TreeValue& value : item->values) {
      const auto found = instructions.find(value.name);
      if (found != instructions.end()) computed.values.push_back(found->second);
    }
    for (const std::vector<TreeNode>& body : item->bodies) {
      for (const TreeNode& inner : body) left.push_back(&inner);
    }
  }
  return computed;
}

std::map<std::string, Computed> computed_by_kernels(const Artifact& artifact) {
  std::map<std::string, Computed> result;
  const InstructionsByName instructions = instructions_by_name(*artifact.module);
  std::vector<const TreeNode*> left;
  for (const TreeNode& item : artifact.schedule.tree.items) left.push_back(&item);
  while (!left.empty()) {
    const TreeNode* item = left.back();
    left.pop_back();
    if (item->kind == TreeNode::Kind::kKernel) {
      result.emplace(item->name, computed_by(*item, instructions));
      continue;
    }
    for (const std::vector<TreeNode>& body : item->bodies) {
      for (const TreeNode& inner : body) left.push_back(&inner);
    }
  }
  return result;
}

using LedgerByValue = std::map<std::string_view, const LedgerEntry*>;

LedgerByValue ledger_by_value(const Schedule& schedule) {
  LedgerByValue entries;
  for (const LedgerEntry& entry : schedule.ledger) entries.emplace(entry.value, &entry);
  return entries;
}

// The ledger's reason for what the kernel stores, else for what it reads.
const LedgerEntry* reason_of(const Computed& computed, const LedgerByValue& entries) {
  for (const bool operands : {false, true}) {
    for (const Instruction* value : computed.values) {
      const std::vector<const Instruction*> arrays = operands ? array_operands(*value) : std::vector{value};
      for (const Instruction* array : arrays) {
        const auto found = entries.find(maker_of(array)->name);
        if (found != entries.end()) return found->second;
      }
    }
  }
  return nullptr;
}

double elements(const Shape& shape) { return shape.is_array() ? static_cast<double>(shape.element_count()) : 0; }

// Of what has several results: those of one.
double result_elements(const Instruction& instruction) {
  return elements(instruction.shape.is_tuple() ? instruction.shape.elements[0] : instruction.shape);
}

}  // namespace

double least_operations(const Instruction& instruction) {
  const auto combined = [&](double times) {
    return times * static_cast<double>(std::max<int64_t>(element_cost(**instruction.attributes->to_apply), 1));
  };
  const double results = result_elements(instruction);
  switch (instruction.opcode) {
    case Opcode::kReduce:
      return combined(elements(instruction.operand(0)->shape));
    case Opcode::kReduceWindow:
      // A cumulative window needs a step an element; others may have parts in common too.
      return combined(std::max(elements(instruction.operand(0)->shape), results));
    case Opcode::kScatter:
      return combined(elements(instruction.operands().back()->shape));
    case Opcode::kSelectAndScatter:
      return elements(instruction.operand(0)->shape);
    case Opcode::kDot: {
      double terms = 1;
      for (const int64_t dim : instruction.attributes->lhs_contracting_dims.value_or(std::vector<int64_t>()))
        terms *= static_cast<double>(instruction.operand(0)->shape.dims[dim]);
      return results * terms;
    }
    case Opcode::kConvolution: {
      // Of the filter, all but its output features are terms.
      const Shape& filter = instruction.operand(1)->shape;
      const auto features = static_cast<double>(
          std::max<int64_t>(filter.dims[instruction.attributes->dim_labels->rhs_output_feature], 1));
      return results * elements(filter) / features;
    }
    default:
      return results * static_cast<double>(operation_cost(instruction));
  }
}

void mark_slow_kernels(const Artifact& artifact, PlanReport& report) {
  const Gpu& gpu = artifact.gpu;
  const double operations_a_us = static_cast<double>(gpu.multiprocessors) * gpu.f32_lanes * gpu.clock_ghz * 1e3;
  // Made when a kernel may be slow, which is rare.
  std::optional<std::map<std::string, Computed>> kernels;
  std::optional<LedgerByValue> ledger;
  for (size_t i = 0; i < report.kernels.size(); ++i) {
    PlanReport::KernelReport& kernel = report.kernels[i];
    const double bytes_us = static_cast<double>(kernel.bytes_read + kernel.bytes_written) / (gpu.memory_gb_per_s * 1e3);
    if (kernel.predicted_us <= kTimes * bytes_us + kMoreUs) continue;
    if (!kernels) kernels = computed_by_kernels(artifact);
    const Kernel& made = artifact.program.kernels[i];
    const auto found = kernels->find(made.item.empty() ? made.name : made.item);
    if (found == kernels->end() || !found->second.is_compared) continue;
    double operations = 0, most = 0;
    const Instruction* dearest = nullptr;
    for (const Instruction* value : found->second.values) {
      const double own = least_operations(*value);
      operations += own;
      if (own <= most) continue;
      most = own;
      dearest = value;
    }
    const double least_us = std::max(bytes_us, operations / operations_a_us);
    const bool contracts = dearest != nullptr && is_dot_or_convolution(*dearest);
    if (dearest == nullptr || contracts || kernel.predicted_us <= kTimes * least_us + kMoreUs) continue;
    kernel.slow = PlanReport::Slow{.least_us = least_us, .value = dearest->name, .reason = ""};
    if (!ledger) ledger = ledger_by_value(artifact.schedule);
    if (const LedgerEntry* entry = reason_of(found->second, *ledger)) kernel.slow->reason = entry->reason;
  }
}

void warn_of_slow_kernels(const Artifact& artifact, const PlanReport& report, Diagnostics& diagnostics) {
  const InstructionsByName instructions = instructions_by_name(*artifact.module);
  for (const PlanReport::KernelReport& kernel : report.kernels) {
    if (!kernel.slow) continue;
    diagnostics.warning(instructions.at(kernel.slow->value)->loc, "W0401",
                        "kernel '" + kernel.name + "' is predicted at " + time_text(kernel.predicted_us) +
                            ", what it moves and computes at " + time_text(kernel.slow->least_us),
                        "`sinter explain` shows what it computes");
  }
}

}  // namespace sinter
