// Rules of simplify: conversions, bit casts, complex numbers taken apart.
#include "passes/graph/base/rewrite.h"
#include "passes/graph/simplify/simplify_rules.h"

namespace sinter {
namespace {

// Bits of a float type's significand, the hidden one included; 0 for types not reasoned about.
int significand_bits(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return 11;
    case DType::kBF16:
      return 8;
    case DType::kF32:
      return 24;
    case DType::kF64:
      return 53;
    default:
      return 0;
  }
}

// True if every value of `from` is one of `to`, so that converting loses nothing.
bool is_lossless(DType from, DType to) {
  if (from == to) return true;
  if (is_complex(from) || is_complex(to) || to == DType::kPred) return false;
  if (is_integer(from) || from == DType::kPred) {
    const int bits = from == DType::kPred ? 1 : dtype_bits(from) - (is_signed_integer(from) ? 1 : 0);
    if (is_float(to)) return bits <= significand_bits(to);
    if (is_signed_integer(from) && !is_signed_integer(to)) return false;
    return bits <= dtype_bits(to) - (is_signed_integer(to) ? 1 : 0);
  }
  if (from == DType::kF16 || from == DType::kBF16) return to == DType::kF32 || to == DType::kF64;
  return from == DType::kF32 && to == DType::kF64;
}

Instruction* simplify_convert(Instruction& convert) {
  Instruction* a = convert.operand(0);
  const DType to = convert.shape.dtype;
  if (a->shape.dtype == to) return a;
  if (a->opcode != Opcode::kConvert) return nullptr;
  Instruction* source = a->operand(0);
  const DType from = source->shape.dtype;
  const DType middle = a->shape.dtype;
  // Truncating integers twice keeps the low bits, like once.
  const bool truncates_twice = is_integer(from) && is_integer(middle) && is_integer(to) &&
                               dtype_bits(to) <= dtype_bits(middle) && dtype_bits(middle) <= dtype_bits(from);
  if (!is_lossless(from, middle) && !truncates_twice) return nullptr;
  // Integers wrap where floats saturate.
  if (is_integer(from) && is_float(middle) && is_integer(to) && !is_lossless(from, to)) return nullptr;
  if (from == to) return source;
  become(convert, Opcode::kConvert, {source});
  return &convert;
}

Instruction* simplify_bitcast_convert(Instruction& cast) {
  Instruction* a = cast.operand(0);
  if (a->shape.dtype == cast.shape.dtype && a->shape.same_type(cast.shape)) return a;
  if (a->opcode != Opcode::kBitcastConvert || a->operand(0)->shape.dims != cast.shape.dims) return nullptr;
  if (a->shape.dims != cast.shape.dims) return nullptr;
  if (a->operand(0)->shape.same_type(cast.shape)) return a->operand(0);
  become(cast, Opcode::kBitcastConvert, {a->operand(0)});
  return &cast;
}

}  // namespace

Instruction* simplify_conversion(Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kConvert:
      return simplify_convert(instruction);
    case Opcode::kBitcastConvert:
      return simplify_bitcast_convert(instruction);
    case Opcode::kReal:
      if (!is_complex(instruction.operand(0)->shape.dtype)) return instruction.operand(0);
      return instruction.operand(0)->opcode == Opcode::kComplex ? instruction.operand(0)->operand(0) : nullptr;
    case Opcode::kImag:
      if (is_float(instruction.operand(0)->shape.dtype)) {
        become_splat(instruction, real_literal(instruction.shape.dtype, 0));
        return &instruction;
      }
      return instruction.operand(0)->opcode == Opcode::kComplex ? instruction.operand(0)->operand(1) : nullptr;
    case Opcode::kComplex: {
      const Instruction* real = instruction.operand(0);
      const Instruction* imag = instruction.operand(1);
      const bool is_same = real->opcode == Opcode::kReal && imag->opcode == Opcode::kImag &&
                           real->operand(0) == imag->operand(0) && real->operand(0)->shape.same_type(instruction.shape);
      return is_same ? real->operand(0) : nullptr;
    }
    default:
      return nullptr;
  }
}

}  // namespace sinter
