// mark_updates: what is seen of the places that a scatter updates: no two are equal, or they ascend. Then updates need
// not be sorted.
//
//   %order = s32[n] get-tuple-element(%sort), index=1, of a sort that moves an iota
//   %s = f32[n] scatter(%x, %order, %updates)             =>   the same, unique_indices=true
//
//   %row = s32[n] subtract(%cumsum_of_flags, 1)
//   %s = f32[n] scatter(%x, %row, %updates), to_apply=add  =>   the same, indices_are_sorted=true
//
// Of updates that overwrite, and of which those of one place follow each other, the last one counts. The others are
// sent nowhere:
//
//   %s = f32[n] scatter(%x, %row, %updates), to_apply=second
//                                                         =>
//   %next = s32[n] concatenate(slice(%row, [1:n]), -1)
//   %last = s32[n] select(compare(%row, %next, NE), %row, -1)
//   %s = f32[n] scatter(%x, %last, %updates), unique_indices=true, to_apply=second
//
// Places that are out of range may be equal: these updates are dropped.
#include <optional>
#include <vector>

#include "passes/analysis/loops/index_order.h"
#include "passes/analysis/values/constants.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/scatters/scatter_dims.h"
#include "passes/stages/own/scatter_stage.h"

namespace sinter {
namespace {

// Of the scatter's indices.
int64_t vector_dim(const Instruction& scatter) { return scatter.attributes->index_vector_dim.value(); }
bool has_vectors(const Instruction& scatter) {
  return vector_dim(scatter) < scatter.operand(scatter.operands().size() / 2)->shape.rank();
}

// The array of one component of the indices, perhaps with a dimension of one element for it; nullptr where it is a
// part of an array.
const Instruction* component_of(const Instruction& scatter, size_t component) {
  const Instruction* indices = scatter.operand(1);
  if (!has_vectors(scatter) || indices->shape.dims[vector_dim(scatter)] == 1) return component == 0 ? indices : nullptr;
  if (indices->opcode != Opcode::kConcatenate || list(indices->attributes->dimensions) != Dims{vector_dim(scatter)})
    return nullptr;
  const bool single = indices->operands().size() == list(scatter.attributes->scatter_dims_to_operand_dims).size();
  return single ? indices->operand(component) : nullptr;
}

// How many elements of the operand's dimension an update covers.
int64_t window_size(const Instruction& scatter, int64_t dimension) {
  const Attributes& attributes = scatter.attributes;
  const Dims window = list(attributes.update_window_dims), inserted = list(attributes.inserted_window_dims);
  const Dims batching = list(attributes.input_batching_dims);
  size_t next = 0;
  for (int64_t d = 0; d < scatter.shape.rank(); ++d) {
    const bool one = position_in(inserted, d) || position_in(batching, d);
    const int64_t size = one ? 1 : scatter.operand(2)->shape.dims[window[next++]];
    if (d == dimension) return size;
  }
  return 0;
}

// Whether no two updates meet: along all dimensions of the indices but one a component counts, or they are of
// different elements of a batch, and along that one a component is different for each.
bool are_different(const Instruction& scatter, const IndexOrder& order) {
  const Attributes& attributes = scatter.attributes;
  const Instruction& indices = *scatter.operand(1);
  const Dims start_map = list(attributes.scatter_dims_to_operand_dims);
  const Dims batching = list(attributes.scatter_indices_batching_dims);
  Dims open;
  for (int64_t d = 0; d < indices.shape.rank(); ++d) {
    const bool counts = d != vector_dim(scatter) && indices.shape.dims[d] > 1 && !position_in(batching, d);
    if (counts) open.push_back(d);
  }
  if (open.empty() && batching.empty()) return false;  // one update
  for (size_t c = 0; c < start_map.size() && open.size() > 1; ++c) {
    std::optional<int64_t> counted = counted_dimension(scatter, static_cast<int64_t>(c));
    if (counted && has_vectors(scatter) && *counted >= vector_dim(scatter)) ++*counted;
    if (counted && window_size(scatter, start_map[c]) == 1) std::erase(open, *counted);
  }
  if (open.empty()) return true;
  if (open.size() > 1) return false;
  for (size_t c = 0; c < start_map.size(); ++c) {
    const Instruction* component = component_of(scatter, c);
    if (component == nullptr || window_size(scatter, start_map[c]) != 1) continue;
    if (order.differ_below(*component, open[0], scatter.shape.dims[start_map[c]])) return true;
  }
  return false;
}

// The dimension of a scatter's indices along which each is a single number; nullopt where they are more than that.
std::optional<int64_t> only_dimension(const Instruction& scatter) {
  const Shape& indices = scatter.operand(1)->shape;
  if (!list(scatter.attributes->input_batching_dims).empty()) return std::nullopt;
  if (list(scatter.attributes->scatter_dims_to_operand_dims).size() != 1) return std::nullopt;
  std::optional<int64_t> found;
  for (int64_t d = 0; d < indices.rank(); ++d) {
    if (d == vector_dim(scatter) || indices.dims[d] == 1) continue;
    if (found) return std::nullopt;
    found = d;
  }
  return found;
}

// Updates that one of the same place follows are of no place.
void keep_last_updates(Instruction& scatter) {
  GraphBuilder builder(scatter);
  const Shape indices = scatter.operand(1)->shape;
  const int64_t count = indices.element_count();
  const auto nowhere = [&](int64_t size) { return builder.integer(indices.dtype, -1, {size}); };
  Instruction* rows = builder.reshape(scatter.operand(1), {count});
  Instruction* next = builder.concatenate({builder.slice(rows, 0, 1, count), nowhere(1)}, 0);
  Instruction* last = builder.select({builder.compare({rows, next}, "NE"), rows, nowhere(count)});
  scatter.set_operand(1, builder.reshape(last, indices.dims));
  scatter.attributes.edit().unique_indices = true;
  scatter.attributes.edit().indices_are_sorted.reset();
}

// Rows that a sort has brought into order are a stage's own (passes/stages/own/scatter_stage.h).
bool is_sorted_here(const Instruction& indices) {
  return indices.opcode == Opcode::kGetTupleElement && indices.operand(0)->opcode == Opcode::kSort;
}

bool mark(Instruction& scatter, const IndexOrder& order) {
  bool changed = false;
  if (!scatter.attributes->unique_indices.value_or(false) && are_different(scatter, order)) {
    scatter.attributes.edit().unique_indices = true;
    changed = true;
  }
  const std::optional<int64_t> along = only_dimension(scatter);
  if (!along) return changed;
  const Instruction& indices = *scatter.operand(1);
  if (is_sorted_here(indices)) return changed;
  const bool said = scatter.attributes->indices_are_sorted.value_or(false);
  const bool has_nowhere = is_signed_integer(indices.shape.dtype) && dtype_bits(indices.shape.dtype) >= 32;
  const bool is_one = window_size(scatter, list(scatter.attributes->scatter_dims_to_operand_dims)[0]) == 1;
  if (has_nowhere && is_one && overwrites(**scatter.attributes->to_apply) && needs_order(scatter) && !folds(scatter) &&
      (said || order.are_grouped(indices, *along))) {
    keep_last_updates(scatter);
    return true;
  }
  if (said || !order.ascent(indices, *along)) return changed;
  scatter.attributes.edit().indices_are_sorted = true;
  return true;
}

bool is_marked(const Instruction& scatter) {
  return scatter.attributes->unique_indices.value_or(false) && scatter.attributes->indices_are_sorted.value_or(false);
}

}  // namespace

bool mark_updates(Module& module, const GraphPassOptions&) {
  std::vector<Instruction*> found;
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      const bool used = !instruction.users().empty() || computation->root() == &instruction;
      if (instruction.opcode == Opcode::kScatter && used && instruction.operands().size() == 3 &&
          instruction.operand(1)->shape.element_count() > 0 && !is_marked(instruction))
        found.push_back(&instruction);
    }
  }
  if (found.empty()) return false;
  const Ranges ranges(module);
  const IndexOrder order(ranges);
  bool changed = false;
  for (Instruction* scatter : found) changed |= mark(*scatter, order);
  return changed;
}

}  // namespace sinter
