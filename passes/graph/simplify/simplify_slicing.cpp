// Rules of simplify: slice, pad, concatenate, reverse, iota.
#include <algorithm>
#include <optional>

#include "passes/graph/base/rewrite.h"
#include "passes/graph/simplify/simplify_rules.h"

namespace sinter {
namespace {

bool is_whole(const SliceBounds& bounds, int64_t size) {
  return bounds.start == 0 && bounds.limit == size && bounds.stride == 1;
}

Instruction* become_slice(Instruction& instruction, Instruction* operand, std::vector<SliceBounds> bounds) {
  Attributes attributes;
  attributes.slice = std::move(bounds);
  become(instruction, Opcode::kSlice, {operand}, std::move(attributes));
  return &instruction;
}

Instruction* slice_of_slice(Instruction& slice, const Instruction& inner) {
  std::vector<SliceBounds> composed;
  for (size_t d = 0; d < slice.shape.dims.size(); ++d) {
    const SliceBounds& first = inner.attributes->slice.value()[d];
    const SliceBounds& second = slice.attributes->slice.value()[d];
    const int64_t count = slice.shape.dims[d];
    // What is empty may begin behind the last element of the inner slice, a stride beyond the operand.
    const int64_t start = first.start + (count == 0 ? 0 : second.start * first.stride);
    const int64_t stride = first.stride * second.stride;
    composed.push_back({start, count == 0 ? start : start + (count - 1) * stride + 1, stride});
  }
  return become_slice(slice, inner.operand(0), std::move(composed));
}

// A slice that lies within one operand of a concatenation.
Instruction* slice_of_concatenate(Instruction& slice, const Instruction& joined) {
  const auto dim = static_cast<size_t>(joined.attributes->dimensions.value()[0]);
  std::vector<SliceBounds> bounds = slice.attributes->slice.value();
  int64_t begin = 0;
  for (Instruction* part : joined.operands()) {
    const int64_t end = begin + part->shape.dims[dim];
    if (bounds[dim].start >= begin && bounds[dim].limit <= end) {
      bounds[dim].start -= begin;
      bounds[dim].limit -= begin;
      return become_slice(slice, part, std::move(bounds));
    }
    begin = end;
  }
  return nullptr;
}

// A slice of a broadcast that keeps whole what the broadcast reads.
Instruction* slice_of_broadcast(Instruction& slice, const Instruction& broadcast) {
  const std::vector<int64_t> dimensions = broadcast.attributes->dimensions.value_or(std::vector<int64_t>());
  for (int64_t dim : dimensions) {
    const auto d = static_cast<size_t>(dim);
    if (!is_whole(slice.attributes->slice.value()[d], broadcast.shape.dims[d])) return nullptr;
  }
  Attributes attributes;
  attributes.dimensions = dimensions;
  become(slice, Opcode::kBroadcast, {broadcast.operand(0)}, std::move(attributes));
  return &slice;
}

// A slice of what was padded that holds no padding.
Instruction* slice_of_pad(Instruction& slice, const Instruction& pad) {
  std::vector<SliceBounds> bounds = slice.attributes->slice.value();
  for (size_t d = 0; d < bounds.size(); ++d) {
    const PadBounds& padding = pad.attributes->padding.value()[d];
    const int64_t size = pad.operand(0)->shape.dims[d];
    bounds[d].start -= padding.low;
    bounds[d].limit -= padding.low;
    if (padding.interior != 0 || bounds[d].start < 0 || bounds[d].limit > size) return nullptr;
  }
  return become_slice(slice, pad.operand(0), std::move(bounds));
}

// Where a dynamic-update-slice writes along each dimension, if that is known and needs no clamping.
std::optional<std::vector<SliceBounds>> written_by(const Instruction& update) {
  std::vector<SliceBounds> written;
  for (size_t d = 0; d < update.shape.dims.size(); ++d) {
    const Instruction& start = *update.operand(d + 2);
    const int64_t size = update.operand(1)->shape.dims[d];
    if (start.opcode != Opcode::kConstant) return std::nullopt;
    const int64_t first = start.literal.integer_at(0);
    if (first < 0 || first > update.shape.dims[d] - size) return std::nullopt;
    written.push_back({first, first + size, 1});
  }
  return written;
}

// A slice of what lies within an update, or beside it and others before: of the update, or of the array before them
// all. An array that nothing but its update reads stays so: the update may be made in its place.
Instruction* slice_of_update(Instruction& slice, Instruction* updated) {
  const std::vector<SliceBounds>& bounds = slice.attributes->slice.value();
  Instruction *source = updated, *read = updated;
  while (source->opcode == Opcode::kDynamicUpdateSlice) {
    const std::optional<std::vector<SliceBounds>> written = written_by(*source);
    if (!written) break;
    bool beside = false, within = true;
    for (size_t d = 0; d < bounds.size(); ++d) {
      beside |= bounds[d].limit <= (*written)[d].start || bounds[d].start >= (*written)[d].limit;
      within &= bounds[d].start >= (*written)[d].start && bounds[d].limit <= (*written)[d].limit;
    }
    if (within) {
      std::vector<SliceBounds> inner = bounds;
      for (size_t d = 0; d < inner.size(); ++d) {
        inner[d].start -= (*written)[d].start;
        inner[d].limit -= (*written)[d].start;
      }
      return become_slice(slice, source->operand(1), std::move(inner));
    }
    if (!beside) break;
    source = source->operand(0);
    if (source->users().size() > 1) read = source;
  }
  return read == updated ? nullptr : become_slice(slice, read, bounds);
}

Instruction* simplify_slice(Instruction& slice) {
  Instruction* a = slice.operand(0);
  if (!a->shape.is_static()) return nullptr;
  const std::vector<SliceBounds>& bounds = slice.attributes->slice.value();
  bool whole = true;
  for (size_t d = 0; d < bounds.size(); ++d) whole = whole && is_whole(bounds[d], a->shape.dims[d]);
  if (whole) return a;
  switch (a->opcode) {
    case Opcode::kSlice:
      return slice_of_slice(slice, *a);
    case Opcode::kConcatenate:
      return slice_of_concatenate(slice, *a);
    case Opcode::kBroadcast:
      return slice_of_broadcast(slice, *a);
    case Opcode::kPad:
      return slice_of_pad(slice, *a);
    case Opcode::kDynamicUpdateSlice:
      return slice_of_update(slice, a);
    default:
      return nullptr;
  }
}

Instruction* simplify_pad(Instruction& pad) {
  if (pad.operand(0)->shape.element_count() == 0 && pad.shape.is_static()) {
    return insert_broadcast_like(pad, pad.operand(1), pad.shape);
  }
  const std::vector<PadBounds>& padding = pad.attributes->padding.value();
  std::vector<SliceBounds> kept;
  for (size_t d = 0; d < padding.size(); ++d) {
    if (padding[d].low > 0 || padding[d].high > 0 || padding[d].interior != 0) return nullptr;
    const int64_t start = -padding[d].low;
    kept.push_back({start, start + pad.shape.dims[d], 1});
  }
  return become_slice(pad, pad.operand(0), std::move(kept));
}

// Neighbouring slices of one array, put together again: a slice of it.
Instruction* rejoin_slices(Instruction& joined, size_t dim) {
  const Instruction& first = *joined.operand(0);
  if (first.opcode != Opcode::kSlice) return nullptr;
  std::vector<SliceBounds> bounds = first.attributes->slice.value();
  if (bounds[dim].stride != 1) return nullptr;
  for (size_t i = 1; i < joined.operands().size(); ++i) {
    const Instruction& part = *joined.operand(i);
    if (part.opcode != Opcode::kSlice || part.operand(0) != first.operand(0)) return nullptr;
    const std::vector<SliceBounds>& next = part.attributes->slice.value();
    for (size_t d = 0; d < bounds.size(); ++d) {
      if (d == dim ? next[d].stride != 1 || next[d].start != bounds[d].limit : next[d] != bounds[d]) return nullptr;
    }
    bounds[dim].limit = next[dim].limit;
  }
  return become_slice(joined, first.operand(0), std::move(bounds));
}

Instruction* simplify_concatenate(Instruction& joined) {
  if (joined.operands().size() == 1) return joined.operand(0);
  const auto dim = static_cast<size_t>(joined.attributes->dimensions.value()[0]);
  std::vector<Instruction*> parts;
  bool flattened = false;
  for (Instruction* part : joined.operands()) {
    const bool is_nested = part->opcode == Opcode::kConcatenate && part->users().size() == 1 &&
                           part->attributes->dimensions == joined.attributes->dimensions;
    if (is_nested) {
      parts.insert(parts.end(), part->operands().begin(), part->operands().end());
      flattened = true;
    } else if (part->shape.dims[dim] != 0 || joined.shape.dims[dim] == 0) {
      parts.push_back(part);
    }
  }
  if (flattened || parts.size() != joined.operands().size()) {
    if (parts.size() == 1) return parts[0];
    joined.set_operands(parts);
    return &joined;
  }
  return rejoin_slices(joined, dim);
}

Instruction* simplify_reverse(Instruction& reverse) {
  Instruction* a = reverse.operand(0);
  std::vector<int64_t> dimensions;
  for (int64_t dim : reverse.attributes->dimensions.value()) {
    if (reverse.shape.dims[static_cast<size_t>(dim)] != 1) dimensions.push_back(dim);
  }
  if (dimensions.empty()) return a;
  if (a->opcode == Opcode::kReverse && a->attributes->dimensions == reverse.attributes->dimensions) {
    return a->operand(0);
  }
  if (dimensions == reverse.attributes->dimensions.value()) return nullptr;
  reverse.attributes.edit().dimensions = std::move(dimensions);
  return &reverse;
}

Instruction* simplify_iota(Instruction& iota) {
  const auto dim = static_cast<size_t>(iota.attributes->iota_dimension.value());
  if (iota.shape.dims[dim] != 1) return nullptr;
  Literal zero(Shape::scalar(iota.shape.dtype));
  // Not every float has a zero: the bits may be those of something else.
  if (is_float(iota.shape.dtype)) zero.set_real(0, 0);
  become_splat(iota, zero);
  return &iota;
}

}  // namespace

Instruction* simplify_slicing(Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kSlice:
      return simplify_slice(instruction);
    case Opcode::kPad:
      return simplify_pad(instruction);
    case Opcode::kConcatenate:
      return simplify_concatenate(instruction);
    case Opcode::kReverse:
      return simplify_reverse(instruction);
    case Opcode::kIota:
      return simplify_iota(instruction);
    default:
      return nullptr;
  }
}

}  // namespace sinter
