#include "passes/graph/prepare/argmax_function.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "passes/analysis/values/constants.h"

namespace sinter {
namespace {

// One of the two operands of a commutative operation, and the other.
using Sides = std::array<std::pair<const Instruction*, const Instruction*>, 2>;
Sides sides(const Instruction& operation) {
  const Instruction *a = operation.operand(0), *b = operation.operand(1);
  return {{{a, b}, {b, a}}};
}

bool is_parameter(const Instruction& value, int64_t number) {
  return value.opcode == Opcode::kParameter && value.parameter_number == number;
}

// compare(parameter a, parameter b) in one of these directions.
bool compares(const Instruction& value, int64_t a, int64_t b, std::string_view direction) {
  return value.opcode == Opcode::kCompare && value.attributes->direction.value_or("") == direction &&
         value.attributes->comparison_type.value_or("").find("TOTALORDER") == std::string::npos &&
         is_parameter(*value.operand(0), a) && is_parameter(*value.operand(1), b);
}

// (a > b) | (a != a): the first value is taken. Integers need no second part.
bool takes_first(const Instruction& value, std::string_view direction) {
  if (compares(value, 0, 2, direction)) return is_integer(value.operand(0)->shape.dtype);
  if (value.opcode != Opcode::kOr) return false;
  for (const auto& [first, second] : sides(value)) {
    if (compares(*first, 0, 2, direction) && compares(*second, 0, 0, "NE")) return true;
  }
  return false;
}

// Of equal values the one with the smaller place: (a == b) & (i < j).
bool takes_earlier(const Instruction& value) {
  if (value.opcode != Opcode::kAnd) return false;
  for (const auto& [first, second] : sides(value)) {
    if (compares(*first, 0, 2, "EQ") && compares(*second, 1, 3, "LT")) return true;
  }
  return false;
}

}  // namespace

std::optional<Opcode> found_by(const Computation& function) {
  const Instruction* root = function.root();
  if (root->opcode != Opcode::kTuple || root->operands().size() != 2) return std::nullopt;
  const Instruction *value = root->operand(0), *place = root->operand(1);
  if (value->opcode != Opcode::kSelect || place->opcode != Opcode::kSelect) return std::nullopt;
  const bool selects = is_parameter(*value->operand(1), 0) && is_parameter(*value->operand(2), 2) &&
                       is_parameter(*place->operand(1), 1) && is_parameter(*place->operand(2), 3);
  if (!selects || place->operand(0)->opcode != Opcode::kOr) return std::nullopt;
  for (const auto& [opcode, direction] : {std::pair(Opcode::kMaximum, "GT"), std::pair(Opcode::kMinimum, "LT")}) {
    if (!takes_first(*value->operand(0), direction)) continue;
    for (const auto& [first, second] : sides(*place->operand(0))) {
      if (takes_first(*first, direction) && takes_earlier(*second)) return opcode;
    }
  }
  return std::nullopt;
}

bool counts_places_along(const Instruction& places, int64_t dimension) {
  if (places.shape.dims[static_cast<size_t>(dimension)] - 1 > integer_max(places.shape.dtype)) return false;
  if (places.opcode == Opcode::kIota) return *places.attributes->iota_dimension == dimension;
  if (places.opcode != Opcode::kBroadcast || places.operand(0)->opcode != Opcode::kIota) return false;
  const std::vector<int64_t>& where = *places.attributes->dimensions;
  return where.at(static_cast<size_t>(*places.operand(0)->attributes->iota_dimension)) == dimension;
}

bool is_unread(const Instruction& tuple, int64_t element) {
  if (tuple.parent()->root() == &tuple) return false;
  return std::all_of(tuple.users().begin(), tuple.users().end(), [&](const Instruction* user) {
    return user->opcode == Opcode::kGetTupleElement && *user->attributes->tuple_index != element;
  });
}

}  // namespace sinter
