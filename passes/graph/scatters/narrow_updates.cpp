// narrow_updates: a part of an array that is updated, and put back where it was, is an update of the array itself.
//
//   %layer = f32[1,32,2048,128] dynamic-slice(%k, %l, 0, 0, 0)
//   %new = f32[32,2048,128] dynamic-update-slice(reshape(%layer), %u, 0, %p, 0)
//   %next = f32[8,32,2048,128] dynamic-update-slice(%k, reshape(%new), %l, 0, 0, 0)
//                                                         =>
//   %next = f32[8,32,2048,128] dynamic-update-slice(%k, reshape(%u), %l, 0, %p, 0)
//
// So may the inner one be a scatter into one layer, as `jax.vmap` leaves updates: its indices then name the layer, too.
// Where a number says whether the part is put back at all, it says that of the update. All that else reads the updated
// part makes it of what it was. The array may then be updated where it is, and the update alone is written.
#include <algorithm>
#include <optional>

#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/scatters/scatter_dims.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// Starts of narrower types may not hold places of the whole array.
constexpr int kLeastBits = 32;

bool is_wide(DType dtype) { return is_integer(dtype) && dtype_bits(dtype) >= kLeastBits; }

// Without dimensions of one element, which reshapes may add and take away.
Dims without_ones(const Dims& dims) {
  Dims result = dims;
  std::erase(result, 1);
  return result;
}

Instruction* through_ones(Instruction* value) {
  while (value->opcode == Opcode::kReshape &&
         without_ones(value->shape.dims) == without_ones(value->operand(0)->shape.dims))
    value = value->operand(0);
  return value;
}

class Narrowing {
 public:
  explicit Narrowing(Instruction& outer)
      : outer_(outer), array_(outer.operand(0)), part_(outer.operand(1)->shape.dims), build_(outer) {}

  bool run() {
    const auto rank = static_cast<size_t>(outer_.shape.rank());
    if (outer_.operands().size() != rank + 2 || part_ == outer_.shape.dims) return false;
    const bool is_named = std::all_of(outer_.operands().begin() + 2, outer_.operands().end(), [](const Value start) {
      return start->shape.is_scalar() && is_wide(start->shape.dtype);
    });
    Instruction* inner = is_named ? find_inner() : nullptr;
    if (inner == nullptr || !match(inner->shape.dims)) return false;
    return inner->opcode == Opcode::kScatter ? narrow_scatter(*inner) : narrow_slice(*inner);
  }

 private:
  Value start(size_t d) const { return outer_.operand(d + 2); }
  // The largest start of the part.
  int64_t limit(size_t d) const { return outer_.shape.dims[d] - part_[d]; }

  // Whether an update of the array is certainly none of the part.
  bool is_beside(const Instruction& update) const {
    for (size_t d = 0; d < part_.size() && update.operands().size() == part_.size() + 2; ++d) {
      const std::optional<int64_t> from = splat_integer(*start(d)), other = splat_integer(*update.operand(d + 2));
      if (!from || !other || *from < 0 || *other < 0) continue;
      const int64_t size = update.operand(1)->shape.dims[d];
      const int64_t own = std::clamp<int64_t>(*from, 0, limit(d));
      const int64_t at = std::clamp<int64_t>(*other, 0, outer_.shape.dims[d] - size);
      if (at + size <= own || own + part_[d] <= at) return true;
    }
    return false;
  }

  // Whether it is the part of the array that is updated, as it was.
  bool is_part(Instruction* value) const {
    value = through_ones(value);
    if (value->operands().empty() || value->shape.dims != part_) return false;
    const Instruction* array = array_;
    while (array != value->operand(0) && array->opcode == Opcode::kDynamicUpdateSlice && is_beside(*array))
      array = array->operand(0);
    if (array != value->operand(0)) return false;
    if (value->opcode == Opcode::kDynamicSlice) {
      if (value->operands().size() != part_.size() + 1) return false;
      for (size_t d = 0; d < part_.size(); ++d) {
        const Instruction *own = value->operand(d + 1), *of_update = start(d);
        const std::optional<int64_t> one = splat_integer(*own), other = splat_integer(*of_update);
        if (limit(d) > 0 && own != of_update && !(one && one == other)) return false;
      }
      return true;
    }
    if (value->opcode != Opcode::kSlice) return false;
    for (size_t d = 0; d < part_.size(); ++d) {
      const auto& range = (*value->attributes->slice)[d];
      const std::optional<int64_t> from = splat_integer(*start(d));
      if (range.stride != 1 || (limit(d) > 0 && from != range.start)) return false;
    }
    return true;
  }

  // What updates the part; the numbers that say whether it is put back are noted.
  Instruction* find_inner() {
    Instruction* value = through_ones(outer_.operand(1));
    while (value->opcode == Opcode::kSelect) {
      const Instruction& mask = *value->operand(0);
      if (mask.opcode != Opcode::kBroadcast || !mask.operand(0)->shape.is_scalar()) return nullptr;
      const bool otherwise = is_part(value->operand(1));
      if (!otherwise && !is_part(value->operand(2))) return nullptr;
      conditions_.push_back({mask.operand(0), otherwise});
      value = through_ones(value->operand(otherwise ? 2 : 1));
    }
    const bool is_update = value->opcode == Opcode::kDynamicUpdateSlice ||
                           (value->opcode == Opcode::kScatter && value->operands().size() == 3);
    return is_update && value->shape.is_array() && is_part(value->operand(0)) ? value : nullptr;
  }

  // By dimension of the inner array, which of the whole one it is; the others of that have one element in the part.
  bool match(const Dims& inner) {
    for (size_t d = 0; d < part_.size(); ++d) {
      const bool is_next = of_inner_.size() < inner.size() && inner[of_inner_.size()] == part_[d];
      if (is_next && !(part_[d] == 1 && limit(d) > 0)) {
        of_inner_.push_back(static_cast<int64_t>(d));
      } else if (part_[d] == 1) {
        added_.push_back(static_cast<int64_t>(d));
      } else {
        return false;
      }
    }
    return of_inner_.size() == inner.size();
  }

  Value clamped(Value value, int64_t most) {
    const DType dtype = value->shape.dtype;
    return build_.make(Opcode::kClamp, {build_.integer(dtype, 0), value, build_.integer(dtype, most)});
  }

  // Whether all conditions hold; nullptr: there are none.
  Value condition() {
    Value all = nullptr;
    for (const auto& [number, is_inverse] : conditions_) {
      const Value one = is_inverse ? build_.make(Opcode::kNot, {number}) : number;
      all = all == nullptr ? one : build_.make(Opcode::kAnd, {all, one});
    }
    return all;
  }

  bool narrow_slice(Instruction& inner) {
    Dims sizes = part_;
    for (const int64_t d : added_) sizes[d] = 1;
    for (size_t n = 0; n < of_inner_.size(); ++n) sizes[of_inner_[n]] = inner.operand(1)->shape.dims[n];
    if (inner.operands().size() != of_inner_.size() + 2 || sizes == part_) return false;
    for (size_t n = 0; n < of_inner_.size(); ++n) {
      const Shape& shape = inner.operand(n + 2)->shape;
      if (!shape.is_scalar() || !is_wide(shape.dtype)) return false;
    }
    std::vector<Value> starts;
    for (size_t d = 0; d < part_.size(); ++d) starts.push_back(start(d));
    for (size_t n = 0; n < of_inner_.size(); ++n) {
      const int64_t d = of_inner_[n], within = part_[d] - sizes[d];
      if (within == 0) continue;
      const DType dtype = starts[d]->shape.dtype;
      Value own = inner.operand(n + 2);
      // Where the part is the whole dimension, the new update is clamped as the inner one is.
      if (limit(d) > 0 || own->shape.dtype != dtype) own = build_.convert(clamped(own, within), dtype);
      starts[d] = limit(d) == 0 ? own : build_.add({clamped(starts[d], limit(d)), own});
    }
    Value update = build_.reshape(inner.operand(1), sizes);
    std::vector<Value> operands = {array_};
    operands.insert(operands.end(), starts.begin(), starts.end());
    if (const Value is_put = condition()) {
      Attributes attributes;
      attributes.dynamic_slice_sizes = sizes;
      const Value present = build_.make(Opcode::kDynamicSlice, operands, std::move(attributes));
      update = build_.select({build_.splat(is_put, sizes), update, present});
    }
    operands.insert(operands.begin() + 1, update);
    become(outer_, Opcode::kDynamicUpdateSlice, operands);
    return true;
  }

  // Where the part begins becomes a component of all indices: an update that is not put back is out of range.
  bool narrow_scatter(Instruction& inner) {
    Dims layer;  // dimensions of which the part has one element of several
    for (size_t d = 0; d < part_.size(); ++d) {
      if (limit(d) == 0) continue;
      if (position_in(added_, static_cast<int64_t>(d)) == std::nullopt) return false;
      layer.push_back(static_cast<int64_t>(d));
    }
    Value indices = inner.operand(1);
    if (!is_wide(indices->shape.dtype) || layer.empty()) return false;
    const auto vector_dim = inner.attributes->index_vector_dim.value_or(indices->shape.rank());
    if (vector_dim == indices->shape.rank()) {
      Dims dims = indices->shape.dims;
      dims.push_back(1);
      indices = build_.reshape(indices, dims);
    }
    const auto mapped = [&](const Dims& dims) {
      Dims result;
      for (const int64_t d : dims) result.push_back(of_inner_[d]);
      return result;
    };
    Rare<Attributes> attributes = inner.attributes;
    Attributes& edited = attributes.edit();
    edited.index_vector_dim = vector_dim;
    Dims inserted = mapped(list(edited.inserted_window_dims));
    inserted.insert(inserted.end(), added_.begin(), added_.end());
    std::ranges::sort(inserted);
    edited.inserted_window_dims = inserted;
    edited.input_batching_dims = mapped(list(edited.input_batching_dims));
    Dims named = mapped(list(edited.scatter_dims_to_operand_dims));
    std::vector<Value> components = {indices};
    if (indices->shape.dims[vector_dim] == 0) components.clear();
    const DType dtype = indices->shape.dtype;
    Dims one = indices->shape.dims;
    one[vector_dim] = 1;
    const Value is_put = condition();
    for (const int64_t d : layer) {
      Value place = build_.convert(clamped(start(d), limit(d)), dtype);
      if (is_put != nullptr) place = build_.select({is_put, place, build_.integer(dtype, outer_.shape.dims[d])});
      components.push_back(build_.splat(place, one));
      named.push_back(d);
    }
    edited.scatter_dims_to_operand_dims = named;
    const Value all = components.size() == 1 ? components[0] : build_.concatenate(components, vector_dim);
    become(outer_, Opcode::kScatter, {array_, all, inner.operand(2)}, std::move(attributes));
    return true;
  }

  struct Condition {
    Value number = nullptr;
    bool is_inverse = false;
  };

  Instruction& outer_;
  Instruction* array_;
  const Dims part_;
  GraphBuilder build_;
  std::vector<Condition> conditions_;
  Dims of_inner_, added_;
};

}  // namespace

bool narrow_updates(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* update : instructions_of(module, Opcode::kDynamicUpdateSlice)) {
    if (update->shape.is_array()) changed |= Narrowing(*update).run();
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
