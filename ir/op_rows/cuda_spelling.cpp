// How emitted code spells an elementwise op, and how exact that is.
#include "ir/infer/infer_common.h"
#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"

namespace sinter {
namespace {

// The element type an op computes in: that of its first operand, but for select, whose first operand chooses.
DType computing_type(const Instruction& instruction) {
  const size_t index = instruction.opcode == Opcode::kSelect ? 1 : 0;
  return operand_count(instruction) > index ? operand_shape(instruction, index).dtype : instruction.shape.dtype;
}

}  // namespace

const CudaSpelling& cuda_spelling(const Instruction& instruction) {
  static constexpr CudaSpelling kCalled = {.kind = CudaSpelling::Kind::kSpecial};
  if (calls_device_function(instruction)) return kCalled;
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
  const FunctionError& error = op_def(instruction.opcode).error;
  if (error.f32 == 0) return 0;
  // One more: the evaluator rounds the true value, which the function's error is measured from.
  if (dtype == DType::kF64) return error.f64 + 1;
  // Narrower types compute in f32 and round once: an error of a few units of f32 can only turn a rounding over.
  return dtype == DType::kF32 ? error.f32 + 1 : 1;
}

}  // namespace sinter
