// slice_first: what is read of an array through one slice alone is computed for the slice alone, where that leaves out
// half of a reduction or a matrix product, or more.
//
//   %normal = f32[64,197,768] layer norm of %x, a mean and a variance for each row of 768
//   %first = f32[64,1,768] slice(%normal), slice={[0:64], [0:1], [0:768]}
//                                                     =>
//   %x_first = f32[64,1,768] slice(%x), slice={[0:64], [0:1], [0:768]}
//   %first = f32[64,1,768] layer norm of %x_first
//
// Each element is computed as it was. A kernel that computes the elements it is asked for needs no such pass; one of
// rows or tiles computes all of them.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ir/module/device_functions.h"
#include "ir/support/ceil_div.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Bounds = std::vector<SliceBounds>;

SliceBounds whole(int64_t size) { return {0, size, 1}; }
int64_t size_of(const SliceBounds& bounds) { return ceil_div(bounds.limit - bounds.start, bounds.stride); }

bool is_heavy(const Instruction& value) { return value.opcode == Opcode::kReduce || value.opcode == Opcode::kDot; }

// A dimension that is one before as after keeps its part; those that several are made of, or come apart, are whole.
bool part_through_reshape(const Instruction& value, const Bounds& part, Bounds* of_operand) {
  const std::vector<int64_t>&to = value.shape.dims, &from = value.operand(0)->shape.dims;
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    if (i < from.size() && from[i] == 1) {
      of_operand->push_back(whole(1));
      ++i;
      continue;
    }
    if (j < to.size() && to[j] == 1) {
      ++j;
      continue;
    }
    // As few dimensions as have as many elements before as after.
    const size_t first_from = i, first_to = j;
    int64_t before = i < from.size() ? from[i++] : 1, after = j < to.size() ? to[j++] : 1;
    while (before != after) {
      int64_t& less = before < after ? before : after;
      const bool is_from = before < after;
      if (is_from ? i == from.size() : j == to.size()) return false;
      less *= is_from ? from[i++] : to[j++];
    }
    const bool is_one = i - first_from == 1 && j - first_to == 1;
    for (size_t k = first_to; k < j; ++k) {
      if (!is_one && !(part[k] == whole(to[k]))) return false;
    }
    for (size_t k = first_from; k < i; ++k) of_operand->push_back(is_one ? part[first_to] : whole(from[k]));
  }
  return true;
}

// What of each operand is needed for this part of `value`: nothing said of an operand that is needed whole. nullopt: it
// has no part that is computed alone.
std::optional<std::vector<std::optional<Bounds>>> parts_of_operands(const Instruction& value, const Bounds& part) {
  std::vector<std::optional<Bounds>> result(value.operands().size());
  if (value.opcode == Opcode::kDot) {
    for (const size_t side : {0, 1}) {
      const OperandDims dims = operand_dims(value, side);
      const Shape& shape = value.operand(side)->shape;
      Bounds& of_side = result[side].emplace();
      for (const int64_t size : shape.dims) of_side.push_back(whole(size));
      const size_t first = side == 0 ? dims.batch.size() : part.size() - dims.free.size();
      for (size_t i = 0; i < dims.batch.size(); ++i) of_side[static_cast<size_t>(dims.batch[i])] = part[i];
      for (size_t i = 0; i < dims.free.size(); ++i) of_side[static_cast<size_t>(dims.free[i])] = part[first + i];
    }
    return result;
  }
  if (value.opcode == Opcode::kReduce) {
    if (value.operands().size() != 2) return std::nullopt;
    const std::vector<int64_t>& reduced = *value.attributes->dimensions;
    Bounds& of_array = result[0].emplace();
    size_t kept = 0;
    for (int64_t dim = 0; dim < value.operand(0)->shape.rank(); ++dim) {
      const bool is_reduced = std::find(reduced.begin(), reduced.end(), dim) != reduced.end();
      of_array.push_back(is_reduced ? whole(value.operand(0)->shape.dims[static_cast<size_t>(dim)]) : part[kept++]);
    }
    return result;
  }
  if (value.opcode == Opcode::kBroadcast) {
    Bounds& of_operand = result[0].emplace();
    for (const int64_t dim : *value.attributes->dimensions) of_operand.push_back(part[static_cast<size_t>(dim)]);
    return result;
  }
  if (value.opcode == Opcode::kTranspose) {
    Bounds& of_operand = result[0].emplace(part.size());
    const std::vector<int64_t>& from = *value.attributes->dimensions;
    for (size_t i = 0; i < part.size(); ++i) of_operand[static_cast<size_t>(from[i])] = part[i];
    return result;
  }
  if (value.opcode == Opcode::kReshape) {
    return part_through_reshape(value, part, &result[0].emplace()) ? std::optional(result) : std::nullopt;
  }
  if (family_of(value) != Family::kElementwise || value.opcode == Opcode::kCustomCall || value.operands().empty())
    return std::nullopt;
  for (size_t i = 0; i < result.size(); ++i) {
    const Shape& shape = value.operand(i)->shape;
    if (shape.dims == value.shape.dims) {
      result[i] = part;
    } else if (!shape.is_scalar()) {
      return std::nullopt;
    }
  }
  return result;
}

class Narrower {
 public:
  explicit Narrower(Computation& computation) : computation_(computation) {}

  bool run() {
    for (Instruction& value : computation_.instructions()) values_.push_back(&value);
    find_parts();
    if (worth_it_.empty()) return false;
    // Users first.
    for (size_t i = values_.size(); i-- > 0;) {
      if (worth_it_.count(values_[i]) > 0) narrow(*values_[i], parts_.at(values_[i]));
    }
    return true;
  }

 private:
  // Of which values all users read one part, and it is at most half; which of them are heavy, or made of heavy ones.
  void find_parts() {
    std::map<const Instruction*, std::vector<std::optional<Bounds>>> of_operands;  // only looked up
    for (size_t i = values_.size(); i-- > 0;) {
      const Instruction& value = *values_[i];
      if (value.users().empty() || !value.shape.is_array() || !value.shape.is_static() ||
          computation_.root() == &value || !value.control_predecessors.empty())
        continue;
      std::optional<Bounds> part;
      bool is_one = true;
      for (const Instruction* user : value.users()) {
        const Bounds* read = nullptr;
        const auto narrowed = of_operands.find(user);
        if (narrowed != of_operands.end()) {
          for (size_t slot = 0; slot < user->operands().size(); ++slot) {
            const std::optional<Bounds>& of_slot = narrowed->second[slot];
            if (user->operand(slot) != &value) continue;
            is_one &= of_slot.has_value() && (read == nullptr || *read == *of_slot);
            if (of_slot) read = &*of_slot;
          }
        } else if (user->opcode == Opcode::kSlice) {
          read = &*user->attributes->slice;
        }
        is_one &= read != nullptr && (!part || *part == *read);
        if (!is_one) break;
        part = *read;
      }
      if (!is_one || elements_of(*part) == 0 || elements_of(*part) * 2 > value.shape.element_count()) continue;
      auto operands = parts_of_operands(value, *part);
      if (!operands) continue;
      parts_[&value] = *part;
      of_operands[&value] = std::move(*operands);
    }
    for (const Instruction* value : values_) {
      if (parts_.count(value) == 0) continue;
      const auto& operands = value->operands();
      const bool of_heavy = std::any_of(operands.begin(), operands.end(),
                                        [&](const Instruction* operand) { return worth_it_.count(operand) > 0; });
      if (is_heavy(*value) || of_heavy) worth_it_.insert(value);
    }
  }

  static int64_t elements_of(const Bounds& part) {
    int64_t count = 1;
    for (const SliceBounds& bounds : part) count *= size_of(bounds);
    return count;
  }

  static Shape shape_of(const Shape& shape, const Bounds& part) {
    std::vector<int64_t> dims;
    for (const SliceBounds& bounds : part) dims.push_back(size_of(bounds));
    return Shape::array(shape.dtype, dims);
  }

  void narrow(Instruction& value, const Bounds& part) {
    const auto of_operands = *parts_of_operands(value, part);
    std::vector<Instruction*> operands;
    for (size_t i = 0; i < of_operands.size(); ++i) {
      Instruction* operand = value.operand(i);
      const Shape of_part = of_operands[i] ? shape_of(operand->shape, *of_operands[i]) : operand->shape;
      if (of_part.dims != operand->shape.dims) {
        Attributes attributes;
        attributes.slice = *of_operands[i];
        operand = insert_like(value, Opcode::kSlice, of_part, {operand}, attributes);
      }
      operands.push_back(operand);
    }
    Instruction* narrowed =
        insert_like(value, value.opcode, shape_of(value.shape, part), operands, value.attributes, value.name);
    narrowed->annotations = value.annotations;
    // By now all users are slices.
    const std::vector<Instruction*> slices = value.users();
    for (Instruction* slice : slices) slice->replace_all_uses_with(narrowed);
    std::vector<Instruction*> dead = slices;
    dead.push_back(&value);
    remove_instructions(computation_, dead);
  }

  Computation& computation_;
  std::vector<Instruction*> values_;
  std::map<const Instruction*, Bounds> parts_;  // only looked up
  std::set<const Instruction*> worth_it_;       // the same
};

}  // namespace

bool slice_first(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (const auto& computation : module.computations()) changed |= Narrower(*computation).run();
  return changed;
}

}  // namespace sinter
