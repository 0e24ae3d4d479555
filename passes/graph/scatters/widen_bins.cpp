// widen_bins: bins (passes/stages/own/bins_stage.h) hold numbers of 32 bits and more. Narrower ones that many updates
// of few elements combine are widened for it, so that sums of floats are rounded once; of complex numbers that are
// added up both parts have bins.
//
//   %h = bf16[100] scatter(%zeros, %rows, %values), to_apply=%add
//                                         =>
//   %wide = f32[100] scatter(%wide_zeros, %rows, convert(%values)), to_apply=%add
//   %h = bf16[100] convert(%wide)
//
//   %z = c64[100] scatter(%zeros, %rows, %values), to_apply=%add
//                                         =>
//   %z = c64[100] complex(scatter(%re, %rows, real(%values)), scatter(%im, %rows, imag(%values)))
//
// Integers of 32 bits combine to the same low bits; of predicates, sums and maxima are "or", products and minima "and".
#include <optional>

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/values/constants.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/stages/own/bins_stage.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

Value scatter_of(GraphBuilder& build, const Instruction& scatter, Opcode operation, Value operand, Value updates) {
  Attributes attributes = scatter.attributes;
  attributes.to_apply = combine_two(*scatter.parent()->parent(), operation, operand->shape.dtype);
  return build.make(Opcode::kScatter, {operand, scatter.operands()[1], updates}, std::move(attributes));
}

// What combines numbers as `operation` does predicates.
Opcode of_integers(Opcode operation) {
  switch (operation) {
    case Opcode::kAdd:
    case Opcode::kMaximum:
      return Opcode::kOr;
    case Opcode::kMultiply:
    case Opcode::kMinimum:
      return Opcode::kAnd;
    default:
      return operation;
  }
}

void widen_numbers(Instruction& scatter, Opcode operation, DType wide, const Literal& begin) {
  GraphBuilder build(scatter);
  const DType dtype = scatter.shape.dtype;
  const std::vector<int64_t>& dims = scatter.shape.dims;
  const Value operand =
      is_float(dtype) ? build.real(wide, begin.real_at(0), dims) : build.integer(wide, begin.integer_at(0), dims);
  const Opcode combined = dtype == DType::kPred ? of_integers(operation) : operation;
  const Value made = scatter_of(build, scatter, combined, operand, build.convert(scatter.operand(2), wide));
  become(scatter, Opcode::kConvert, {made});
}

void add_parts(Instruction& scatter, DType part_type) {
  GraphBuilder build(scatter);
  std::vector<Value> parts;
  for (const Opcode part : {Opcode::kReal, Opcode::kImag}) {
    const Value updates = build.make(part, {scatter.operand(2)});
    parts.push_back(scatter_of(build, scatter, Opcode::kAdd, build.real(part_type, 0, scatter.shape.dims), updates));
  }
  become(scatter, Opcode::kComplex, parts);
}

bool widen(Instruction& scatter) {
  const DType dtype = scatter.shape.dtype;
  if (scatter.operands().size() != 3 || (!is_complex(dtype) && dtype_bits(dtype) >= 32)) return false;
  const std::optional<Opcode> operation = simple_combiner(**scatter.attributes->to_apply);
  const std::optional<Literal> begin = splat_value(*scatter.operand(0));
  const DType wide = dtype == DType::kC64 ? DType::kF32
                     : is_complex(dtype)  ? DType::kF64
                     : is_float(dtype)    ? DType::kF32
                                          : DType::kS32;
  if (!operation || !begin || !may_have_bins_of(scatter, wide)) return false;
  if (!is_complex(dtype)) {
    widen_numbers(scatter, *operation, wide, *begin);
    return true;
  }
  if (operation != Opcode::kAdd || !begin->same_value(Literal(begin->shape()))) return false;
  add_parts(scatter, wide);
  return true;
}

}  // namespace

bool widen_bins(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* scatter : instructions_of(module, Opcode::kScatter)) changed |= widen(*scatter);
  if (!changed) return false;
  remove_dead_code(module);
  module.sort_computations();
  return true;
}

}  // namespace sinter
