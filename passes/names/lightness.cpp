#include "passes/names/lightness.h"

#include "ir/module/device_functions.h"

namespace sinter {

Lightness lightness(const Instruction& instruction) {
  if (calls_device_function(instruction)) return Lightness::kFunction;
  if (calls_row_function(instruction)) return Lightness::kAlgorithm;
  const Lightness said = op_def(instruction.opcode).lightness;
  if (said == Lightness::kLogic && instruction.shape.dtype != DType::kPred) return Lightness::kArithmetic;
  return said == Lightness::kUnsaid || said == Lightness::kLogic ? Lightness::kPlain : said;
}

}  // namespace sinter
