// scatter_to_reduce: many updates of few elements are a reduction: each element takes all updates, those of others
// replaced by what changes nothing.
//
//   %s = f32[32] scatter(%zeros, %bins, %weights), to_apply=%add          (bins s32[2000,1])
//                                                         =>
//   %own = pred[32,2000] compare(iota over 32, broadcast(%bins)), direction=EQ
//   %term = f32[32,2000] select(%own, broadcast(%weights), -0)
//   %s = f32[32] reduce(%term, 0), dimensions={1}, to_apply=%add
//
// An index out of range is equal to none. Sums of floats are rounded once: they become reductions only where the
// operand's elements are one value, which the reduction begins with.
#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/stages/own/bins_stage.h"
#include "passes/stages/own/scatter_stage.h"

namespace sinter {
namespace {

// Up to this many elements, and from this many updates on.
constexpr int64_t kMostElements = 4096;
constexpr int64_t kLeastUpdates = 64;
// Each element looks at each update, 3.5 million pairs a microsecond of an h200: where there are more, updates that may
// come in any order are brought to their elements, and others sorted, which takes longer.
constexpr int64_t kMostPairsInOrder = 2 * kManyPairs;

// Every window is one element, which the index vector names along all dimensions.
bool names_elements(const Instruction& scatter) {
  const Attributes& attributes = scatter.attributes;
  const auto count = [](const AttributeValue<std::vector<int64_t>>& dims) {
    return dims ? static_cast<int64_t>(dims->size()) : 0;
  };
  const int64_t rank = scatter.shape.rank();
  return count(attributes.update_window_dims) == 0 && count(attributes.input_batching_dims) == 0 &&
         count(attributes.inserted_window_dims) == rank && count(attributes.scatter_dims_to_operand_dims) == rank &&
         rank > 0;
}

bool to_reduce(Instruction& scatter) {
  if (scatter.operands().size() != 3 || !names_elements(scatter) || wants_bins(scatter)) return false;
  Instruction* operand = scatter.operand(0);
  Instruction* indices = scatter.operand(1);
  Instruction* updates = scatter.operand(2);
  const DType dtype = scatter.shape.dtype;
  const int64_t count = updates->shape.element_count();
  if (scatter.shape.element_count() > kMostElements || scatter.shape.element_count() == 0 || count < kLeastUpdates)
    return false;
  Computation* combiner = scatter.attributes->to_apply.value();
  const std::optional<Opcode> operation = simple_combiner(*combiner);
  const std::optional<Literal> begin = splat_value(*operand);
  if (!operation || *operation == Opcode::kMultiply) return false;
  std::optional<Literal> neutral = neutral_value(*operation, dtype);
  if (!neutral) return false;
  if (begin) neutral = part_beginning(*operation, dtype, *operand);
  if (*operation == Opcode::kAdd && is_float(dtype) && !begin) return false;
  if (scatter.shape.element_count() * count > (needs_order(scatter) ? kMostPairsInOrder : kManyPairs)) return false;

  GraphBuilder builder(scatter);
  const std::vector<int64_t>& dims = scatter.shape.dims;
  const auto rank = static_cast<int64_t>(dims.size());
  std::vector<int64_t> terms_dims = dims;
  terms_dims.push_back(count);
  const int64_t vector_dim = scatter.attributes->index_vector_dim.value();
  const std::vector<int64_t>& start_map = *scatter.attributes->scatter_dims_to_operand_dims;
  Instruction* own = nullptr;
  for (size_t k = 0; k < start_map.size(); ++k) {
    Instruction* component = indices;
    if (vector_dim < indices->shape.rank()) {
      component = builder.slice(component, vector_dim, static_cast<int64_t>(k), static_cast<int64_t>(k) + 1);
    }
    component = builder.reshape(component, {count});
    if (dtype_bits(component->shape.dtype) < 32) component = builder.convert(component, DType::kS32);
    const DType type = component->shape.dtype;
    Instruction* place = builder.iota(type, terms_dims, start_map[k]);
    Instruction* same = builder.compare({place, builder.broadcast(component, terms_dims, {rank})}, "EQ");
    own = own == nullptr ? same : builder.make(Opcode::kAnd, {own, same});
  }
  Instruction* nothing = builder.constant(*neutral);
  Instruction* spread = builder.broadcast(builder.reshape(updates, {count}), terms_dims, {rank});
  Instruction* terms = builder.select({own, spread, builder.splat(nothing, terms_dims)});
  Attributes attributes;
  attributes.dimensions = std::vector<int64_t>{rank};
  attributes.to_apply = combiner;
  if (begin) {
    become(scatter, Opcode::kReduce, {terms, builder.constant(*begin)}, std::move(attributes));
    return true;
  }
  Instruction* reduced = builder.make(Opcode::kReduce, {terms, nothing}, std::move(attributes));
  become(scatter, *operation, {operand, reduced});
  return true;
}

}  // namespace

bool scatter_to_reduce(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      if (instruction.opcode == Opcode::kScatter) changed |= to_reduce(instruction);
    }
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
