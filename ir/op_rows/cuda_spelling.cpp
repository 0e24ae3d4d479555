// How emitted code spells an elementwise op, and how exact that is.
#include "ir/infer/infer_common.h"
#include "ir/ops/op_table.h"

namespace sinter {
namespace {

// The element type an op computes in: that of its first operand, but for select, whose first operand chooses.
DType computing_type(const Instruction& instruction) {
  const size_t index = instruction.opcode == Opcode::kSelect ? 1 : 0;
  return operand_count(instruction) > index ? operand_shape(instruction, index).dtype : instruction.shape.dtype;
}

// The largest errors of CUDA's math functions in units in the last place, as the CUDA C++ Programming Guide lists
// them ("Mathematical Functions", full range, without fast math).
struct FunctionError {
  Opcode opcode;
  int f32;
  int f64;
};
constexpr FunctionError kFunctionErrors[] = {
    {Opcode::kRsqrt, 2, 1},
    {Opcode::kCbrt, 1, 1},
    {Opcode::kExponential, 2, 1},
    {Opcode::kExponentialMinusOne, 1, 1},
    {Opcode::kLog, 1, 1},
    {Opcode::kLogPlusOne, 1, 1},
    {Opcode::kSine, 2, 2},
    {Opcode::kCosine, 2, 2},
    {Opcode::kTan, 4, 2},
    {Opcode::kSinh, 3, 2},
    {Opcode::kCosh, 2, 1},
    {Opcode::kTanh, 2, 1},
    {Opcode::kAsin, 2, 2},
    {Opcode::kAcos, 2, 2},
    {Opcode::kAsinh, 3, 3},
    {Opcode::kAcosh, 4, 3},
    {Opcode::kAtanh, 3, 2},
    {Opcode::kAtan2, 3, 2},
    {Opcode::kErf, 2, 2},
    {Opcode::kPower, 4, 2},
    // 1 / (1 + exp(-x)): the error of exp shrinks by e / (1 + e) < 1; the sum and the quotient round.
    {Opcode::kLogistic, 3, 2},
};

}  // namespace

const CudaSpelling& cuda_spelling(const Instruction& instruction) {
  const CudaSpellings& cuda = op_def(instruction.opcode).cuda;
  const DType dtype = computing_type(instruction);
  switch (dtype_class(dtype)) {
    case DTypeClass::kPredicate:
      return cuda.pred;
    case DTypeClass::kSigned:
      return cuda.signed_integer;
    case DTypeClass::kUnsigned:
      return cuda.unsigned_integer;
    case DTypeClass::kComplex:
      return cuda.complex;
    case DTypeClass::kFloat:
      break;
  }
  return dtype == DType::kF64 ? cuda.f64 : cuda.f32;
}

int ulp_bound(const Instruction& instruction) {
  const DType dtype = computing_type(instruction);
  if (is_complex(dtype)) {
    // Sums, parts and choices are exact or round once. The others compose real functions and products, whose sums
    // may cancel: the bound holds where they do not.
    const CudaSpelling& spelling = cuda_spelling(instruction);
    const bool composed =
        spelling.kind == CudaSpelling::Kind::kFunction || spelling.text == "*" || spelling.text == "/";
    return composed ? 16 : 0;
  }
  if (!is_float(dtype)) return 0;
  for (const FunctionError& error : kFunctionErrors) {
    if (error.opcode != instruction.opcode) continue;
    // One more: the evaluator rounds the true value, which the function's error is measured from.
    if (dtype == DType::kF64) return error.f64 + 1;
    // Narrower types compute in f32 and round once: an error of a few units of f32 can only turn a rounding over.
    return dtype == DType::kF32 ? error.f32 + 1 : 1;
  }
  return 0;
}

}  // namespace sinter
