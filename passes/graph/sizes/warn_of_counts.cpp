#include "passes/graph/sizes/warn_of_counts.h"

#include <cmath>

#include "passes/analysis/values/constants.h"

namespace sinter {
namespace {

// What is the same numbers in another shape or type.
bool hands_on(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kBroadcast:
    case Opcode::kConvert:
    case Opcode::kReshape:
    case Opcode::kTranspose:
    case Opcode::kCopy:
      return true;
    default:
      return false;
  }
}

std::optional<double> number_of(const Instruction& value) {
  if (is_float(value.shape.dtype)) return splat_real(value);
  const std::optional<int64_t> integer = splat_integer(value);
  return integer ? std::optional(static_cast<double>(*integer)) : std::nullopt;
}

// Whether a quotient or product of `value` takes the mean of so many.
bool divides_by(const Instruction& instruction, const Instruction& value, double count) {
  const bool quotient = instruction.opcode == Opcode::kDivide && instruction.operand(0) == &value;
  if (!quotient && instruction.opcode != Opcode::kMultiply) return false;
  const std::optional<double> number = number_of(*instruction.operand(instruction.operand(0) == &value ? 1 : 0));
  const double wanted = quotient ? count : 1 / count;
  return number && std::abs(*number - wanted) <= 1e-6 * wanted;
}

}  // namespace

void warn_of_counts(const SizeFlow& flow, Diagnostics& diagnostics) {
  for (const SizeFlow::Mask& mask : flow.masks()) {
    const Instruction& reduce = *mask.user;
    if (reduce.opcode != Opcode::kReduce || !reduce.shape.is_array() || reduce.shape.element_count() == 0) continue;
    const int64_t count = reduce.operand(0)->shape.element_count() / reduce.shape.element_count();
    const SizeFlow::Size& size = flow.size(mask.dimensions[0].size);
    std::vector<const Instruction*> left = {&reduce};
    while (!left.empty() && count > 1) {
      const Instruction* value = left.back();
      left.pop_back();
      for (const Instruction* user : value->users()) {
        if (hands_on(*user)) left.push_back(user);
        if (!divides_by(*user, *value, static_cast<double>(count))) continue;
        diagnostics.warning(user->loc, "W0107",
                            std::string(opcode_name(user->opcode)) + ": of what is reduced along " + size.text +
                                " it takes the mean of " + std::to_string(count) + " elements, whatever its size",
                            "how many there are is convert(get-dimension-size(...)), or an argument of the program "
                            "(docs/sizes.md)");
      }
    }
  }
}

}  // namespace sinter
