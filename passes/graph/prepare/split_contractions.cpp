// split_contractions: a matrix product with few results that are long sums becomes one of parts, and a reduction over
// them: a product has a block of threads for each tile of results, and few blocks leave most of a GPU idle.
//
//   %d = f32[8,512] dot(%a, %b)        =>   %x = f32[8,16,256] reshape(%a), %y = f32[16,256,512] reshape(%b)
//   a f32[8,4096], b f32[4096,512]          %p = f32[16,8,512] dot(%x, %y), batch dimensions 1 and 0
//                                           %d = f32[8,512] reduce(%p, 0), dimensions={0}
//
// Parts of narrow floats are f32, so that the sum is rounded once. The product of a matrix and a vector becomes a
// reduction outright: %d = f32[512] reduce(multiply(%a, broadcast(%v)), 0), dimensions={1}.
#include <algorithm>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/stages/products/contract.h"

namespace sinter {
namespace {

// Into how many parts the first contracted dimension, of `length`, is cut; 1: into none.
int64_t parts_of(const Instruction& dot, int64_t length) {
  constexpr int64_t kNarrow = 4, kThreads = 256;
  constexpr int64_t kFewBlocks = 264;      // two for each multiprocessor of a large GPU
  constexpr int64_t kEnoughBlocks = 1056;  // eight
  constexpr int64_t kLong = 1024, kShortest = 128;
  const OperandDims left = operand_dims(dot, 0);
  const int64_t batch = product(dot.operand(0)->shape, left.batch);
  const int64_t m = product(dot.operand(0)->shape, left.free);
  const int64_t n = product(dot.operand(1)->shape, operand_dims(dot, 1).free);
  // Of vectors and narrow matrices a thread makes each result.
  const bool tiles = m >= kNarrow && n >= kNarrow;
  const int64_t blocks =
      tiles ? batch * ceil_div(m, kContractTile) * ceil_div(n, kContractTile) : ceil_div(batch * m * n, kThreads);
  if (length < kLong || blocks == 0 || blocks > kFewBlocks) return 1;
  for (int64_t parts = std::min(kEnoughBlocks / blocks, length / kShortest); parts > 1; --parts) {
    if (length % parts == 0) return parts;
  }
  return 1;
}

// The product of a matrix and a vector as a reduction, whose rows threads make together.
bool become_reduction(Instruction& dot) {
  constexpr int64_t kLong = 128, kLarge = 16384;  // as small as this a thread makes a result in no time
  const DType dtype = dot.shape.dtype;
  const OperandDims sides[2] = {operand_dims(dot, 0), operand_dims(dot, 1)};
  const auto outer = [&](size_t side) { return product(dot.operand(side)->shape, sides[side].free); };
  const bool plain = sides[0].batch.empty() && sides[0].contracting.size() == 1 && !is_complex(dtype) &&
                     dtype != DType::kPred && dot.operands().size() == 2;
  if (!plain) return false;
  const size_t matrix = outer(0) == 1 ? 1 : 0;
  const int64_t along = sides[matrix].contracting[0];
  const Shape shape = dot.operand(matrix)->shape;
  const int64_t length = shape.dims[static_cast<size_t>(along)];
  if (outer(1 - matrix) != 1 || length < kLong || shape.element_count() < kLarge) return false;
  const DType type = sum_type(dtype);

  Module& module = *dot.parent()->parent();
  GraphBuilder build(dot);
  const GraphBuilder::Value vector = build.reshape(build.convert(dot.operand(1 - matrix), type), {length});
  const GraphBuilder::Value spread = build.broadcast(vector, shape.dims, {along});
  const GraphBuilder::Value products = build.multiply({build.convert(dot.operand(matrix), type), spread});
  GraphBuilder::Value sum =
      build.reduce(products, build.constant(Literal(Shape::scalar(type))), {along}, Opcode::kAdd, module);
  sum = build.convert(sum, dtype);
  become(dot, Opcode::kReshape, {sum});
  return true;
}

bool split(Instruction& dot) {
  const DType dtype = dot.shape.dtype;
  if (is_complex(dtype) || dtype == DType::kPred || dot.operands().size() != 2) return false;
  OperandDims sides[2] = {operand_dims(dot, 0), operand_dims(dot, 1)};
  if (sides[0].contracting.empty()) return false;
  const int64_t length = dot.operand(0)->shape.dims[static_cast<size_t>(sides[0].contracting[0])];
  const int64_t parts = parts_of(dot, length);
  if (parts == 1) return false;

  const DType type = sum_type(dtype);
  const auto position = static_cast<int64_t>(sides[0].batch.size());
  Module& module = *dot.parent()->parent();
  GraphBuilder build(dot);
  std::vector<Instruction*> operands;
  for (size_t side = 0; side < 2; ++side) {
    OperandDims& roles = sides[side];
    const int64_t along = roles.contracting[0];
    std::vector<int64_t> dims = dot.operand(side)->shape.dims;
    dims[static_cast<size_t>(along)] = length / parts;
    dims.insert(dims.begin() + along, parts);
    for (std::vector<int64_t>* list : {&roles.batch, &roles.contracting}) {
      for (int64_t& dimension : *list) dimension += dimension >= along ? 1 : 0;
    }
    roles.batch.push_back(along);
    operands.push_back(build.reshape(dot.operand(side), dims));
  }
  Attributes attributes = dot.attributes;
  attributes.lhs_batch_dims = sides[0].batch;
  attributes.rhs_batch_dims = sides[1].batch;
  attributes.lhs_contracting_dims = sides[0].contracting;
  attributes.rhs_contracting_dims = sides[1].contracting;
  std::vector<int64_t> dims = dot.shape.dims;
  dims.insert(dims.begin() + position, parts);
  Instruction* of_parts = insert_like(dot, Opcode::kDot, Shape::array(type, dims), operands, std::move(attributes));
  const GraphBuilder::Value sum =
      build.reduce(of_parts, build.constant(Literal(Shape::scalar(type))), {position}, Opcode::kAdd, module);
  if (type != dtype) {
    become(dot, Opcode::kConvert, {sum});
  } else {
    become(dot, Opcode::kReduce, {sum->operand(0), sum->operand(1)}, sum->attributes);
    remove_instructions(*dot.parent(), {sum});
  }
  return true;
}

}  // namespace

bool split_contractions(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* dot : instructions_of(module, Opcode::kDot)) changed |= become_reduction(*dot) || split(*dot);
  if (changed) module.sort_computations();
  return changed;
}

}  // namespace sinter
