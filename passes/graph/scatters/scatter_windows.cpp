// scatter_windows: many updates by windows that are a part of the operand along a dimension, and would be looked for in
// all updates by each element, become updates of whole rows, which are sorted. Where all windows begin at one place, of
// the part that they are:
//
//   %s = f32[65536,64] scatter(%x, concatenate(%i, 1), %u), to_apply=%add      (u f32[262144,2])
//                                                         =>
//   %p = f32[65536,2] scatter(slice(%x, [:, 1:3]), %i, %u), to_apply=%add
//   %s = f32[65536,64] dynamic-update-slice(%x, %p, 0, 1)
//
// Elsewhere of an element each: gradients of slices at places of their own. A window that is not all inside of the
// operand changes nothing.
//
//   %s = f32[1048576] scatter(%x, %i, %u), to_apply=%add      (i s32[4096,1], u f32[4096,64])
//                                                         =>
//   %at = s32[4096,64,1] select(0 <= %i <= 1048512, %i + iota, -1)
//   %s = f32[1048576] scatter(%x, %at, %u), to_apply=%add, update_window_dims={}
#include <algorithm>
#include <numeric>

#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/scatters/scatter_dims.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// Updates, each of which an element looks at in less time than they are sorted in.
constexpr int64_t kFewUpdates = 32;
// Elements of updates that are sorted together (scatter_to_rows).
constexpr int64_t kMostWindowElements = int64_t{1} << 29;

// A dimension of the operand that windows are a part of.
struct PartialWindow {
  int64_t dimension = 0;            // of the operand
  int64_t of_updates = 0;           // that dimension of the updates
  int64_t extent = 0, window = 0;   // of the operand's dimension, and of the windows
  std::optional<size_t> component;  // of the indices, that says where windows begin; none: at 0
};

std::optional<PartialWindow> partial_window(const Instruction& scatter) {
  const Attributes& attributes = scatter.attributes;
  const Dims windows = list(attributes.update_window_dims), inserted = list(attributes.inserted_window_dims);
  const Dims batching = list(attributes.input_batching_dims);
  size_t next = 0;
  for (int64_t d = 0; d < scatter.shape.rank(); ++d) {
    if (position_in(inserted, d) || position_in(batching, d)) continue;
    const int64_t of_updates = windows[next++];
    const int64_t window = scatter.operand(2)->shape.dims[static_cast<size_t>(of_updates)];
    const int64_t extent = scatter.shape.dims[static_cast<size_t>(d)];
    if (window == extent) continue;
    return PartialWindow{d, of_updates, extent, window, position_in(list(attributes.scatter_dims_to_operand_dims), d)};
  }
  return std::nullopt;
}

// Whether each element of the result would look at all updates, which are many.
bool is_searched_by_all(const Instruction& scatter) {
  if (!scatter.shape.is_array() || scatter.operands().size() != 3 || !scatter.shape.is_static()) return false;
  if (!is_signed_integer(scatter.operand(1)->shape.dtype)) return false;
  const Shape& updates = scatter.operand(2)->shape;
  if (!updates.is_static() || updates.element_count() == 0 || updates.element_count() > kMostWindowElements)
    return false;
  int64_t count = updates.element_count();
  for (const int64_t d : list(scatter.attributes->update_window_dims)) count /= updates.dims[static_cast<size_t>(d)];
  // An element of a batch looks at those of its own.
  for (const int64_t d : list(scatter.attributes->input_batching_dims))
    count /= scatter.shape.dims[static_cast<size_t>(d)];
  return count > kFewUpdates;
}

// Windows that all begin at `begin`: of that part of the operand, which is put back.
void take_part(Instruction& scatter, const PartialWindow& partial, int64_t begin) {
  GraphBuilder build(scatter);
  Attributes attributes = scatter.attributes;
  Value indices = vectors_last(scatter, &build);
  const int64_t last = indices->shape.rank() - 1;
  set_vectors_last(last + 1, &attributes);
  if (partial.component) {
    Dims& indexed = *attributes.scatter_dims_to_operand_dims;
    indexed.erase(indexed.begin() + static_cast<ptrdiff_t>(*partial.component));
    const auto component = static_cast<int64_t>(*partial.component), count = indices->shape.dims.back();
    std::vector<Value> pieces;
    if (component > 0) pieces.push_back(build.slice(indices, last, 0, component));
    if (component + 1 < count) pieces.push_back(build.slice(indices, last, component + 1, count));
    indices = pieces.size() == 1 ? pieces[0] : build.concatenate(pieces, last);
  }
  const Value part = build.slice(scatter.operand(0), partial.dimension, begin, begin + partial.window);
  const Value updated = build.make(Opcode::kScatter, {part, indices, scatter.operand(2)}, std::move(attributes));
  std::vector<Value> operands = {scatter.operand(0), updated};
  for (int64_t d = 0; d < scatter.shape.rank(); ++d)
    operands.push_back(build.integer(DType::kS32, d == partial.dimension ? begin : 0));
  become(scatter, Opcode::kDynamicUpdateSlice, operands);
}

// Updates by windows of one element along the dimension.
void take_elements(Instruction& scatter, const PartialWindow& partial) {
  GraphBuilder build(scatter);
  Attributes attributes = scatter.attributes;
  // What is added to narrow indices may not fit their type.
  const Value given = vectors_last(scatter, &build);
  const DType dtype = dtype_bits(given->shape.dtype) < 32 ? DType::kS32 : given->shape.dtype;
  const Value indices = build.convert(given, dtype);
  const Dims& batch_and_vector = indices->shape.dims;
  const auto rank = static_cast<int64_t>(batch_and_vector.size());
  set_vectors_last(rank + 1, &attributes);

  // [batch, window, vector]: where each element is.
  Dims dims = batch_and_vector, spread(static_cast<size_t>(rank));
  dims.insert(dims.end() - 1, partial.window);
  std::iota(spread.begin(), spread.end(), 0);
  ++spread.back();
  const auto component = static_cast<int64_t>(*partial.component), count = batch_and_vector.back();
  const auto at = [&](int64_t first, int64_t end) {
    Dims piece = dims;
    piece.back() = end - first;
    return build.broadcast(build.slice(indices, rank - 1, first, end), piece, spread);
  };
  Dims one = dims;
  one.back() = 1;
  const Value begin = at(component, component + 1);
  const Value inside = build.make(
      Opcode::kAnd, {build.compare({build.integer(dtype, 0, one), begin}, "LE"),
                     build.compare({begin, build.integer(dtype, partial.extent - partial.window, one)}, "LE")});
  const Value place =
      build.select({inside, build.add({begin, build.iota(dtype, one, rank - 1)}), build.integer(dtype, -1, one)});
  std::vector<Value> pieces;
  if (component > 0) pieces.push_back(at(0, component));
  pieces.push_back(place);
  if (component + 1 < count) pieces.push_back(at(component + 1, count));
  const Value places = pieces.size() == 1 ? place : build.concatenate(pieces, rank);

  // The window's dimension stands behind the batch: each element takes updates in the order that it took windows in.
  const Value updates = scatter.operand(2);
  const Dims windows = list(attributes.update_window_dims);
  Dims order, left;
  for (int64_t d = 0; d < updates->shape.rank(); ++d) {
    if (!position_in(windows, d)) order.push_back(d);
  }
  order.push_back(partial.of_updates);
  for (const int64_t d : windows) {
    if (d == partial.of_updates) continue;
    left.push_back(static_cast<int64_t>(order.size()));
    order.push_back(d);
  }
  attributes.update_window_dims = left;
  attributes.unique_indices.reset();
  attributes.indices_are_sorted.reset();
  Dims& inserted =
      attributes.inserted_window_dims ? *attributes.inserted_window_dims : attributes.inserted_window_dims.emplace();
  inserted.insert(std::ranges::upper_bound(inserted, partial.dimension), partial.dimension);
  become(scatter, Opcode::kScatter, {scatter.operand(0), places, build.transpose(updates, order)},
         std::move(attributes));
}

bool make_whole(Instruction& scatter) {
  if (!is_searched_by_all(scatter)) return false;
  const std::optional<PartialWindow> partial = partial_window(scatter);
  if (!partial) return false;
  const std::optional<int64_t> begin =
      partial->component ? constant_component(scatter, static_cast<int64_t>(*partial->component)) : 0;
  const bool is_alone = partial->component && list(scatter.attributes->scatter_dims_to_operand_dims).size() == 1;
  if (begin && *begin >= 0 && *begin <= partial->extent - partial->window && !is_alone) {
    take_part(scatter, *partial, *begin);
    return true;
  }
  const bool fits = partial->extent <= INT32_MAX || scatter.operand(1)->shape.dtype == DType::kS64;
  if (!partial->component || !fits) return false;
  take_elements(scatter, *partial);
  return true;
}

}  // namespace

bool scatter_windows(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* scatter : instructions_of(module, Opcode::kScatter)) {
    // The scatter that one dimension leaves may have another.
    while (scatter->opcode == Opcode::kScatter && make_whole(*scatter)) {
      changed = true;
      if (scatter->opcode == Opcode::kDynamicUpdateSlice) scatter = scatter->operand(1);
    }
  }
  return changed;
}

}  // namespace sinter
