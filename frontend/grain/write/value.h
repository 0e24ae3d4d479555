// Values of a Grain program while it is lowered: instructions whose leading axes are indices, the frame.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "frontend/grain/text/types.h"
#include "ir/module/module.h"

namespace sinter::grain {

// An index: of a definition's left side, a reduction, an update's places, or an axis that a call is lifted over.
struct Index {
  enum class Range : uint8_t { kNone, kWritten, kDeclared, kSubscript, kFitted };
  std::string name;
  Loc loc;
  int serial = 0;  // of binding
  Range range = Range::kNone;
  Formula low, high;       // [low, high)
  std::string range_from;  // "y, 2:36": where its range is from
  bool used = false;
  // The numbers of this compile.
  int64_t first = 0, extent = 0;
};

// Integers from low to high, both included.
struct Interval {
  int64_t low = 0, high = 0;
  bool operator==(const Interval&) const = default;
  bool within(const Interval& other) const { return low >= other.low && high <= other.high; }
};

// All numbers from the lowest to the highest of either; unknown where one of them is.
inline std::optional<Interval> hull(const std::optional<Interval>& a, const std::optional<Interval>& b) {
  if (!a || !b) return std::nullopt;
  return Interval{std::min(a->low, b->low), std::max(a->high, b->high)};
}

// All numbers of an integer type; of 64 bits less, so that two of them can be added.
inline Interval range_of(DType dtype) {
  const int bits = std::min(dtype_bits(dtype), 62);
  const int64_t high = (int64_t{1} << (is_signed_integer(dtype) ? bits - 1 : bits)) - 1;
  return {is_signed_integer(dtype) ? -high - 1 : 0, high};
}

using Frame = std::vector<const Index*>;

// One array of a value: axes of the frame, then those of its type.
struct Part {
  Instruction* value = nullptr;
  Frame frame;
  std::optional<Interval> interval;  // of all elements, where they are integers

  size_t type_rank() const { return value->shape.dims.size() - frame.size(); }
};

// A value: one part for each leaf of its element, a record's fields in their order. No parts where nothing is lowered.
struct Value {
  Type type;
  std::vector<Part> parts;
};

// A leaf of an element type.
struct Leaf {
  DType dtype = DType::kF32;
  std::vector<Formula> dims;
  std::string path;  // "first.w"; empty for an element that is no record
};

}  // namespace sinter::grain
