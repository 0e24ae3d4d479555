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

#include "passes/graph/graph_builder.h"
#include "passes/graph/passes.h"
#include "passes/graph/rewrite.h"

namespace sinter {
namespace {

struct Sides {
  std::vector<int64_t> batch[2], contracting[2];
};

Sides sides_of(const Attributes& attributes) {
  const auto list = [](const auto& values) { return values.value_or(std::vector<int64_t>{}); };
  return {{list(attributes.lhs_batch_dims), list(attributes.rhs_batch_dims)},
          {list(attributes.lhs_contracting_dims), list(attributes.rhs_contracting_dims)}};
}

// Dimensions of one operand: those of the result's own, and how many elements they have.
int64_t outer_elements(const Instruction& dot, const Sides& sides, size_t side) {
  const std::vector<int64_t>& dims = dot.operand(side)->shape.dims;
  int64_t elements = 1;
  for (int64_t d = 0; d < static_cast<int64_t>(dims.size()); ++d) {
    const auto among = [&](const std::vector<int64_t>& list) {
      return std::find(list.begin(), list.end(), d) != list.end();
    };
    if (!among(sides.batch[side]) && !among(sides.contracting[side])) elements *= dims[d];
  }
  return elements;
}

// Into how many parts the first contracted dimension, of `length`, is cut; 1: into none.
int64_t parts_of(const Instruction& dot, int64_t length) {
  constexpr int64_t kTile = 16;  // rows and columns of results a block (passes/schedule/contract.h)
  constexpr int64_t kNarrow = 4, kThreads = 256;
  constexpr int64_t kFewBlocks = 264;      // two for each multiprocessor of a large GPU
  constexpr int64_t kEnoughBlocks = 1056;  // eight
  constexpr int64_t kLong = 1024, kShortest = 128;
  const Sides sides = sides_of(dot.attributes);
  int64_t batch = 1;
  for (const int64_t d : sides.batch[0]) batch *= dot.operand(0)->shape.dims[static_cast<size_t>(d)];
  const int64_t outer[2] = {outer_elements(dot, sides, 0), outer_elements(dot, sides, 1)};
  // Of vectors and narrow matrices a thread makes each result.
  const bool tiles = outer[0] >= kNarrow && outer[1] >= kNarrow;
  const auto ceil_div = [](int64_t a, int64_t b) { return (a + b - 1) / b; };
  const int64_t blocks = tiles ? batch * ceil_div(outer[0], kTile) * ceil_div(outer[1], kTile)
                               : ceil_div(batch * outer[0] * outer[1], kThreads);
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
  const Sides sides = sides_of(dot.attributes);
  const bool plain = sides.batch[0].empty() && sides.contracting[0].size() == 1 && !is_complex(dtype) &&
                     dtype != DType::kPred && dot.operands().size() == 2;
  if (!plain) return false;
  const size_t matrix = outer_elements(dot, sides, 0) == 1 ? 1 : 0;
  const int64_t along = sides.contracting[matrix][0];
  const Shape shape = dot.operand(matrix)->shape;
  const int64_t length = shape.dims[static_cast<size_t>(along)];
  if (outer_elements(dot, sides, 1 - matrix) != 1 || length < kLong || shape.element_count() < kLarge) return false;
  const DType type = is_float(dtype) && dtype_bits(dtype) < 32 ? DType::kF32 : dtype;

  Module& module = *dot.parent()->parent();
  GraphBuilder build(dot);
  const GraphBuilder::Value vector = build.reshape(build.convert(dot.operand(1 - matrix), type), {length});
  const GraphBuilder::Value spread = build.broadcast(vector, shape.dims, {along});
  const GraphBuilder::Value products = build.multiply({build.convert(dot.operand(matrix), type), spread});
  const Literal zero = is_float(type) ? real_literal(type, 0) : integer_literal(type, 0);
  GraphBuilder::Value sum = build.reduce(products, build.constant(zero), {along}, Opcode::kAdd, module);
  sum = build.convert(sum, dtype);
  become(dot, Opcode::kReshape, {sum});
  return true;
}

bool split(Instruction& dot) {
  const DType dtype = dot.shape.dtype;
  if (is_complex(dtype) || dtype == DType::kPred || dot.operands().size() != 2) return false;
  const Sides sides = sides_of(dot.attributes);
  if (sides.contracting[0].empty()) return false;
  const int64_t length = dot.operand(0)->shape.dims[static_cast<size_t>(sides.contracting[0][0])];
  const int64_t parts = parts_of(dot, length);
  if (parts == 1) return false;

  const DType type = is_float(dtype) && dtype_bits(dtype) < 32 ? DType::kF32 : dtype;
  Module& module = *dot.parent()->parent();
  GraphBuilder build(dot);
  std::vector<Instruction*> operands;
  Sides cut = sides;
  for (size_t side = 0; side < 2; ++side) {
    const int64_t along = sides.contracting[side][0];
    std::vector<int64_t> dims = dot.operand(side)->shape.dims;
    dims[static_cast<size_t>(along)] = length / parts;
    dims.insert(dims.begin() + along, parts);
    for (std::vector<int64_t>* list : {&cut.batch[side], &cut.contracting[side]}) {
      for (int64_t& dimension : *list) dimension += dimension >= along ? 1 : 0;
    }
    cut.batch[side].push_back(along);
    operands.push_back(build.reshape(dot.operand(side), dims));
  }
  Attributes attributes = dot.attributes;
  attributes.lhs_batch_dims = cut.batch[0];
  attributes.rhs_batch_dims = cut.batch[1];
  attributes.lhs_contracting_dims = cut.contracting[0];
  attributes.rhs_contracting_dims = cut.contracting[1];
  const auto position = static_cast<int64_t>(sides.batch[0].size());
  std::vector<int64_t> dims = dot.shape.dims;
  dims.insert(dims.begin() + position, parts);
  Instruction* of_parts = insert_like(dot, Opcode::kDot, Shape::array(type, dims), operands, std::move(attributes));
  const Literal zero = is_float(type) ? real_literal(type, 0) : integer_literal(type, 0);
  const GraphBuilder::Value sum = build.reduce(of_parts, build.constant(zero), {position}, Opcode::kAdd, module);
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
