#include "passes/analysis/values/fold_value.h"

#include <cmath>

#include "ir/evaluate/evaluate.h"
#include "passes/analysis/values/contraction.h"

namespace sinter {

bool is_portable(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kAdd:
    case Opcode::kSubtract:
    case Opcode::kMultiply:
    case Opcode::kNegate:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kNot:
    case Opcode::kShiftLeft:
    case Opcode::kShiftRightArithmetic:
    case Opcode::kShiftRightLogical:
    case Opcode::kReal:
    case Opcode::kImag:
    case Opcode::kComplex:
    case Opcode::kCompare:
    case Opcode::kSelect:
    case Opcode::kConvert:
    case Opcode::kCopy:
      return true;
    case Opcode::kAbs:
    case Opcode::kSign:
    case Opcode::kDivide:
    case Opcode::kSqrt:
    case Opcode::kRemainder:
    case Opcode::kMaximum:
    case Opcode::kMinimum:
    case Opcode::kClamp:
    case Opcode::kFloor:
    case Opcode::kCeil:
    case Opcode::kRoundNearestAfz:
    case Opcode::kRoundNearestEven:
    case Opcode::kIsFinite:
    case Opcode::kReducePrecision:
      return !is_complex(instruction.operand(0)->shape.dtype);
    default:
      return opcode_family(instruction.opcode) == Family::kIndexMap;
  }
}

std::optional<Literal> evaluate_scalar(const Instruction& instruction, const std::vector<Literal>& operands) {
  Module scratch;
  Computation* computation = scratch.add_computation("fold");
  std::vector<Instruction*> constants;
  for (const Literal& operand : operands) constants.push_back(computation->add_constant(operand));
  Instruction* scalar = computation->add_copy(instruction, constants);
  scalar->shape = Shape::scalar(instruction.shape.dtype);
  return evaluate_instruction(*scalar, operands);
}

std::optional<Literal> fold_exactly(const Instruction& instruction, const std::vector<Literal>& operands) {
  if (opcode_family(instruction.opcode) != Family::kElementwise || !is_portable(instruction)) return std::nullopt;
  if (is_contracted(instruction)) return std::nullopt;
  return evaluate_scalar(instruction, operands);
}

Literal fold_contraction(const Instruction& sum, const Literal& a, const Literal& b, const Literal& c) {
  const bool negates_sum = sum.opcode == Opcode::kSubtract && contracted_product(sum) == 0;
  const bool negates_product = sum.opcode == Opcode::kSubtract && contracted_product(sum) == 1;
  const auto rounded_once = [&](auto x, auto y, auto z) {
    return std::fma(negates_product ? -x : x, y, negates_sum ? -z : z);
  };
  const DType dtype = sum.shape.dtype;
  if (dtype == DType::kF64) return real_literal(dtype, rounded_once(a.real_at(0), b.real_at(0), c.real_at(0)));
  const auto single = [](const Literal& value) { return static_cast<float>(value.real_at(0)); };
  return real_literal(dtype, rounded_once(single(a), single(b), single(c)));
}

}  // namespace sinter
