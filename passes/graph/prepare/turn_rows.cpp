// turn_rows: rows that are computed, each element of what depends on the row alone and what depends on the column
// alone, are columns instead, where the largest or smallest element of each is wanted: a thread goes through one then,
// and reads of all rows' part the same as its neighbours.
//
//   %d = f32[1048576,256] add(multiply(...), ...)         %d = f32[256,1048576] add(multiply(...), ...)
//   of broadcasts of f32[1048576] and f32[256]      =>    %r = reduce(%d, %i, inf, 0), dimensions={0}
//   %r = (f32[1048576], s32[1048576])
//        reduce(%d, %i, inf, 0), dimensions={1}
//
// The nearest of many centres is such a place. Threads that share a row would read all columns' part for each, and
// exchange. Nothing is read from memory as a row, where lanes had better be neighbours along it. The scheduler plans
// without it, too.
#include <algorithm>
#include <unordered_map>
#include <vector>

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/shapes/reduced_rows.h"
#include "passes/analysis/values/thresholds.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// Rows, a thread each, that keep a GPU busy; and columns that a thread goes through.
constexpr int64_t kManyThreads = int64_t{1} << 17, kMostTerms = 1024;
constexpr size_t kMostValues = 64;

// Copies of what a row's elements are computed by, with the columns first.
class Turn {
 public:
  // Of an array of rows along the last of its dimensions.
  explicit Turn(const Shape& shape) : dims_(shape.dims), column_(shape.rank() - 1) {}

  // Whether all of it can be turned.
  bool may_turn(const Instruction& value) {
    if (!seen_.emplace(&value, nullptr).second) return true;
    if (seen_.size() > kMostValues || !value.shape.is_array() || !begins_with_dims(value.shape)) return false;
    switch (value.opcode) {
      case Opcode::kBroadcast:
        return is_of_row_or_column(value);
      case Opcode::kIota:
        return true;
      case Opcode::kReduce:
        return sums_few(value) && may_turn(*value.operand(0));
      default:
        return opcode_family(value.opcode) == Family::kElementwise && value.called_computations().empty() &&
               !value.operands().empty() &&
               std::ranges::all_of(value.operands(), [&](const Instruction* one) { return may_turn(*one); });
    }
  }

  Value turned(GraphBuilder& at, Instruction& value) {
    Value& made = seen_.at(&value);
    if (made != nullptr) return made;
    Attributes attributes = *value.attributes;
    if (value.opcode == Opcode::kIota) {
      made = at.iota(value.shape.dtype, dims_of(value.shape), turned_dimension(*attributes.iota_dimension));
    } else if (value.opcode == Opcode::kBroadcast) {
      std::vector<int64_t> where;
      for (const int64_t d : *attributes.dimensions) where.push_back(turned_dimension(d));
      made = at.broadcast(value.operand(0), dims_of(value.shape), where);
    } else if (value.opcode == Opcode::kReduce) {
      const Value terms = turned(at, *value.operand(0));
      made = at.make(Opcode::kReduce, {terms, value.operand(1)}, std::move(attributes));
    } else {
      std::vector<Value> operands;
      for (Instruction* operand : value.operands()) operands.push_back(turned(at, *operand));
      made = at.make(value.opcode, operands, std::move(attributes));
    }
    return made;
  }

 private:
  bool begins_with_dims(const Shape& shape) const {
    return shape.rank() >= std::ssize(dims_) && std::equal(dims_.begin(), dims_.end(), shape.dims.begin());
  }
  bool is_of_row_or_column(const Instruction& broadcast) const {
    const std::vector<int64_t>& where = *broadcast.attributes->dimensions;
    const bool has_column = std::ranges::find(where, column_) != where.end();
    const bool has_row = std::ranges::any_of(where, [&](int64_t d) { return d < column_; });
    return std::ranges::is_sorted(where) && !(has_column && has_row);
  }
  // A sum of few terms behind these dimensions: over coordinates.
  bool sums_few(const Instruction& reduce) const {
    const std::vector<int64_t>& dimensions = *reduce.attributes->dimensions;
    return reduce.operands().size() == 2 && dimensions == std::vector<int64_t>{std::ssize(dims_)} &&
           reduce.operand(0)->shape.dims.back() <= kShortReduction &&
           reduce.operand(0)->shape.rank() == std::ssize(dims_) + 1;
  }
  int64_t turned_dimension(int64_t d) const { return d == column_ ? 0 : d < column_ ? d + 1 : d; }
  std::vector<int64_t> dims_of(const Shape& shape) const {
    std::vector<int64_t> dims = shape.dims;
    std::rotate(dims.begin(), dims.begin() + column_, dims.begin() + column_ + 1);
    return dims;
  }

  const std::vector<int64_t> dims_;
  const int64_t column_;
  std::unordered_map<const Instruction*, Value> seen_;  // and what it has become, once it has
};

// Compares and chooses alone: one element of the row, whatever else there is.
bool chooses_alone(const Computation& combiner) {
  return std::ranges::all_of(combiner.instructions(), [](const Instruction& value) {
    switch (value.opcode) {
      case Opcode::kParameter:
      case Opcode::kTuple:
      case Opcode::kCompare:
      case Opcode::kSelect:
      case Opcode::kMaximum:
      case Opcode::kMinimum:
      case Opcode::kAnd:
      case Opcode::kOr:
        return true;
      default:
        return false;
    }
  });
}

bool finds_of_rows(const Instruction& reduce) {
  const std::optional<RowExtents> rows = reduced_rows(reduce);
  const int64_t last = reduce.operand(0)->shape.rank() - 1;
  return rows && rows->inner == 1 && rows->rows >= kManyThreads && rows->columns > kShortReduction &&
         rows->columns <= kMostTerms && reduce.attributes->dimensions == std::vector<int64_t>{last} &&
         chooses_alone(**reduce.attributes->to_apply);
}

// Whether the elements are computed for such reductions alone.
bool is_for_rows_alone(const Instruction& elements) {
  return std::ranges::all_of(elements.users(), [](const Instruction* user) {
    return user->opcode == Opcode::kReduce && finds_of_rows(*user);
  });
}

bool turn(Instruction& reduce) {
  if (!finds_of_rows(reduce)) return false;
  const size_t count = reduce.operands().size() / 2;
  Turn turn(reduce.operand(0)->shape);
  for (size_t i = 0; i < count; ++i) {
    const Instruction& elements = *reduce.operand(i);
    const bool is_index = elements.opcode == Opcode::kIota || elements.opcode == Opcode::kBroadcast;
    if (!turn.may_turn(elements) || (!is_index && !is_for_rows_alone(elements))) return false;
  }
  GraphBuilder at(reduce);
  std::vector<Value> operands;
  for (size_t i = 0; i < count; ++i) operands.push_back(turn.turned(at, *reduce.operand(i)));
  for (size_t i = 0; i < count; ++i) operands.push_back(reduce.operand(count + i));
  Attributes attributes = *reduce.attributes;
  attributes.dimensions = std::vector<int64_t>{0};
  reduce.replace_all_uses_with(at.make(Opcode::kReduce, operands, std::move(attributes)));
  return true;
}

}  // namespace

bool turn_rows(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* reduce : instructions_of(module, Opcode::kReduce)) changed |= turn(*reduce);
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
