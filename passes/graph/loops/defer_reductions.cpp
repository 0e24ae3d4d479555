// defer_reductions: a loop that only adds up what its steps reduce keeps a sum for each element, and reduces once,
// after it.
//
//   body:    %next = s32[] add(%sum, reduce(%hits, 0))     %hits s32[1000]
//   after:   %total = s32[] get-tuple-element(%loop)       from %start
//                                =>
//   body:    %next = s32[1000] add(%sum, %hits)
//   after:   %total = s32[] reduce(get-tuple-element(%loop), %start)      from zeros
//
// Then a thread can run the loop for an element. So it is done only where nothing else in the loop has one element
// depend on others: what every thread would do again is small, and what is large is handed on element by element. Only
// operations whose order changes no bit are deferred: of integers, minima and maxima; with --allow-reassociation, sums
// of f32 and f64 too.
#include <algorithm>

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/loops/by_element.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

// A carry that each step combines with a reduction: next = operation(read, reduce).
struct Accumulator {
  size_t carry = 0;
  Instruction* next = nullptr;
  Instruction* reduce = nullptr;
  Literal neutral;  // of the operation
};

// Whether the order of its operands changes no bit; with `reassociate`, or may change some.
bool may_be_deferred(Opcode operation, DType dtype, bool reassociate) {
  if (is_integer(dtype) || dtype == DType::kPred) return true;
  if (operation == Opcode::kMaximum || operation == Opcode::kMinimum) return is_float(dtype);
  return reassociate && operation == Opcode::kAdd && (dtype == DType::kF32 || dtype == DType::kF64);
}

std::optional<Accumulator> accumulator(const CarriedLoop& loop, size_t i, bool reassociate) {
  Instruction* next = loop.next(i);
  Instruction* read = only_read(loop, i);
  if (next == nullptr || read == nullptr || loop.init(i) == nullptr) return std::nullopt;
  if (!next->shape.is_scalar() || next->operands().size() != 2) return std::nullopt;
  if (!is_read_once(*read, *next) || !is_read_once(*next, *loop.body().root())) return std::nullopt;
  Instruction* reduce = next->operand(next->operand(0) == read ? 1 : 0);
  if (reduce->opcode != Opcode::kReduce || reduce->operands().size() != 2 || !is_read_once(*reduce, *next))
    return std::nullopt;
  const DType dtype = next->shape.dtype;
  if (simple_combiner(**reduce->attributes->to_apply) != next->opcode ||
      !may_be_deferred(next->opcode, dtype, reassociate) || reduce->operand(0)->shape.element_count() <= kFewReduced)
    return std::nullopt;
  const std::optional<Literal> neutral = neutral_beginning(next->opcode, dtype, *reduce->operand(1));
  if (!neutral) return std::nullopt;
  return Accumulator{i, next, reduce, *neutral};
}

void defer(const CarriedLoop& loop, const Accumulator& one) {
  Instruction* values = one.reduce->operand(0);
  const std::vector<int64_t>& dims = values->shape.dims;
  Computation* combiner = one.reduce->attributes->to_apply.value();
  Instruction* start = loop.init(one.carry);

  GraphBuilder before(loop.loop());
  Instruction* neutral = before.constant(one.neutral);
  Instruction* next = one.next;
  next->set_operand(next->operand(0) == one.reduce ? 0 : 1, values);
  next->shape = Shape::array(values->shape.dtype, dims);
  replace_carry(loop, one.carry, before.splat(neutral, dims));

  for (Instruction* read : loop.reads_after(one.carry)) {
    Instruction* elements = insert_tuple_element(*read, &loop.loop(), static_cast<int64_t>(one.carry));
    read->shape = Shape::scalar(values->shape.dtype);
    Attributes attributes;
    attributes.dimensions = iota_list(values->shape.rank());
    attributes.to_apply = combiner;
    become(*read, Opcode::kReduce, {elements, start}, std::move(attributes));
  }
}

bool defer_in(Instruction& instruction, bool reassociate) {
  CarriedLoop loop(instruction);
  // Inside of another loop there may be a thread for each of its elements.
  if (instruction.parent() != instruction.parent()->parent()->entry() || !loop.is_taken_apart()) return false;
  std::vector<Accumulator> accumulators;
  for (size_t i = 0; i < loop.count(); ++i) {
    if (const std::optional<Accumulator> one = accumulator(loop, i, reassociate)) accumulators.push_back(*one);
  }
  InstructionSet deferred;
  for (const Accumulator& one : accumulators) deferred.insert(one.reduce);
  if (accumulators.empty() || !values_by_element(loop, std::move(deferred))) return false;
  for (const Accumulator& one : accumulators) defer(loop, one);
  return true;
}

}  // namespace

bool defer_reductions(Module& module, const GraphPassOptions& options) {
  bool changed = false;
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) changed |= defer_in(*loop, options.reassociate);
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
