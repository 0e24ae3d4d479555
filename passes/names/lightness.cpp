#include "passes/names/lightness.h"

#include "ir/ops/op_table.h"

namespace sinter {

int lightness(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kCholesky:
    case Opcode::kConvolution:
    case Opcode::kCustomCall:
    case Opcode::kDot:
    case Opcode::kFft:
    case Opcode::kRaggedDot:
    case Opcode::kScaledDot:
    case Opcode::kSort:
    case Opcode::kTopk:
    case Opcode::kTriangularSolve:
      return 0;
    case Opcode::kDynamicUpdateSlice:
    case Opcode::kGather:
      return 2;
    case Opcode::kAcos:
    case Opcode::kAcosh:
    case Opcode::kAsin:
    case Opcode::kAsinh:
    case Opcode::kAtan2:
    case Opcode::kAtanh:
    case Opcode::kCbrt:
    case Opcode::kCosh:
    case Opcode::kCosine:
    case Opcode::kErf:
    case Opcode::kExponential:
    case Opcode::kExponentialMinusOne:
    case Opcode::kLog:
    case Opcode::kLogPlusOne:
    case Opcode::kLogistic:
    case Opcode::kPower:
    case Opcode::kRsqrt:
    case Opcode::kSine:
    case Opcode::kSinh:
    case Opcode::kSqrt:
    case Opcode::kTan:
    case Opcode::kTanh:
      return 3;
    case Opcode::kBitcastConvert:
    case Opcode::kCompare:
    case Opcode::kComplex:
    case Opcode::kConvert:
    case Opcode::kCopy:
    case Opcode::kImag:
    case Opcode::kIsFinite:
    case Opcode::kReal:
    case Opcode::kSelect:
      return 5;
    case Opcode::kAnd:
    case Opcode::kNot:
    case Opcode::kOr:
      return instruction.shape.dtype == DType::kPred ? 5 : 4;
    case Opcode::kCall:
    case Opcode::kConditional:
    case Opcode::kReduce:
    case Opcode::kReduceWindow:
    case Opcode::kScatter:
    case Opcode::kSelectAndScatter:
    case Opcode::kWhile:
      return 1;
    default:
      return opcode_family(instruction.opcode) == Family::kElementwise ? 4 : 5;
  }
}

}  // namespace sinter
