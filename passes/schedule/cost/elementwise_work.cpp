// What an element of an elementwise operation takes, by the op table.
#include <algorithm>
#include <cmath>

#include "ir/ops/op_table.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/analysis/values/contraction.h"
#include "passes/analysis/values/half_arithmetic.h"
#include "passes/schedule/cost/graph_work.h"

namespace sinter {

Work elementwise_work(const Instruction& instruction) {
  Work work;
  const Opcode opcode = instruction.opcode;
  double cost = opcode == Opcode::kCall ? static_cast<double>(element_cost(**instruction.attributes->to_apply))
                                        : op_def(opcode).cost;
  if (is_contracted(instruction)) {
    work.flops = 1;  // its instruction is that of the sum
    return work;
  }
  DType dtype = instruction.shape.is_array() ? instruction.shape.dtype : DType::kU32;
  if (opcode == Opcode::kCompare) dtype = instruction.operand(0)->shape.dtype;
  const bool chooses = opcode == Opcode::kSelect || opcode == Opcode::kCompare || opcode == Opcode::kConvert ||
                       opcode == Opcode::kBitcastConvert || opcode == Opcode::kCopy;
  constexpr double kElementary = 8;  // from here on an operation is several instructions, some on the special unit
  work.chain = cost < kElementary ? kArithmeticCycles * std::max(cost, 1.0) : 3 * cost + 10;
  if (is_complex(dtype)) {
    const double parts = opcode == Opcode::kMultiply ? 6 : cost < kElementary ? 2 : 4;
    (dtype == DType::kC128 ? work.f64 : work.f32) = parts * cost;
    work.flops = chooses ? 0 : parts;
  } else if (is_float(dtype)) {
    // Narrow types are computed in f32, and rounded after each operation, but for what CUDA has for 16 bits.
    const bool narrow =
        dtype != DType::kF32 && dtype != DType::kF64 && (dtype_bits(dtype) != 16 || half_function(opcode).empty());
    work.special = cost < kElementary ? 0 : std::ceil(cost / 16);
    (dtype == DType::kF64 ? work.f64 : work.f32) = cost - work.special + (narrow ? 1 : 0);
    work.flops = chooses ? 0 : 1;
  } else {
    work.integer = cost * (dtype_bits(dtype) == 64 ? 2 : 1);
  }
  return work;
}

void add_products(DType dtype, double count, Work* work) {
  const double parts = is_complex(dtype) ? 4 : 1;
  if (is_float(dtype) || is_complex(dtype)) {
    const bool wide = dtype == DType::kF64 || dtype == DType::kC128;
    (wide ? work->f64 : work->f32) += parts * count;
    work->flops += 2 * parts * count;
  } else {
    work->integer += count;
  }
}

}  // namespace sinter
