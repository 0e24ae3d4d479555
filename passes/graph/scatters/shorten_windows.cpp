// shorten_windows: few updates of a large array, by windows that extend over a dimension which stands in front of one
// that updates have a place in, become updates by windows of one element along it. They lie in the array as it is:
// scatter_to_rows would turn the array, and turn it back.
//
//   %s = f32[32,8,2048,128] scatter(%cache, concatenate(%sequence, %place), %u)     (windows of f32[1,8,1,128])
//                                                         =>
//   %i = s32[32,8,3] concatenate(broadcast(%sequence), broadcast(%place), iota along the 8)
//   %s = f32[32,8,2048,128] scatter(%cache, %i, %u)                                 (windows of f32[1,1,1,128])
//
// Such is a cache of keys that have their heads in front of their places, each sequence at a place of its own. An
// element takes its updates in the order that it took them in. Where the windows begin along the dimension is looked
// at, too: one that begins elsewhere than at 0 sticks out, and none of its updates are made.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "passes/analysis/values/constants.h"
#include "passes/analysis/values/small_update.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/scatters/scatter_dims.h"
#include "passes/graph/simplify/scatter_to_update.h"
#include "passes/stages/own/bins_stage.h"
#include "passes/stages/own/own_stages.h"
#include "passes/stages/own/scatter_stage.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// What memory moves at a time.
constexpr int64_t kSectorBytes = 32;
// A smaller array is turned twice in the time of a launch, and in that of the launches that sort.
constexpr int64_t kLeastBytes = int64_t{1} << 22, kLeastBytesSorted = int64_t{1} << 24;
// Bytes of the array for each row that is sorted: as long as it takes to turn them twice.
constexpr int64_t kBytesPerSorted = 64;

// A dimension of the operand that windows extend over, and that of the updates.
struct WholeWindow {
  int64_t of_operand = 0, of_updates = 0;
};

// Those in front of a dimension that updates have a place in; none where a window is a part of a dimension.
std::vector<WholeWindow> dimensions_in_front(const Instruction& scatter) {
  const Attributes& attributes = scatter.attributes;
  const Dims windows = list(attributes.update_window_dims), inserted = list(attributes.inserted_window_dims);
  const Dims batching = list(attributes.input_batching_dims);
  std::vector<WholeWindow> whole, in_front;
  size_t next = 0;
  for (int64_t d = 0; d < scatter.shape.rank(); ++d) {
    const int64_t extent = scatter.shape.dims[static_cast<size_t>(d)];
    if (position_in(inserted, d) || position_in(batching, d)) {
      in_front = extent > 1 ? whole : in_front;
      continue;
    }
    const int64_t of_updates = windows[next++];
    const int64_t size = scatter.operand(2)->shape.dims[static_cast<size_t>(of_updates)];
    if (extent == 1) continue;
    if (size == extent) {
      whole.push_back({d, of_updates});
    } else if (size == 1) {
      in_front = whole;
    } else {
      return {};
    }
  }
  return in_front;
}

// Whether the shorter windows write less than the array is turned for.
bool shorter_is_less(const Instruction& scatter, const std::vector<WholeWindow>& in_front) {
  const Dims& dims = scatter.operand(2)->shape.dims;
  const Dims windows = list(scatter.attributes->update_window_dims);
  int64_t rows = 1, row_bytes = dtype_bytes(scatter.shape.dtype);
  for (int64_t d = 0; d < static_cast<int64_t>(dims.size()); ++d) {
    const bool is_in_front =
        std::ranges::any_of(in_front, [&](const WholeWindow& window) { return window.of_updates == d; });
    (position_in(windows, d) && !is_in_front ? row_bytes : rows) *= dims[static_cast<size_t>(d)];
  }
  const int64_t bytes = scatter.shape.bytes();
  const bool sorts = needs_order(scatter) && !are_few(scatter, rows);
  if (bytes < (sorts ? kLeastBytesSorted : kLeastBytes) || (sorts && rows > bytes / kBytesPerSorted)) return false;
  return rows <= bytes / std::max(row_bytes, kSectorBytes);
}

bool stays_as_it_is(const Instruction& scatter) {
  if (!scatter.shape.is_array() || scatter.operands().size() != 3 || !scatter.shape.is_static()) return true;
  const Shape& updates = scatter.operand(2)->shape;
  if (!updates.is_static() || !is_small_update(scatter.shape, updates) || splat_value(*scatter.operand(0))) return true;
  return takes_bins(scatter) || wants_bins(scatter) || folds(scatter) || becomes_update_in_place(scatter);
}

void shorten(Instruction& scatter, const std::vector<WholeWindow>& in_front) {
  GraphBuilder build(scatter);
  Attributes attributes = scatter.attributes;
  // What numbers a long dimension may not fit a narrow type.
  const Value given = vectors_last(scatter, &build);
  const DType dtype = dtype_bits(given->shape.dtype) < 32 ? DType::kS32 : given->shape.dtype;
  const Value indices = build.convert(given, dtype);
  const auto batch_rank = static_cast<size_t>(indices->shape.rank()) - 1;
  set_vectors_last(indices->shape.rank(), &attributes);

  // What was a dimension of windows is one of the batch, where it stands.
  const Dims& updates = scatter.operand(2)->shape.dims;
  const Dims windows = list(attributes.update_window_dims);
  Dims& inserted =
      attributes.inserted_window_dims ? *attributes.inserted_window_dims : attributes.inserted_window_dims.emplace();
  Dims left = windows;
  for (const WholeWindow& dimension : in_front) {
    std::erase(left, dimension.of_updates);
    inserted.insert(std::ranges::upper_bound(inserted, dimension.of_operand), dimension.of_operand);
  }
  Dims dims, spread(batch_rank + 1);  // of the indices; where those of the given ones are
  size_t number = 0;
  for (int64_t d = 0; d < static_cast<int64_t>(updates.size()); ++d) {
    if (position_in(left, d)) continue;
    if (!position_in(windows, d)) spread[number++] = static_cast<int64_t>(dims.size());
    dims.push_back(updates[static_cast<size_t>(d)]);
  }
  const auto rank = static_cast<int64_t>(dims.size());
  spread[batch_rank] = rank;
  if (attributes.scatter_indices_batching_dims) {
    for (int64_t& d : *attributes.scatter_indices_batching_dims) d = spread[static_cast<size_t>(d)];
  }

  Dims one = dims;
  one.push_back(1);
  std::vector<Value> pieces;
  Dims& indexed = *attributes.scatter_dims_to_operand_dims;
  for (int64_t c = 0; c < static_cast<int64_t>(indexed.size()); ++c)
    pieces.push_back(build.broadcast(build.slice(indices, static_cast<int64_t>(batch_rank), c, c + 1), one, spread));
  for (const WholeWindow& dimension : in_front) {
    int64_t along = 0;
    for (int64_t d = 0; d < dimension.of_updates; ++d) along += position_in(left, d) ? 0 : 1;
    const Value place = build.iota(dtype, one, along);
    const std::optional<size_t> component = position_in(indexed, dimension.of_operand);
    if (!component) {
      pieces.push_back(place);
      indexed.push_back(dimension.of_operand);
      continue;
    }
    Value& piece = pieces[*component];
    const Value begins = build.compare({piece, build.integer(dtype, 0, one)}, "EQ");
    const int64_t nowhere = scatter.shape.dims[static_cast<size_t>(dimension.of_operand)];
    piece = build.select({begins, place, build.integer(dtype, nowhere, one)});
  }
  attributes.update_window_dims = left;
  attributes.index_vector_dim = rank;
  attributes.indices_are_sorted.reset();
  const Value places = pieces.size() == 1 ? pieces[0] : build.concatenate(pieces, rank);
  become(scatter, Opcode::kScatter, {scatter.operand(0), places, scatter.operand(2)}, std::move(attributes));
}

}  // namespace

bool shorten_windows(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* scatter : instructions_of(module, Opcode::kScatter)) {
    if (stays_as_it_is(*scatter)) continue;
    const std::vector<WholeWindow> in_front = dimensions_in_front(*scatter);
    const auto fits = [&](const WholeWindow& dimension) {
      return scatter->shape.dims[static_cast<size_t>(dimension.of_operand)] < INT32_MAX;
    };
    if (in_front.empty() || !std::ranges::all_of(in_front, fits) || !shorter_is_less(*scatter, in_front)) continue;
    shorten(*scatter, in_front);
    changed = true;
  }
  return changed;
}

}  // namespace sinter
