#include "passes/graph/base/write_out.h"

#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {

bool may_be_written_out(const Instruction& reduce) {
  if (reduce.opcode != Opcode::kReduce || reduce.operands().size() != 2) return false;
  if (reduce.attributes->dimensions->size() != 1) return false;
  const DType dtype = reduce.shape.dtype;
  const std::optional<Opcode> operation = simple_combiner(**reduce.attributes->to_apply);
  if (!operation || is_complex(dtype)) return false;
  return sum_type(dtype) == dtype || *operation == Opcode::kMaximum || *operation == Opcode::kMinimum;
}

// True if no rounding makes the value -0.
static bool is_never_minus_zero(const Instruction& value) {
  return value.opcode == Opcode::kAbs || value.opcode == Opcode::kExponential ||
         (value.opcode == Opcode::kMultiply && value.operand(0) == value.operand(1));
}

void write_out(Instruction& reduce, const std::vector<Instruction*>& parts) {
  const Opcode operation = *simple_combiner(**reduce.attributes->to_apply);
  const std::optional<Literal> begin = neutral_beginning(operation, reduce.shape.dtype, *reduce.operand(1));
  const std::optional<Literal> nothing = neutral_value(operation, reduce.shape.dtype);
  const bool adds_nothing = begin && ((nothing && begin->same_value(*nothing)) || is_never_minus_zero(*parts[0]));
  GraphBuilder build(reduce);
  Instruction* sum = parts[0];
  if (!adds_nothing) sum = build.make(operation, {build.splat(reduce.operand(1), reduce.shape.dims), sum});
  for (size_t c = 1; c + 1 < parts.size(); ++c) sum = build.make(operation, {sum, parts[c]});
  become(reduce, operation, {sum, parts.back()});
}

}  // namespace sinter
