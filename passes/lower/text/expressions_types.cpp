// Arithmetic, comparison and conversion of every element type, spelled by what the type computes in (accumulator_type):
// small floats are widened, computed in float and rounded, integers below a byte computed in bytes and cut. Of 16-bit
// floats the GPU has some operations itself.
#include "ir/ops/op_table.h"
#include "ir/support/diagnostics.h"
#include "passes/analysis/values/half_arithmetic.h"
#include "passes/analysis/values/wrapping.h"
#include "passes/lower/text/expressions.h"

namespace sinter {
namespace {

bool is_half(DType dtype) { return dtype == DType::kF16 || dtype == DType::kBF16; }
bool is_small_float(DType dtype) { return is_float(dtype) && dtype_bits(dtype) <= 8; }
bool is_narrow_integer(DType dtype) { return is_integer(dtype) && dtype_bits(dtype) < 8; }

// "name<type>" and "name<type, bits>".
std::string with_type(const std::string& name, DType dtype, bool bits = false) {
  return name + "<" + std::string(dtype_cuda_name(dtype)) + (bits ? ", " + std::to_string(dtype_bits(dtype)) : "") +
         ">";
}

// True if the values of the integer type (or pred) `from` are values of the integer type `to`.
bool fits(DType from, DType to) {
  if (from == DType::kPred) return dtype_bits(to) > (is_signed_integer(to) ? 1 : 0);
  if (is_signed_integer(from)) return is_signed_integer(to) && dtype_bits(from) <= dtype_bits(to);
  return dtype_bits(from) + (is_signed_integer(to) ? 1 : 0) <= dtype_bits(to);
}

// Ops whose result lies in the type if the operands do, also where a byte computes them.
bool stays_in_type(Opcode opcode, DType dtype) {
  switch (opcode) {
    case Opcode::kMaximum:
    case Opcode::kMinimum:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kRemainder:
      return true;
    case Opcode::kNot:
    case Opcode::kSign:
    case Opcode::kShiftRightArithmetic:
      return is_signed_integer(dtype);
    case Opcode::kShiftRightLogical:
      return !is_signed_integer(dtype);
    default:
      return false;
  }
}

}  // namespace

const Expr* Expressions::widen(DType dtype, const Expr* value) {
  if (accumulator_type(dtype) == dtype || is_integer(dtype)) return value;
  if (value->kind == Expr::Kind::kLiteral) return kernel->literal(real_literal(DType::kF32, value->literal.real_at(0)));
  return helper(is_half(dtype) ? "device/half.cuh" : "device/small_float.cuh", "to_float", {value}, DType::kF32);
}

const Expr* Expressions::narrow(DType dtype, const Expr* value) {
  if (is_half(dtype)) {
    return helper("device/half.cuh", dtype == DType::kF16 ? "to_half" : "to_bfloat16", {value}, dtype);
  }
  if (is_small_float(dtype)) return helper("device/small_float.cuh", with_type("round_to", dtype), {value}, dtype);
  if (!is_narrow_integer(dtype)) return value;
  const std::string function = is_signed_integer(dtype) ? "sign_extend" : "zero_extend";
  return helper("device/narrow_integer.cuh", function + "<" + std::to_string(dtype_bits(dtype)) + ">", {value}, dtype);
}

const Expr* Expressions::arithmetic(const Instruction& instruction, DType from, std::vector<const Expr*> operands) {
  const CudaSpelling& spelling = cuda_spelling(instruction);
  const DType to = instruction.shape.dtype;
  check(spelling.kind != CudaSpelling::Kind::kNone && spelling.kind != CudaSpelling::Kind::kSpecial, "expressions",
        instruction.name + ": no spelling");
  const std::string_view of_halves = half_function(instruction.opcode);
  if (is_half(from) && !of_halves.empty()) {
    return helper("device/half.cuh", std::string(of_halves), std::move(operands), to);
  }
  for (size_t i = 0; i < operands.size(); ++i) operands[i] = widen(from, operands[i]);
  if (is_narrow_integer(from)) return arithmetic_on_bits(instruction, std::move(operands));
  if (may_wrap(instruction)) {
    return helper("device/wrapping.cuh", "wrapping_" + std::string(opcode_name(instruction.opcode)), operands, to);
  }
  const DType type = accumulator_type(to);
  if (!spelling.header.empty()) kernel->headers.insert(std::string(spelling.header));
  const std::string text(spelling.text);
  const Expr* result = nullptr;
  switch (spelling.kind) {
    case CudaSpelling::Kind::kPrefix:
      result = kernel->prefix(text, operands[0], CType::value(type));
      break;
    case CudaSpelling::Kind::kInfix:
      result = kernel->infix(operands[0], text, operands[1], CType::value(type));
      break;
    default:
      result = kernel->call(text, operands, CType::value(type));
      break;
  }
  // C++ computes small integers in int, but for the helpers, which keep the type.
  const bool in_int = is_integer(to) && dtype_bits(to) < 32 && spelling.header.empty();
  return in_int ? kernel->cast(CType::value(to), result) : narrow(to, result);
}

// Integers of less than a byte. What looks at the bits sees those of the type alone.
const Expr* Expressions::arithmetic_on_bits(const Instruction& instruction, std::vector<const Expr*> operands) {
  const CudaSpelling& spelling = cuda_spelling(instruction);
  const DType dtype = instruction.shape.dtype;
  const std::string bits = std::to_string(dtype_bits(dtype));
  const auto extended = [&](const Expr* value, bool by_sign) {
    if (by_sign == is_signed_integer(dtype)) return value;
    const std::string function = std::string(by_sign ? "sign" : "zero") + "_extend<" + bits + ">";
    return helper("device/narrow_integer.cuh", function, {value}, by_sign ? DType::kS8 : DType::kU8);
  };
  switch (instruction.opcode) {
    case Opcode::kPopcnt:
    case Opcode::kCountLeadingZeros:
    case Opcode::kShiftRightLogical:
      operands[0] = extended(operands[0], false);
      break;
    case Opcode::kShiftRightArithmetic:
      operands[0] = extended(operands[0], true);
      break;
    case Opcode::kMulhi: {
      const Expr* product = kernel->infix(operands[0], "*", operands[1], CType::value(DType::kS32));
      return narrow(dtype, kernel->infix(product, ">>", kernel->integer(dtype_bits(dtype)), CType::value(DType::kS32)));
    }
    default:
      break;
  }
  // The helpers are templates on one type: a shifted value that changed its signedness takes the amount along.
  if (operands.size() == 2 && operands[1]->type != operands[0]->type) {
    operands[1] = kernel->cast(operands[0]->type, operands[1]);
  }
  if (!spelling.header.empty()) kernel->headers.insert(std::string(spelling.header));
  const std::string text(spelling.text);
  const Expr* result = nullptr;
  switch (spelling.kind) {
    case CudaSpelling::Kind::kPrefix:
      result = kernel->prefix(text, operands[0], CType::value(DType::kS32));
      break;
    case CudaSpelling::Kind::kInfix:
      result = kernel->infix(operands[0], text, operands[1], CType::value(DType::kS32));
      break;
    default:
      result = kernel->call(text, operands, operands[0]->type);
      break;
  }
  if (instruction.opcode == Opcode::kCountLeadingZeros) {
    result = kernel->infix(result, "-", kernel->integer(8 - dtype_bits(dtype)), CType::value(DType::kS32));
  }
  if (!stays_in_type(instruction.opcode, dtype)) return narrow(dtype, result);
  return spelling.header.empty() ? kernel->cast(CType::value(dtype), result) : result;
}

const Expr* Expressions::clamp(DType dtype, const Expr* low, const Expr* value, const Expr* high) {
  if (is_half(dtype)) {
    const Expr* above = helper("device/half.cuh", "__hmax_nan", {value, low}, dtype);
    return helper("device/half.cuh", "__hmin_nan", {above, high}, dtype);
  }
  const DType type = accumulator_type(dtype);
  const Expr* above = helper("device/maximum.cuh", "maximum", {widen(dtype, value), widen(dtype, low)}, type);
  const Expr* both = helper("device/maximum.cuh", "minimum", {above, widen(dtype, high)}, type);
  return is_integer(dtype) ? both : narrow(dtype, both);
}

const Expr* Expressions::order_key(DType dtype, bool total_order, const Expr* value) {
  // Halves are compared as they are: widening may drop the sign of a NaN.
  total_order = total_order && is_float(dtype);
  if (!total_order || is_small_float(dtype)) value = widen(dtype, value);
  if (!total_order) return value;
  const DType key = dtype_bits(dtype) == 64 ? DType::kS64 : dtype_bits(dtype) == 16 ? DType::kS16 : DType::kS32;
  return helper("device/total_order.cuh", "total_order_key", {value}, key);
}

const Expr* Expressions::compare(const Instruction& instruction, DType dtype, const Expr* left, const Expr* right) {
  const std::string& direction = *instruction.attributes->direction;
  const bool total_order = instruction.attributes->comparison_type.value_or("FLOAT") == "TOTALORDER";
  const bool with_itself = instruction.operand(0) == instruction.operand(1);
  if (with_itself && is_float(dtype) && !total_order && (direction == "NE" || direction == "EQ")) {
    const Expr* is_nan = kernel->call("isnan", {widen(dtype, left)}, CType::value(DType::kPred));
    return direction == "NE" ? is_nan : kernel->prefix("!", is_nan, CType::value(DType::kPred));
  }
  left = order_key(dtype, total_order, left);
  right = order_key(dtype, total_order, right);
  const char* text = direction == "EQ"   ? "=="
                     : direction == "NE" ? "!="
                     : direction == "LT" ? "<"
                     : direction == "LE" ? "<="
                     : direction == "GT" ? ">"
                                         : ">=";
  return kernel->infix(left, text, right, CType::value(DType::kPred));
}

const Expr* Expressions::convert(DType from, DType to, const Expr* operand) {
  if (from == to) return operand;
  if (from == DType::kPred && is_integer(to) && operand->kind == Expr::Kind::kLiteral)
    return kernel->literal(integer_literal(to, operand->literal.integer_at(0)));
  if (to == DType::kPred) {
    const Literal zero(Shape::scalar(accumulator_type(from)));
    return kernel->infix(widen(from, operand), "!=", kernel->literal(zero), CType::value(DType::kPred));
  }
  if (is_complex(to)) {
    kernel->headers.insert("device/complex.cuh");
    return kernel->call(to == DType::kC64 ? "to_complex<float>" : "to_complex<double>", {widen(from, operand)},
                        CType::value(to));
  }
  if (is_complex(from)) {
    const DType part = from == DType::kC64 ? DType::kF32 : DType::kF64;
    return convert(part, to, kernel->member(operand, "real", CType::value(part)));
  }
  if (is_integer(to)) return to_integer(from, to, operand);
  if (from == DType::kPred) {
    const DType type = accumulator_type(to);
    return narrow(to, kernel->conditional(operand, kernel->literal(real_literal(type, 1)),
                                          kernel->literal(real_literal(type, 0))));
  }
  if (dtype_bits(to) < 32) return to_narrow_float(from, to, operand);
  operand = widen(from, operand);
  return accumulator_type(from) == to ? operand : kernel->cast(CType::value(to), operand);
}

const Expr* Expressions::to_integer(DType from, DType to, const Expr* operand) {
  if (is_float(from)) {
    const std::string function = with_type("saturate_cast", to, is_narrow_integer(to));
    return helper("device/saturate_cast.cuh", function, {widen(from, operand)}, to);
  }
  if (is_narrow_integer(to) && !fits(from, to)) return narrow(to, operand);
  // Integers below a byte are bytes in C++.
  return accumulator_type(from) == accumulator_type(to) ? operand : kernel->cast(CType::value(to), operand);
}

// One rounding: what float does not hold goes by way of double, which narrows directly.
const Expr* Expressions::to_narrow_float(DType from, DType to, const Expr* operand) {
  operand = widen(from, operand);
  if (is_float(from)) return narrow(to, operand);
  // 2^63 lies within the range of these two, so that a rounding to 53 bits may turn the next one over.
  if (dtype_bits(from) == 64 && (to == DType::kBF16 || to == DType::kF8E8M0FNU)) {
    return narrow(to, helper("device/round_to_odd.cuh", "round_to_odd", {operand}, DType::kF64));
  }
  return narrow(to, kernel->cast(CType::value(dtype_bits(from) <= 16 ? DType::kF32 : DType::kF64), operand));
}

const Expr* Expressions::bitcast(DType to, DType from, std::vector<const Expr*> operands) {
  const int from_bits = dtype_bits(from);
  const int to_bits = dtype_bits(to);
  const auto bits = [&](const Expr* value) {  // as an unsigned number, where the type is not made of whole bytes
    return is_narrow_integer(from) && is_signed_integer(from)
               ? helper("device/narrow_integer.cuh", "zero_extend<" + std::to_string(from_bits) + ">", {value},
                        DType::kU8)
               : value;
  };
  if (to == DType::kPred) return kernel->infix(operands[0], "!=", kernel->integer(0), CType::value(to));
  const Expr* result = nullptr;
  if (from_bits == to_bits) {
    result = bits(operands[0]);
    if (is_narrow_integer(to) && is_integer(from)) return narrow(to, result);
    const DType same_size = is_narrow_integer(to) ? DType::kU8 : to;
    result = helper("device/bit_cast.cuh", with_type("bit_cast", same_size), {result}, same_size);
  } else if (from_bits > to_bits) {
    result =
        helper("device/bit_pieces.cuh", with_type("bit_piece", to, to_bits < 8), {bits(operands[0]), operands[1]}, to);
  } else {
    for (const Expr*& operand : operands) operand = bits(operand);
    result = helper("device/bit_pieces.cuh",
                    "join_bits<" + std::string(dtype_cuda_name(to)) + ", " + std::to_string(from_bits) + ">",
                    std::move(operands), to);
  }
  return is_narrow_integer(to) && is_signed_integer(to) ? narrow(to, result) : result;
}

const Expr* Expressions::stochastic_convert(DType from, DType to, const Expr* operand, const Expr* random) {
  return helper("device/stochastic_convert.cuh", with_type("stochastic_convert", to, is_narrow_integer(to)),
                {widen(from, operand), random}, to);
}

}  // namespace sinter
