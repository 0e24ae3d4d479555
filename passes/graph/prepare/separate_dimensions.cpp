// separate_dimensions: a reduction over dimensions that others stand between becomes one for each that stand side by
// side, the innermost first, so that most elements are reduced along rows, or rows side by side.
//
//   %s = f32[3] reduce(%x, %zero), dimensions={0,2,3}    =>   %p = f32[32,3] reduce(%x, %zero), dimensions={2,3}
//   x f32[32,3,256,256]                                       %s = f32[3] reduce(%p, %zero), dimensions={0}
//
// What is reduced of a transposed array, element by element, is reduced of the array as it lies in memory; the results
// are transposed where that is needed. Where something else reads the array transposed, and could do so in the kernel
// that reduces its rows, that is left; one result of all elements is no row's.
#include <algorithm>
#include <map>
#include <set>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/parts/partial_reduction.h"
#include "passes/graph/parts/thread_rows.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

int64_t reduced_elements(const Instruction& reduce) {
  int64_t elements = 1;
  for (const int64_t d : *reduce.attributes->dimensions) elements *= reduce.operand(0)->shape.dims[d];
  return elements;
}

bool is_long(const Instruction& reduce) {
  const Shape& source = reduce.operand(0)->shape;
  if (!source.is_static() || source.element_count() == 0) return false;
  const bool in_body = reduce.parent() != reduce.parent()->parent()->entry();
  return reduced_elements(reduce) > (in_body ? kShortInBody : kShortApart);
}

// The dimensions that a reduction reduces, those side by side together, the innermost first. A dimension of one element
// stands between none.
std::vector<std::vector<int64_t>> runs_of(const Instruction& reduce) {
  const std::vector<int64_t>& dimensions = *reduce.attributes->dimensions;
  const std::set<int64_t> reduced(dimensions.begin(), dimensions.end());
  const Shape& source = reduce.operand(0)->shape;
  std::vector<std::vector<int64_t>> runs;
  bool open = false;
  for (int64_t d = source.rank(); d-- > 0;) {
    if (reduced.count(d) > 0) {
      // One element belongs to whatever stands there; of nothing else a run would be a kernel for nothing.
      if (!open && (runs.empty() || source.dims[d] != 1)) runs.emplace_back();
      open |= source.dims[d] != 1;
      runs.back().push_back(d);
    } else if (source.dims[d] != 1) {
      open = false;
    }
  }
  return runs;
}

// The order that runs are reduced in. Where results are so many that threads are enough, what is short goes first: a
// thread that needs it makes it.
std::vector<std::vector<int64_t>> ordered(const Instruction& reduce, const std::vector<std::vector<int64_t>>& runs) {
  constexpr int64_t kManyResults = 4096;  // results, a thread each; no measurement of it is on record
  if (!simple_combiner(**reduce.attributes->to_apply) || reduce.shape.element_count() < kManyResults) return runs;
  std::vector<std::vector<int64_t>> result, later;
  for (const std::vector<int64_t>& run : runs) {
    int64_t elements = 1;
    for (const int64_t d : run) elements *= reduce.operand(0)->shape.dims[d];
    (elements <= kShortLoop ? result : later).push_back(run);
  }
  result.insert(result.end(), later.begin(), later.end());
  return result;
}

bool separate_reduction(Instruction& reduce) {
  if (!is_long(reduce) || reduced_rows(reduce)) return false;
  std::optional<PartialReduction> parts = PartialReduction::of(reduce);
  if (!parts) return false;
  parts->in_steps(ordered(reduce, runs_of(reduce)));
  return true;
}

// Values that are read for reductions alone, through elementwise operations.
bool is_only_reduced(const Instruction& value) {
  constexpr size_t kNearest = 64;  // values looked at: bounds the time of the pass
  std::vector<const Instruction*> open = {&value};
  std::set<const Instruction*> seen = {&value};  // asked for membership alone
  for (size_t next = 0; next < open.size(); ++next) {
    if (open.size() > kNearest || open[next] == value.parent()->root()) return false;
    for (const Instruction* user : open[next]->users()) {
      if (user->opcode == Opcode::kReduce) continue;
      if (family_of(*user) != Family::kElementwise || user->shape.dims != value.shape.dims) return false;
      if (seen.insert(user).second) open.push_back(user);
    }
  }
  return true;
}

// A value whose dimension i is dimension order[i] of what it is computed from, computed as that lies in memory.
class InMemoryOrder {
 public:
  InMemoryOrder(Instruction& reduce, std::vector<int64_t> order)
      : reduce_(reduce), build_(reduce), order_(std::move(order)) {}

  // Whether all that it is computed from is transposed in this way, or the same wherever it stands.
  bool is_possible(const Instruction* value) {
    if (!seen_.insert(value).second) return true;
    if (seen_.size() > kMost) return false;
    if (value->opcode == Opcode::kTranspose) return *value->attributes->dimensions == order_;
    if (value->opcode == Opcode::kBroadcast) return true;
    if (family_of(*value) != Family::kElementwise || value->operands().empty()) return false;
    return std::ranges::all_of(value->operands(), [&](const Instruction* operand) {
      return operand->shape.dims == value->shape.dims && is_possible(operand);
    });
  }

  Value make(Instruction* value) {
    const auto known = made_.find(value);
    if (known != made_.end()) return known->second;
    Value made = nullptr;
    if (value->opcode == Opcode::kTranspose) {
      made = value->operand(0);
    } else if (value->opcode == Opcode::kBroadcast) {
      std::vector<int64_t> where = *value->attributes->dimensions;
      for (int64_t& d : where) d = order_[static_cast<size_t>(d)];
      made = build_.broadcast(value->operand(0), dims_of(*value), where);
    } else {
      std::vector<Value> operands;
      for (Instruction* operand : value->operands()) operands.push_back(make(operand));
      made = reduce_.parent()->add_copy(*value, operands, &reduce_);
      made->shape = Shape::array(value->shape.dtype, dims_of(*value));
    }
    return made_[value] = made;
  }

 private:
  static constexpr size_t kMost = 64;  // values looked at: bounds the time of the pass

  std::vector<int64_t> dims_of(const Instruction& value) const {
    std::vector<int64_t> dims(order_.size());
    for (size_t i = 0; i < order_.size(); ++i) dims[static_cast<size_t>(order_[i])] = value.shape.dims[i];
    return dims;
  }

  Instruction& reduce_;  // before which all is made
  GraphBuilder build_;
  std::vector<int64_t> order_;
  std::set<const Instruction*> seen_;
  std::map<const Instruction*, Value> made_;
};

// The transposition nearest to a value, by first operands.
const Instruction* transposition_of(const Instruction* value) {
  constexpr int kMostSteps = 64;  // values looked at: bounds the time of the pass
  for (int step = 0; step < kMostSteps; ++step) {
    if (value->opcode == Opcode::kTranspose) return value;
    if (family_of(*value) != Family::kElementwise) return nullptr;
    const auto next = std::ranges::find_if(
        value->operands(), [](const Instruction* operand) { return operand->opcode != Opcode::kBroadcast; });
    if (next == value->operands().end()) return nullptr;
    value = *next;
  }
  return nullptr;
}

bool reduce_in_memory_order(Instruction& reduce) {
  if (!is_long(reduce) || !simple_combiner(**reduce.attributes->to_apply)) return false;
  Instruction* terms = reduce.operand(0);
  const Instruction* transposition = transposition_of(terms);
  if (transposition == nullptr) return false;
  if (reduce.shape.element_count() > 1 && !is_only_reduced(*transposition)) return false;
  const std::vector<int64_t>& order = *transposition->attributes->dimensions;
  InMemoryOrder in_order(reduce, order);
  if (!in_order.is_possible(terms)) return false;

  // Dimension i of the result is the i-th of those that are kept; they have another order in memory.
  const std::vector<int64_t>& dimensions = *reduce.attributes->dimensions;
  std::vector<int64_t> reduced, kept;
  for (int64_t d = 0; d < terms->shape.rank(); ++d) {
    const bool is_reduced = std::ranges::find(dimensions, d) != dimensions.end();
    (is_reduced ? reduced : kept).push_back(order[static_cast<size_t>(d)]);
  }
  std::sort(reduced.begin(), reduced.end());
  std::vector<int64_t> in_memory = kept, permutation;
  std::sort(in_memory.begin(), in_memory.end());
  for (const int64_t d : kept) permutation.push_back(std::ranges::lower_bound(in_memory, d) - in_memory.begin());
  Attributes attributes = reduce.attributes;
  attributes.dimensions = reduced;
  const Value all = in_order.make(terms);
  if (std::ranges::is_sorted(permutation)) {
    become(reduce, Opcode::kReduce, {all, reduce.operand(1)}, std::move(attributes));
    return true;
  }
  GraphBuilder build(reduce);
  const Value sums = build.make(Opcode::kReduce, {all, reduce.operand(1)}, std::move(attributes));
  attributes = Attributes();
  attributes.dimensions = permutation;
  become(reduce, Opcode::kTranspose, {sums}, std::move(attributes));
  return true;
}

}  // namespace

bool separate_dimensions(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* reduce : reductions_to_split(module)) changed |= reduce_in_memory_order(*reduce);
  for (Instruction* reduce : reductions_to_split(module)) changed |= separate_reduction(*reduce);
  if (changed) remove_dead_code(module);
  if (changed) module.sort_computations();
  return changed;
}

}  // namespace sinter
