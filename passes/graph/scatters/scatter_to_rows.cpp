// scatter_to_rows: many updates of many elements become updates of the rows of a matrix, each with the number of its
// row; where an element takes its updates in an order that matters, they are sorted by row first, stably.
//
//   %s = f32[50,40,64] scatter(%table, %places, %updates), to_apply=%add      (places s32[8192,2], updates
//   f32[8192,64])
//                                                         =>
//   %row = s32[8192] select(in range, %places[:,0] * 40 + %places[:,1], 2000)
//   %sort = (s32[8192], s32[8192]) sort(%row, iota), dimensions={0}, is_stable=true
//   %s = f32[2000,64] scatter(reshape(%table), %sort#0, gather(%updates, %sort#1)), to_apply=%add
//
// An update out of range has the row behind the last one. Indices that the program says are sorted
// (`indices_are_sorted`) are taken as they are: no row is looked for out of range. Few updates of a large array are not
// sorted either: each looks whether others are of its row. Updates of one element of at most
// four bytes are sorted themselves, not their numbers, unless these are of use again. Batches that have no row in
// common are sorted one by one. More updates than are sorted at once are several scatters, one after the other. Windows
// are whole along the dimensions that they extend over; others stay scatters, and so do those that are better folded
// (passes/stages/own/scatter_stage.h). Updates that go to bins are not sorted (passes/stages/own/bins_stage.h); those
// of a batch stay that, and so many that no block counts them are made one. An odd number of bytes gets one more, whose
// updates need no order then.
#include <algorithm>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/analysis/values/constants.h"
#include "passes/analysis/values/small_update.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/loops/hoist_invariants.h"
#include "passes/graph/scatters/scatter_dims.h"
#include "passes/graph/simplify/scatter_to_update.h"
#include "passes/stages/own/bins_stage.h"
#include "passes/stages/own/own_stages.h"
#include "passes/stages/own/scatter_stage.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// Updates that are sorted together: places among them, and twice their number, are s32.
constexpr int64_t kMostInOrder = int64_t{1} << 29;

// The dimensions of a scatter's operand that say which row an element is in, and those along a row.
struct Rows {
  Dims across, along;  // of the operand
  Dims batch, window;  // of the updates
  int64_t rows = 1, columns = 1, updates = 1;
  int64_t spare = 0;  // rows behind the last, which nothing reads

  int64_t all() const { return rows + spare; }
};

// nullopt where a window is a part of a row.
std::optional<Rows> rows_of(const Instruction& scatter) {
  const Attributes& attributes = scatter.attributes;
  const Dims& operand = scatter.shape.dims;
  const Dims& updates = scatter.operand(2)->shape.dims;
  const Dims window_dims = list(attributes.update_window_dims);
  const Dims inserted = list(attributes.inserted_window_dims);
  const Dims batching = list(attributes.input_batching_dims);
  Rows rows;
  size_t next = 0;
  for (int64_t d = 0; d < scatter.shape.rank(); ++d) {
    const bool one = position_in(inserted, d) || position_in(batching, d);
    const int64_t size = one ? 1 : updates[window_dims[next++]];
    if (size == operand[d] && !one) {
      rows.along.push_back(d);
      rows.columns *= size;
    } else if (size == 1) {
      rows.across.push_back(d);
      rows.rows *= operand[d];
    } else {
      return std::nullopt;
    }
  }
  for (int64_t d = 0; d < static_cast<int64_t>(updates.size()); ++d) {
    const bool window = position_in(window_dims, d).has_value();
    (window ? rows.window : rows.batch).push_back(d);
    if (!window) rows.updates *= updates[d];
  }
  return rows;
}

// Whether an update has one index, which is its row.
bool has_row_indices(const Instruction& scatter, const Rows& rows) {
  const Shape& indices = scatter.operand(1)->shape;
  return rows.across.size() == 1 && list(scatter.attributes->scatter_dims_to_operand_dims) == rows.across &&
         indices.element_count() == rows.updates && indices.dtype == type_of_rows(rows.all());
}

// Whether the program says that updates come in the order of their rows.
bool comes_sorted(const Instruction& scatter, const Rows& rows) {
  return scatter.attributes->indices_are_sorted.value_or(false) && has_row_indices(scatter, rows);
}

// Which row each update is of: s32[updates], or s64 of very many rows; the row behind the last where it does not fit.
Value row_numbers(GraphBuilder& builder, const Instruction& scatter, const Rows& rows) {
  const DType number_type = type_of_rows(rows.all());
  const Attributes& attributes = scatter.attributes;
  Instruction* indices = scatter.operand(1);
  const Dims& dims = scatter.shape.dims;
  const Dims start_map = list(attributes.scatter_dims_to_operand_dims);
  const Dims batching = list(attributes.input_batching_dims);
  const Dims indices_batching = list(attributes.scatter_indices_batching_dims);
  const int64_t vector_dim = attributes.index_vector_dim.value();
  Dims batch_dims = indices->shape.dims;
  if (vector_dim < indices->shape.rank()) batch_dims.erase(batch_dims.begin() + vector_dim);

  Value number = nullptr, fits = nullptr;
  const auto require = [&](Value condition) {
    fits = fits == nullptr ? condition : builder.make(Opcode::kAnd, {fits, condition});
  };
  int64_t stride = rows.rows;
  for (int64_t d = 0; d < scatter.shape.rank(); ++d) {
    const bool across = position_in(rows.across, d).has_value();
    if (across) stride /= std::max<int64_t>(dims[d], 1);
    Value place = nullptr;
    if (const auto batched = position_in(batching, d)) {
      const int64_t position = indices_batching[*batched];
      place = builder.iota(number_type, batch_dims, position > vector_dim ? position - 1 : position);
      place = builder.reshape(place, {rows.updates});
    } else if (const auto mapped = position_in(start_map, d)) {
      place = indices;
      const auto component = static_cast<int64_t>(*mapped);
      if (vector_dim < indices->shape.rank() && start_map.size() > 1) {
        place = builder.slice(place, vector_dim, component, component + 1);
      }
      place = builder.reshape(place, {rows.updates});
      if (dtype_bits(place->shape.dtype) < 32) place = builder.convert(place, DType::kS32);
      const DType type = place->shape.dtype;
      if (is_signed_integer(type)) require(builder.compare({place, builder.integer(type, 0, {rows.updates})}, "GE"));
      const int64_t limit = across ? dims[d] - 1 : 0;
      const int64_t largest = is_signed_integer(type) ? INT32_MAX : UINT32_MAX;
      if (dtype_bits(type) > 32 || limit < largest) {
        require(builder.compare({place, builder.integer(type, limit, {rows.updates})}, "LE"));
      }
      if (type != number_type) place = builder.convert(place, number_type);
    }
    if (place == nullptr || !across) continue;
    if (stride > 1) place = builder.multiply({place, builder.integer(number_type, stride, {rows.updates})});
    number = number == nullptr ? place : builder.add({number, place});
  }
  if (number == nullptr) number = builder.integer(number_type, 0, {rows.updates});
  if (fits == nullptr) return number;
  return builder.select({fits, number, builder.integer(number_type, rows.all(), {rows.updates})});
}

// Updates that come in so many batches, one behind the other, each of as many rows that no other batch has: leading
// dimensions of the rows that leading ones of the updates count along.
int64_t batches_of(const Instruction& scatter, const Rows& rows) {
  const Dims& dims = scatter.shape.dims;
  const Dims start_map = list(scatter.attributes->scatter_dims_to_operand_dims);
  const Dims batching = list(scatter.attributes->input_batching_dims);
  const Dims indices_batching = list(scatter.attributes->scatter_indices_batching_dims);
  const int64_t vector_dim = scatter.attributes->index_vector_dim.value();
  int64_t batches = 1;
  for (size_t number = 0; number < std::min(rows.across.size(), rows.batch.size()); ++number) {
    const int64_t d = rows.across[number];
    std::optional<int64_t> along;
    if (const auto batched = position_in(batching, d)) {
      along = indices_batching[*batched] - (indices_batching[*batched] > vector_dim ? 1 : 0);
    } else if (const auto mapped = position_in(start_map, d)) {
      along = counted_dimension(scatter, static_cast<int64_t>(*mapped));
    }
    const int64_t size = scatter.operand(2)->shape.dims[rows.batch[number]];
    if (along != static_cast<int64_t>(number) || size != dims[d]) break;
    batches *= size;
  }
  return batches;
}

// Whether the numbers of updates, sorted, are of use again: for other updates of the same rows, or in each step of a
// loop that does not change the rows (hoist_invariants.cpp).
bool shares_order(const Instruction& scatter) {
  const Instruction& indices = *scatter.operand(1);
  const auto& users = indices.users();
  const auto is_other = [&](const Instruction* user) {
    return user != &scatter && user->opcode == Opcode::kScatter && user->operand(1) == &indices && needs_order(*user);
  };
  if (std::any_of(users.begin(), users.end(), is_other)) return true;
  if (scatter.parent() == scatter.parent()->parent()->entry()) return false;
  const auto invariants = loop_invariants(*scatter.parent());
  return invariants.count(&indices) > 0 && invariants.count(scatter.operand(2)) == 0;
}

// By the keys alone, with no payload or with one.
Computation* ascending(Module& module, DType key, std::optional<DType> payload) {
  Computation* computation = module.add_computation("ascending");
  GraphBuilder build(*computation);
  const Value a = build.parameter(Shape::scalar(key), "a");
  const Value b = build.parameter(Shape::scalar(key), "b");
  if (payload) {
    build.parameter(Shape::scalar(*payload), "i");
    build.parameter(Shape::scalar(*payload), "j");
  }
  computation->set_root(build.compare({a, b}, "LT"));
  return computation;
}

// Updates of a row scatter: their rows, and what they bring.
struct Updates {
  Value rows = nullptr;
  Value values = nullptr;
};

// Of updates in `batches`, one behind the other, whose rows are so, too: each sorted by row; else all of them. Their
// numbers are sorted with the rows, or the values where `moves`; nothing is where all bring the same.
Updates sort_updates(GraphBuilder& builder, Module& module, const Updates& updates, int64_t batches, bool moves) {
  const Dims& dims = updates.values->shape.dims;
  const Dims of_each = batches > 1 ? Dims{batches, dims[0] / batches} : Dims{dims[0]};
  Attributes attributes;
  attributes.dimensions = Dims{static_cast<int64_t>(of_each.size()) - 1};
  attributes.is_stable = true;
  if (splat_value(*updates.values)) {
    attributes.to_apply = ascending(module, updates.rows->shape.dtype, std::nullopt);
    Value rows = builder.make(Opcode::kSort, {builder.reshape(updates.rows, of_each)}, std::move(attributes));
    rows->metadata.edit().op_name = "rows";
    return {builder.reshape(rows, {dims[0]}), updates.values};
  }
  const Value payload = moves ? updates.values : builder.iota(DType::kS32, {dims[0]}, 0);
  attributes.to_apply = ascending(module, updates.rows->shape.dtype, payload->shape.dtype);
  const std::vector<Value> operands = {builder.reshape(updates.rows, of_each), builder.reshape(payload, of_each)};
  const Value sorted = builder.make(Opcode::kSort, operands, std::move(attributes));
  Value rows = builder.tuple_element(sorted, 0);
  Value order = builder.tuple_element(sorted, 1);
  // What emitted code calls them.
  rows->metadata.edit().op_name = "rows";
  order->metadata.edit().op_name = moves ? "sorted" : "order";
  rows = builder.reshape(rows, {dims[0]});
  order = builder.reshape(order, {dims[0]});
  if (moves) return {rows, order};
  Attributes gather;
  gather.offset_dims = dims.size() == 1 ? Dims{} : Dims{1};
  gather.collapsed_slice_dims = Dims{0};
  gather.start_index_map = Dims{0};
  gather.index_vector_dim = 1;
  gather.slice_sizes = dims.size() == 1 ? Dims{1} : Dims{1, dims[1]};
  return {rows, builder.make(Opcode::kGather, {updates.values, order}, std::move(gather))};
}

// The dimensions in the order given, then as a matrix, or a list where a row is one element.
Value as_rows(GraphBuilder& builder, Value array, Dims outer, const Dims& inner, int64_t count, int64_t columns) {
  outer.insert(outer.end(), inner.begin(), inner.end());
  array = builder.transpose(array, outer);
  const Dims dims = columns == 1 ? Dims{count} : Dims{count, columns};
  return builder.reshape(array, dims);
}

// Whether all of the result is written in any case: not a few updates of an array.
bool is_rewritten(const Instruction& scatter) {
  return splat_value(*scatter.operand(0)) || !is_small_update(scatter.shape, scatter.operand(2)->shape);
}

// One row more, of whatever: of zeros, or where all rows are alike of what these are.
Value with_spare_row(GraphBuilder& builder, Value array) {
  Dims dims = array->shape.dims;
  ++dims[0];
  if (const std::optional<Literal> all = splat_value(*array)) return builder.splat(builder.constant(*all), dims);
  std::vector<PadBounds> bounds(dims.size());
  bounds.front().high = 1;
  return builder.pad(array, bounds);
}

// f[B,R] by numbers s32[B,N].
void number_bins_of_batch(Attributes* attributes) {
  attributes->inserted_window_dims = Dims{1};
  attributes->scatter_dims_to_operand_dims = Dims{1};
  attributes->input_batching_dims = Dims{0};
  attributes->scatter_indices_batching_dims = Dims{0};
  attributes->index_vector_dim = 2;
}

// Of a batch each has bins of its own.
void to_bins_of_batch(Instruction& scatter) {
  const int64_t bins = scatter.shape.dims.back(), batches = scatter.shape.element_count() / bins;
  const Dims of_each = {batches, scatter.operand(2)->shape.element_count() / batches};
  GraphBuilder builder(scatter);
  const Value operand = builder.reshape(scatter.operand(0), {batches, bins});
  const Value numbers = builder.convert(builder.reshape(scatter.operand(1), of_each), DType::kS32);
  const Value updates = builder.reshape(scatter.operand(2), of_each);
  Attributes attributes = scatter.attributes;
  number_bins_of_batch(&attributes);
  const Value result = builder.make(Opcode::kScatter, {operand, numbers, updates}, std::move(attributes));
  scatter.replace_all_uses_with(builder.reshape(result, scatter.shape.dims));
}

// More updates than a block counts: parts of them are a batch, whose bins are reduced. Others fill up the last part,
// which have no bin.
void to_parts(Instruction& scatter, const Rows& rows) {
  const int64_t parts = parts_of_updates(scatter), part = ceil_div(rows.updates, parts);
  const int64_t bins = scatter.shape.element_count();
  const DType dtype = scatter.shape.dtype;
  const Opcode operation = *simple_combiner(*scatter.attributes->to_apply.value());
  GraphBuilder builder(scatter);
  const auto in_parts = [&](Value all, int64_t filling) {
    if (parts * part > rows.updates) {
      Attributes attributes;
      attributes.padding = std::vector<PadBounds>{{.high = parts * part - rows.updates}};
      all = builder.make(Opcode::kPad, {all, builder.integer(all->shape.dtype, filling)}, std::move(attributes));
    }
    return builder.reshape(all, {parts, part});
  };
  const Value numbers = has_row_indices(scatter, rows) ? builder.reshape(scatter.operand(1), {rows.updates})
                                                       : row_numbers(builder, scatter, rows);
  const Value nothing = builder.constant(*part_beginning(operation, dtype, *scatter.operand(0)));
  const std::vector<Value> operands = {builder.splat(nothing, {parts, bins}), in_parts(numbers, -1),
                                       in_parts(builder.reshape(scatter.operand(2), {rows.updates}), 0)};
  Attributes attributes;
  attributes.update_window_dims = Dims{};
  number_bins_of_batch(&attributes);
  attributes.to_apply = scatter.attributes->to_apply;
  const Value filled = builder.make(Opcode::kScatter, operands, std::move(attributes));
  Attributes all;
  all.dimensions = Dims{0};
  all.to_apply = scatter.attributes->to_apply;
  const Value initial = builder.constant(*splat_value(*scatter.operand(0)));
  const Value result = builder.make(Opcode::kReduce, {filled, initial}, std::move(all));
  scatter.replace_all_uses_with(builder.reshape(result, scatter.shape.dims));
}

bool to_rows(Instruction& scatter) {
  if (scatter.operands().size() != 3 || takes_bins(scatter)) return false;
  const bool to_bins = wants_bins(scatter);
  if (to_bins && !list(scatter.attributes->input_batching_dims).empty()) {
    to_bins_of_batch(scatter);
    return true;
  }
  if (!to_bins && (folds(scatter) || becomes_update_in_place(scatter))) return false;
  std::optional<Rows> rows = rows_of(scatter);
  if (to_bins && rows && parts_of_updates(scatter) > 1) {
    to_parts(scatter, *rows);
    return true;
  }
  Computation* combiner = scatter.attributes->to_apply.value();
  if (!rows || rows->columns == 0) return false;
  if (!simple_combiner(*combiner) && !can_emit_function(*combiner)) return false;
  const bool few = !to_bins && are_few(scatter, rows->updates);
  const bool pads = !to_bins && !few && lacks_pair(scatter) && needs_order(scatter) && is_rewritten(scatter);
  if (pads) rows->spare = 1;
  const bool ordered = !to_bins && !pads && needs_order(scatter);
  const bool fits_one = rows->updates <= kMostInOrder;
  if (!pads && is_row_scatter(scatter) && (!ordered || few || (fits_one && is_sorted(scatter)))) return false;
  const bool sorts = ordered && !few && !comes_sorted(scatter, *rows);

  Module& module = *scatter.parent()->parent();
  GraphBuilder builder(scatter);
  Value result = as_rows(builder, scatter.operand(0), rows->across, rows->along, rows->rows, rows->columns);
  if (pads) result = with_spare_row(builder, result);
  // Bins look for rows out of range themselves.
  const bool as_they_are = (ordered && !few && !sorts) || (to_bins && has_row_indices(scatter, *rows));
  Updates all;
  all.values = as_rows(builder, scatter.operand(2), rows->batch, rows->window, rows->updates, rows->columns);
  all.rows = as_they_are ? builder.reshape(scatter.operand(1), {rows->updates}) : row_numbers(builder, scatter, *rows);
  const bool moves = rows->columns == 1 && dtype_bytes(scatter.shape.dtype) <= 4 && !shares_order(scatter);
  Attributes attributes;
  attributes.update_window_dims = rows->columns == 1 ? Dims{} : Dims{1};
  attributes.inserted_window_dims = Dims{0};
  attributes.scatter_dims_to_operand_dims = Dims{0};
  attributes.index_vector_dim = 1;
  if (ordered && !few) attributes.indices_are_sorted = true;
  attributes.unique_indices = scatter.attributes->unique_indices;
  attributes.to_apply = combiner;
  // Updates out of range are of no row, and stand behind those of their batch.
  int64_t batches = sorts && shares_updates(scatter, rows->updates) ? batches_of(scatter, *rows) : 1;
  if (rows->updates / batches > kMostInOrder) batches = 1;
  const int64_t batch = batches > 1 ? rows->updates / batches : 1;
  const int64_t parts = ordered ? ceil_div(rows->updates, kMostInOrder / batch * batch) : 1;
  const int64_t most = ceil_div(rows->updates / batch, parts) * batch;
  for (int64_t first = 0; first < rows->updates; first += most) {
    const int64_t limit = std::min(first + most, rows->updates);
    Updates part = {builder.slice(all.rows, 0, first, limit), builder.slice(all.values, 0, first, limit)};
    if (sorts) part = sort_updates(builder, module, part, batches > 1 ? (limit - first) / batch : 1, moves);
    result = builder.make(Opcode::kScatter, {result, part.rows, part.values}, Attributes(attributes));
  }
  if (pads) result = builder.slice(result, 0, 0, rows->rows);
  // Back to the dimensions of the operand.
  Dims order = rows->across;
  order.insert(order.end(), rows->along.begin(), rows->along.end());
  Dims in_order, back(order.size());
  for (size_t k = 0; k < order.size(); ++k) {
    in_order.push_back(scatter.shape.dims[order[k]]);
    back[order[k]] = static_cast<int64_t>(k);
  }
  scatter.replace_all_uses_with(builder.transpose(builder.reshape(result, in_order), back));
  return true;
}

}  // namespace

bool scatter_to_rows(Module& module, const GraphPassOptions&) {
  std::vector<Instruction*> found;
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      const bool used = !instruction.users().empty() || computation->root() == &instruction;
      if (instruction.opcode == Opcode::kScatter && used) found.push_back(&instruction);
    }
  }
  bool changed = false;
  for (Instruction* scatter : found) changed |= to_rows(*scatter);
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
