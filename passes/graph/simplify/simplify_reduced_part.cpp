// Rule of simplify: a reduction of what another reduction reduces along fewer dimensions.
//
//   %m = f32[1024,64] reduce(%x, -inf), dimensions={2}, to_apply=maximum
//   reduce(%x, -inf), dimensions={1,2}, to_apply=maximum      =>      reduce(%m, -inf), dimensions={1}
#include <algorithm>

#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/simplify/simplify_rules.h"

namespace sinter {
namespace {

using Dims = std::vector<int64_t>;

// Whether the same comes out in whatever order, and however often it begins with `initial`.
bool has_no_order(Opcode combiner, DType dtype, const Instruction& initial) {
  switch (combiner) {
    case Opcode::kMaximum:
    case Opcode::kMinimum:
    case Opcode::kAnd:
    case Opcode::kOr:
      return !is_complex(dtype);
    case Opcode::kAdd:
      return is_integer(dtype) && neutral_beginning(combiner, dtype, initial);
    default:
      return false;
  }
}

bool contains(const Dims& dims, int64_t d) { return std::ranges::find(dims, d) != dims.end(); }

}  // namespace

Instruction* simplify_reduced_part(Instruction& reduce) {
  const Dims& dims = *reduce.attributes->dimensions;
  // Outside of loops a kernel of its own may as well reduce the array again.
  const bool in_loop = reduce.parent() != reduce.parent()->parent()->entry();
  if (!in_loop || reduce.operands().size() != 2 || dims.size() < 2) return nullptr;
  const std::optional<Opcode> combiner = simple_combiner(**reduce.attributes->to_apply);
  if (!combiner || !has_no_order(*combiner, reduce.shape.dtype, *reduce.operand(1))) return nullptr;
  Instruction* array = reduce.operand(0);
  Instruction* part = nullptr;
  for (Instruction* other : array->users()) {
    if (other->opcode != Opcode::kReduce || other->operands().size() != 2 || other->operand(0) != array) continue;
    const Dims& along = *other->attributes->dimensions;
    const bool is_part = along.size() < dims.size() &&
                         std::ranges::all_of(
                             along, [&](int64_t d) { return contains(dims, d); }) &&
                         other->operand(1) == reduce.operand(1) &&
                         simple_combiner(**other->attributes->to_apply) == combiner;
    const size_t most = part == nullptr ? 0 : part->attributes->dimensions->size();
    if (is_part && along.size() > most) part = other;
  }
  if (part == nullptr) return nullptr;
  const Dims along = *part->attributes->dimensions;
  Dims left;
  int64_t gone = 0;
  for (int64_t d = 0; d < array->shape.rank(); ++d) {
    if (contains(along, d)) {
      ++gone;
    } else if (contains(dims, d)) {
      left.push_back(d - gone);
    }
  }
  GraphBuilder build(reduce);
  Attributes attributes = *reduce.attributes;
  attributes.dimensions = along;
  Instruction* first = build.make(Opcode::kReduce, {array, reduce.operand(1)}, attributes);
  attributes.dimensions = left;
  return build.make(Opcode::kReduce, {first, reduce.operand(1)}, attributes);
}

}  // namespace sinter
