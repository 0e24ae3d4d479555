// split_contractions: a matrix product with few results that are long sums becomes one of parts, and a reduction over
// them: a product has a block of threads for each tile of results, and few blocks leave most of a GPU idle.
//
//   %d = f32[8,512] dot(%a, %b)        =>   %x = f32[8,16,256] reshape(%a), %y = f32[16,256,512] reshape(%b)
//   a f32[8,4096], b f32[4096,512]          %p = f32[16,8,512] dot(%x, %y), batch dimensions 1 and 0
//                                           %d = f32[8,512] reduce(%p, 0), dimensions={0}
//
// What a length without a good divisor leaves over is a short product that is added; where tiles are loaded, zeros fill
// up the last part. Parts of narrow floats are f32, so that the sum is rounded once. A few vectors times a large
// matrix, and what tensor cores multiply, are left alone: their kernels divide sums themselves. The product of a matrix
// and a vector, or of a batch of both, becomes a reduction outright: %d = f32[512] reduce(multiply(%a, broadcast(%v)),
// 0), dimensions={1}. That of two matrices of up to 8 columns becomes sums over their rows (sums_of_columns.cpp). Of
// terms along several dimensions those that are neighbours in both operands stand along one.
#include <algorithm>
#include <numeric>
#include <optional>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/analysis/shapes/skinny_product.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/parts/attended_later.h"
#include "passes/graph/parts/sums_of_columns.h"
#include "passes/stages/products/contract.h"
#include "passes/stages/products/tensor_core_form.h"

namespace sinter {
namespace {

// How the first contracted dimension is cut.
struct Cut {
  int64_t parts = 1, part = 0;  // 1: not at all
  bool fills_up = false;        // the last part, with zeros; else what is left over is a product of its own
};

// `length` of it, with each of which `terms` go.
Cut cut_of(const Instruction& dot, int64_t length, int64_t terms) {
  constexpr int64_t kNarrow = 4, kThreads = 256;
  constexpr int64_t kFewBlocks = 264;              // two for each multiprocessor of a large GPU
  constexpr int64_t kEnoughBlocks = 1056;          // eight
  constexpr int64_t kLong = 960, kShortest = 128;  // not 1,024, so that 1,021 is cut as that is
  const OperandDims left = operand_dims(dot, 0);
  const int64_t batch = product(dot.operand(0)->shape, left.batch);
  const int64_t m = product(dot.operand(0)->shape, left.free);
  const int64_t n = product(dot.operand(1)->shape, operand_dims(dot, 1).free);
  // Of vectors and narrow matrices a thread makes each result.
  const bool tiles = m >= kNarrow && n >= kNarrow;
  const int64_t blocks =
      tiles ? batch * ceil_div(m, kContractTile) * ceil_div(n, kContractTile) : ceil_div(batch * m * n, kThreads);
  if (length * terms < kLong || blocks == 0 || blocks > kFewBlocks) return {};
  const int64_t most = std::min({kEnoughBlocks / blocks, length * terms / kShortest, length});
  const auto leaving_less = [&](int64_t left_over, int64_t parts) {
    while (parts > most / 2 && length % parts >= left_over) --parts;
    return parts > most / 2 ? std::optional<Cut>({.parts = parts, .part = length / parts}) : std::nullopt;
  };
  if (const std::optional<Cut> exact = leaving_less(1, most)) return *exact;
  if (std::min(m, n) < kContractTile / 2 && terms == 1) {
    const int64_t nearest = std::min(kEnoughBlocks / blocks, (length + kShortest / 2) / kShortest);
    if (const std::optional<Cut> near = leaving_less(kContractTile, nearest)) return *near;
  }
  // Loads of tiles are guarded anyway.
  const int64_t multiple = terms == 1 ? kContractTile : 1;
  const int64_t part = ceil_div(ceil_div(length, most), multiple) * multiple;
  return {.parts = ceil_div(length, part), .part = part, .fills_up = true};
}

bool is_left_to_tensor_cores(const Instruction& dot) { return is_contraction(dot) && tensor_core_product(dot); }

// An operand with no other dimensions of more than one element than `dims`: those, in the order of what they are of the
// other operand, `along`.
GraphBuilder::Value in_order_of(GraphBuilder& build, GraphBuilder::Value vector, const std::vector<int64_t>& dims,
                                const std::vector<int64_t>& along) {
  std::vector<size_t> order(along.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) { return along[i]; });
  std::vector<int64_t> permutation;
  for (const size_t i : order) permutation.push_back(dims[i]);
  const std::vector<int64_t> sizes = sinter::sizes(vector->shape, permutation);
  for (int64_t d = 0; d < vector->shape.rank(); ++d) {
    if (std::ranges::find(dims, d) == dims.end()) permutation.push_back(d);
  }
  return build.reshape(build.transpose(vector, permutation), sizes);
}

// The product of matrices and vectors, one or a batch of them, as a reduction, whose rows threads make together. Either
// may have its terms along several dimensions. Where a batch has many results, threads enough make one each.
bool become_reduction(Instruction& dot) {
  constexpr int64_t kLong = 128, kLarge = 16384;  // as small as this a thread makes a result in no time
  constexpr int64_t kMany = 16384;
  const DType dtype = dot.shape.dtype;
  const OperandDims sides[2] = {operand_dims(dot, 0), operand_dims(dot, 1)};
  const auto outer = [&](size_t side) { return product(dot.operand(side)->shape, sides[side].free); };
  if (sides[0].contracting.empty() || dtype == DType::kPred || dot.operands().size() != 2) return false;
  if (!sides[0].batch.empty() && dot.shape.element_count() > kMany) return false;
  const size_t matrix = outer(0) == 1 ? 1 : 0;
  const Shape shape = dot.operand(matrix)->shape;
  const int64_t length = product(shape, sides[matrix].contracting);
  if (outer(1 - matrix) != 1 || length < kLong || shape.element_count() < kLarge) return false;
  const DType type = sum_type(dtype);

  const auto shared = [&](size_t side) {
    std::vector<int64_t> dims = sides[side].batch;
    dims.insert(dims.end(), sides[side].contracting.begin(), sides[side].contracting.end());
    return dims;
  };
  std::vector<int64_t> along = shared(matrix);
  Module& module = *dot.parent()->parent();
  GraphBuilder build(dot);
  const GraphBuilder::Value vector =
      in_order_of(build, build.convert(dot.operand(1 - matrix), type), shared(1 - matrix), along);
  std::ranges::sort(along);
  const GraphBuilder::Value spread = build.broadcast(vector, shape.dims, along);
  const GraphBuilder::Value products = build.multiply({build.convert(dot.operand(matrix), type), spread});
  std::vector<int64_t> terms = sides[matrix].contracting, results = sides[matrix].batch;
  std::ranges::sort(terms);
  GraphBuilder::Value sum =
      build.reduce(products, build.constant(Literal(Shape::scalar(type))), terms, Opcode::kAdd, module);
  // Results have the batch in front.
  results.insert(results.end(), sides[matrix].free.begin(), sides[matrix].free.end());
  for (int64_t& result : results) {
    result -= std::ranges::count_if(terms, [&](int64_t term) { return term < result; });
  }
  sum = build.transpose(sum, results);
  become(dot, Opcode::kReshape, {build.convert(sum, dtype)});
  return true;
}

// The product of what stands from `first` on along the first contracted dimension.
GraphBuilder::Value product_from(GraphBuilder& build, Instruction& dot, DType type, int64_t first) {
  std::vector<Instruction*> operands;
  for (size_t side = 0; side < 2; ++side) {
    const int64_t along = operand_dims(dot, side).contracting[0];
    Instruction* operand = dot.operand(side);
    operands.push_back(build.slice(operand, along, first, operand->shape.dims[static_cast<size_t>(along)]));
  }
  return insert_like(dot, Opcode::kDot, Shape::array(type, dot.shape.dims), operands, dot.attributes);
}

// Terms along several dimensions: those that are neighbours, and in one order, in both operands stand along one, and
// the longest comes first, which is cut. Where there are too few for that all stay.
bool arrange_terms(Instruction& dot) {
  OperandDims sides[2] = {operand_dims(dot, 0), operand_dims(dot, 1)};
  if (sides[0].contracting.size() < 2 || dot.operands().size() != 2 || is_left_to_tensor_cores(dot)) return false;
  if (cut_of(dot, product(dot.operand(0)->shape, sides[0].contracting), 1).parts == 1) return false;
  GraphBuilder build(dot);
  for (size_t i = 1; i < sides[0].contracting.size();) {
    const auto follows = [&](const OperandDims& side) { return side.contracting[i] == side.contracting[i - 1] + 1; };
    if (!follows(sides[0]) || !follows(sides[1])) {
      ++i;
      continue;
    }
    // A matrix by itself stays one value.
    const bool is_same = dot.operand(0) == dot.operand(1) && sides[0].contracting[i] == sides[1].contracting[i];
    for (size_t s = 0; s < 2; ++s) {
      const int64_t gone = sides[s].contracting[i];
      std::vector<int64_t> dims = dot.operand(s)->shape.dims;
      dims[static_cast<size_t>(gone) - 1] *= dims[static_cast<size_t>(gone)];
      dims.erase(dims.begin() + gone);
      sides[s].contracting.erase(sides[s].contracting.begin() + static_cast<ptrdiff_t>(i));
      for (std::vector<int64_t>* list : {&sides[s].batch, &sides[s].contracting}) {
        for (int64_t& dimension : *list) dimension -= dimension > gone ? 1 : 0;
      }
      dot.set_operand(s, s == 1 && is_same ? dot.operand(0) : build.reshape(dot.operand(s), dims));
    }
  }
  const std::vector<int64_t> lengths = sizes(dot.operand(0)->shape, sides[0].contracting);
  const auto longest = std::ranges::max_element(lengths) - lengths.begin();
  for (OperandDims& side : sides) std::swap(side.contracting[0], side.contracting[static_cast<size_t>(longest)]);
  Attributes& attributes = dot.attributes.edit();
  attributes.lhs_batch_dims = sides[0].batch;
  attributes.rhs_batch_dims = sides[1].batch;
  attributes.lhs_contracting_dims = sides[0].contracting;
  attributes.rhs_contracting_dims = sides[1].contracting;
  return true;
}

bool become_sums(Instruction& dot) { return !is_left_to_tensor_cores(dot) && become_sums_of_columns(dot); }

bool split_terms(Instruction& dot) {
  const DType dtype = dot.shape.dtype;
  // Of doubles it is not known here whether the GPU has tensor cores.
  const std::optional<TensorCoreForm::Product> tensor = tensor_core_product(dot);
  if (is_contraction(dot) && tensor && *tensor != TensorCoreForm::Product::kF64) return false;
  if (dtype == DType::kPred || dot.operands().size() != 2) return false;
  OperandDims sides[2] = {operand_dims(dot, 0), operand_dims(dot, 1)};
  if (sides[0].contracting.empty()) return false;
  const int64_t length = dot.operand(0)->shape.dims[static_cast<size_t>(sides[0].contracting[0])];
  const int64_t terms = product(dot.operand(0)->shape, sides[0].contracting);
  if (terms == 0) return false;
  const Cut cut = cut_of(dot, length, terms / length);
  if (cut.parts == 1) return false;

  const DType type = sum_type(dtype);
  const auto position = static_cast<int64_t>(sides[0].batch.size());
  Module& module = *dot.parent()->parent();
  GraphBuilder build(dot);
  const GraphBuilder::Value rest =
      cut.parts * cut.part < length ? product_from(build, dot, type, cut.parts * cut.part) : nullptr;
  std::vector<Instruction*> operands;
  for (size_t side = 0; side < 2; ++side) {
    OperandDims& roles = sides[side];
    const int64_t along = roles.contracting[0];
    Instruction* operand = dot.operand(side);
    std::vector<int64_t> dims = operand->shape.dims;
    if (cut.fills_up) {
      std::vector<PadBounds> bounds(dims.size());
      bounds[static_cast<size_t>(along)].high = cut.parts * cut.part - length;
      operand = build.pad(operand, bounds);
    } else if (rest != nullptr) {
      operand = build.slice(operand, along, 0, cut.parts * cut.part);
    }
    dims[static_cast<size_t>(along)] = cut.part;
    dims.insert(dims.begin() + along, cut.parts);
    for (std::vector<int64_t>* list : {&roles.batch, &roles.contracting}) {
      for (int64_t& dimension : *list) dimension += dimension >= along ? 1 : 0;
    }
    roles.batch.push_back(along);
    operands.push_back(build.reshape(operand, dims));
  }
  Attributes attributes = dot.attributes;
  attributes.lhs_batch_dims = sides[0].batch;
  attributes.rhs_batch_dims = sides[1].batch;
  attributes.lhs_contracting_dims = sides[0].contracting;
  attributes.rhs_contracting_dims = sides[1].contracting;
  std::vector<int64_t> dims = dot.shape.dims;
  dims.insert(dims.begin() + position, cut.parts);
  Instruction* of_parts = insert_like(dot, Opcode::kDot, Shape::array(type, dims), operands, std::move(attributes));
  GraphBuilder::Value sum =
      build.reduce(of_parts, build.constant(Literal(Shape::scalar(type))), {position}, Opcode::kAdd, module);
  if (rest != nullptr) sum = build.add({sum, rest});
  if (type != dtype) {
    become(dot, Opcode::kConvert, {sum});
  } else if (rest != nullptr) {
    become(dot, Opcode::kAdd, {sum->operand(0), sum->operand(1)});
    remove_instructions(*dot.parent(), {sum});
  } else {
    become(dot, Opcode::kReduce, {sum->operand(0), sum->operand(1)}, sum->attributes);
    remove_instructions(*dot.parent(), {sum});
  }
  return true;
}

}  // namespace

bool split_contractions(Module& module, const GraphPassOptions& options) {
  bool changed = false;
  const std::set<const Instruction*> attended = attended_later(module, options);
  for (Instruction* dot : instructions_of(module, Opcode::kDot)) {
    if (attended.count(dot) > 0 || is_skinny_product(*dot)) continue;
    changed |= arrange_terms(*dot);
    changed |= become_sums(*dot) || become_reduction(*dot) || split_terms(*dot);
  }
  if (changed) module.sort_computations();
  return changed;
}

}  // namespace sinter
