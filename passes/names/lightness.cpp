#include "passes/names/lightness.h"

namespace sinter {

Lightness lightness(const Instruction& instruction) {
  const Lightness said = op_def(instruction.opcode).lightness;
  if (said == Lightness::kLogic && instruction.shape.dtype != DType::kPred) return Lightness::kArithmetic;
  return said == Lightness::kUnsaid || said == Lightness::kLogic ? Lightness::kPlain : said;
}

}  // namespace sinter
