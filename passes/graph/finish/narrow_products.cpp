// narrow_products: products of f32 whose operands were 16-bit floats, or narrower, before they were converted are made
// of these.
//
//   %a = f32[512,512] convert(%x)                      =>  %d = f32[512,512] dot(%x, %y), ...
//   %b = f32[512,512] convert(bf16[512,512] %y)
//   %d = f32[512,512] dot(%a, %b), ...
//
// Nothing is rounded: one of bf16 and f16 has all values of both operands, products of two are exact in f32, in which
// they are added up (docs/numerics.md), and tensor cores take a quarter of the time or less. What chooses and moves
// elements on their way from the conversion is done with the narrow ones. Products that ask for one fmaf a term stay
// as they are; so do small ones, which are no kernels of their own.
#include <map>
#include <optional>
#include <utility>

#include "passes/analysis/shapes/dot_precision.h"
#include "passes/analysis/shapes/matrix_product.h"
#include "passes/analysis/values/chosen_operands.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/finish/outline.h"

namespace sinter {
namespace {

// Whether `wide`, bf16 or f16, has all values of `dtype`.
bool has_all_of(DType wide, DType dtype) {
  if (dtype == wide || dtype == DType::kPred) return true;
  if (dtype == DType::kF8E8M0FNU) return wide == DType::kBF16;  // powers of two, as f32 has them
  return (is_integer(dtype) || is_float(dtype)) && dtype_bits(dtype) <= 8;
}

std::optional<Literal> narrow_literal(const Literal& literal, DType dtype) {
  constexpr int64_t kMostElements = 4096;
  Shape shape = literal.shape();
  if (literal.is_elided() || shape.element_count() > kMostElements) return std::nullopt;
  shape.dtype = dtype;
  Literal narrow(shape);
  for (int64_t i = 0; i < shape.element_count(); ++i) {
    const double value = literal.real_at(i);
    narrow.set_real(i, value);
    if (!(narrow.real_at(i) == value)) return std::nullopt;  // nor a NaN, whose bits might be others
  }
  return narrow;
}

// Whether all elements are values of `dtype`, converted; `left`: values that are still looked at.
bool is_of(const Instruction& value, DType dtype, int* left) {
  if (--*left < 0 || value.shape.dtype != DType::kF32) return false;
  if (value.opcode == Opcode::kConvert) return has_all_of(dtype, value.operand(0)->shape.dtype);
  if (value.opcode == Opcode::kConstant) return narrow_literal(value.literal, dtype).has_value();
  const std::optional<std::pair<size_t, size_t>> chosen = chosen_operands(value);
  if (!chosen) return false;
  for (size_t i = chosen->first; i < chosen->second; ++i) {
    if (!is_of(*value.operand(i), dtype, left)) return false;
  }
  return true;
}

bool is_of(const Instruction& value, DType dtype) {
  int left = 32;
  return is_of(value, dtype, &left);
}

class Narrowing {
 public:
  Narrowing(Instruction& product, DType dtype) : product_(product), dtype_(dtype) {}

  // The same elements in the narrow type.
  Instruction* of(Instruction& value) {
    Instruction*& narrow = narrow_[&value];
    if (narrow == nullptr) narrow = made_of(value);
    return narrow;
  }

 private:
  Instruction* made_of(Instruction& value) {
    if (value.opcode == Opcode::kConvert) {
      Instruction* from = value.operand(0);
      if (from->shape.dtype == dtype_) return from;
      Shape shape = value.shape;
      shape.dtype = dtype_;
      return insert_like(product_, Opcode::kConvert, shape, {from});
    }
    if (value.opcode == Opcode::kConstant)
      return product_.parent()->add_constant(*narrow_literal(value.literal, dtype_), &product_);
    const auto [first, end] = *chosen_operands(value);
    std::vector<Instruction*> operands = value.operands();
    for (size_t i = first; i < end; ++i) operands[i] = of(*operands[i]);
    Instruction* copy = product_.parent()->add_copy(value, operands, &product_);
    copy->shape.dtype = dtype_;
    return copy;
  }

  Instruction& product_;
  const DType dtype_;
  std::map<const Instruction*, Instruction*> narrow_;  // only looked up
};

bool narrow_product(Instruction& product) {
  const bool is_large = is_contraction(product) || is_shallow_product(product) || is_narrow_convolution(product);
  if (product.shape.dtype != DType::kF32 || product.operands().size() != 2 || !is_large) return false;
  if (dot_precision(product) == "f32") return false;
  for (const DType dtype : {DType::kBF16, DType::kF16}) {
    if (!is_of(*product.operand(0), dtype) || !is_of(*product.operand(1), dtype)) continue;
    Narrowing narrowing(product, dtype);
    product.set_operands({narrowing.of(*product.operand(0)), narrowing.of(*product.operand(1))});
    return true;
  }
  return false;
}

}  // namespace

bool narrow_products(Module& module, const GraphPassOptions&) {
  bool changed = false;
  const std::set<const Computation*> done = computations_of_stages(module);
  for (const Opcode opcode : {Opcode::kDot, Opcode::kConvolution}) {
    for (Instruction* product : instructions_of(module, opcode))
      changed |= done.count(product->parent()) == 0 && narrow_product(*product);
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
