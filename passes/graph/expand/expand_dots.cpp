// expand_dots: scaled and ragged dots become dots, whose operands have one type.
//
//   %d = f32[4,8] scaled-dot(%a, %a_scales, %b, %b_scales)   =>   dot of the operands times their blocks' scales
//   %r = f32[6,8] ragged-dot(%a, %b, %sizes)                 =>   dot with b[group of row m] for each row m of a
//
//   %m = f32[4,8] dot(f32 %a, bf16 %b), algorithm=dot_bf16_bf16_f32   =>   dot(bf16 convert(%a), %b)
//   %n = f32[4,8] dot(f32 %a, bf16 %b)                                =>   dot(%a, f32 convert(%b))
//   %s = f8e5m2[4,8] dot(f8e4m3fn %a, f8e5m2 %b)   =>   f8e5m2 convert(f32 dot(bf16 convert(%a), bf16 convert(%b)))
//
// Dimensions that are contracted come in the order of memory, where that is the same for both operands:
//
//   lhs_contracting_dims={2,0}, rhs_contracting_dims={1,0}   =>   lhs_contracting_dims={0,2},
//   rhs_contracting_dims={0,1}
//
// Where the ragged dimension is contracted, each group has a dot of its own: the operand with zeros outside the group.
#include <algorithm>

#include "ir/ops/dot_operands.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Dims = GraphBuilder::Dims;

// Operand times scale, in `dtype`: [n] and [n / k] meet as [n / k, k].
Value scaled(GraphBuilder& at, Value operand, Value scale, DType dtype) {
  const Dims dims = operand->shape.dims;
  operand = at.convert(operand, dtype);
  scale = at.convert(scale, dtype);
  if (scale->shape.is_scalar()) return at.multiply({operand, at.splat(scale, dims)});
  Dims blocks;
  Dims where;
  for (size_t d = 0; d < dims.size(); ++d) {
    where.push_back(static_cast<int64_t>(blocks.size()));
    blocks.push_back(scale->shape.dims[d]);
    blocks.push_back(dims[d] / scale->shape.dims[d]);
  }
  const Value factors = at.broadcast(scale, blocks, where);
  return at.reshape(at.multiply({at.reshape(operand, blocks), factors}), dims);
}

void expand_scaled_dot(Instruction& dot) {
  GraphBuilder at(dot);
  const DType dtype = dot.shape.dtype == DType::kF64 ? DType::kF64 : DType::kF32;
  const Value lhs = scaled(at, dot.operand(0), dot.operand(1), dtype);
  const Value rhs = scaled(at, dot.operand(2), dot.operand(3), dtype);
  become(dot, Opcode::kDot, {lhs, rhs}, dot.attributes);
}

bool contains(const Dims& dims, int64_t d) { return std::find(dims.begin(), dims.end(), d) != dims.end(); }

// Ends of the groups: sums of the sizes up to each, along the last dimension.
Value group_ends(GraphBuilder& at, Instruction& position, Value sizes) {
  const int64_t groups = sizes->shape.dims.back();
  Dims square = sizes->shape.dims;
  square.push_back(groups);  // [..., end, size]
  const int64_t rank = sizes->shape.rank();
  Dims where = iota_list(rank);
  where.back() = rank;
  const Value is_before =
      at.compare({at.iota(DType::kS32, square, rank), at.iota(DType::kS32, square, rank - 1)}, "LE");
  const Value zero = at.integer(sizes->shape.dtype, 0);
  const Value counted = at.select({is_before, at.broadcast(sizes, square, where), at.splat(zero, square)});
  return at.reduce(counted, zero, {rank}, Opcode::kAdd, *position.parent()->parent());
}

// For every index of `dims`, in which `along` is the ragged dimension and `leading` are those that come with group
// sizes of their own: the ends broadcast as [dims..., group].
Value ends_at(GraphBuilder& at, Value ends, const Dims& dims, const Dims& leading) {
  Dims wide = dims;
  wide.push_back(ends->shape.dims.back());
  Dims where(leading.begin(), leading.begin() + (ends->shape.rank() - 1));
  where.push_back(static_cast<int64_t>(dims.size()));
  return at.broadcast(ends, wide, where);
}

// The number of groups that end at or before each index: the group of the index, or the number of groups.
Value group_of(GraphBuilder& at, Instruction& position, Value ends, const Dims& dims, int64_t along,
               const Dims& leading) {
  const Value wide = ends_at(at, ends, dims, leading);
  const Value index = at.iota(ends->shape.dtype, wide->shape.dims, along);
  const Value is_past = at.convert(at.compare({wide, index}, "LE"), DType::kS32);
  return at.reduce(is_past, at.integer(DType::kS32, 0), {static_cast<int64_t>(dims.size())}, Opcode::kAdd,
                   *position.parent()->parent());
}

// [batch, rows, k] x [group, batch, k, columns]: row m is multiplied with the matrix of its group.
void expand_ragged_rows(Instruction& dot, const Dims& leading, Value ends) {
  GraphBuilder at(dot);
  Value lhs = dot.operand(0);
  Value rhs = dot.operand(1);
  const Attributes& attributes = dot.attributes;
  const Dims lhs_batch = attributes.lhs_batch_dims.value_or(Dims{});
  const Dims lhs_contracting = attributes.lhs_contracting_dims.value_or(Dims{});
  const Dims rhs_batch = attributes.rhs_batch_dims.value_or(Dims{});
  const int64_t ragged = attributes.lhs_ragged_dims->front();
  const int64_t group_dim = attributes.rhs_group_dims->front();
  const int64_t groups = rhs->shape.dims[static_cast<size_t>(group_dim)];

  // The group of each (batch, ragged) index; the gather leaves those dimensions in front of what is left of rhs.
  Dims index_dims;
  Dims index_leading;
  for (const int64_t d : lhs_batch) index_dims.push_back(lhs->shape.dims[static_cast<size_t>(d)]);
  for (const int64_t d : leading) {
    index_leading.push_back(std::find(lhs_batch.begin(), lhs_batch.end(), d) - lhs_batch.begin());
  }
  const auto row_position = static_cast<int64_t>(index_dims.size());
  index_dims.push_back(lhs->shape.dims[static_cast<size_t>(ragged)]);
  const Value group = group_of(at, dot, ends, index_dims, row_position, index_leading);

  Attributes gather;
  gather.collapsed_slice_dims = {group_dim};
  gather.start_index_map = {group_dim};
  gather.operand_batching_dims = rhs_batch;
  gather.start_indices_batching_dims = iota_list(row_position);
  gather.index_vector_dim = row_position + 1;
  gather.slice_sizes = rhs->shape.dims;
  gather.offset_dims.emplace();
  Dims free_or_contracting;  // dimensions of rhs that the gather keeps, in order
  for (int64_t d = 0; d < rhs->shape.rank(); ++d) {
    if (d == group_dim || contains(rhs_batch, d)) {
      (*gather.slice_sizes)[static_cast<size_t>(d)] = 1;
      continue;
    }
    gather.offset_dims->push_back(row_position + 1 + static_cast<int64_t>(free_or_contracting.size()));
    free_or_contracting.push_back(d);
  }
  rhs = at.make(Opcode::kGather, {rhs, group}, std::move(gather));

  Attributes batched;
  batched.lhs_batch_dims = lhs_batch;
  batched.lhs_batch_dims->push_back(ragged);
  batched.rhs_batch_dims = iota_list(row_position + 1);
  batched.lhs_contracting_dims = lhs_contracting;
  batched.rhs_contracting_dims.emplace();
  for (const int64_t d : attributes.rhs_contracting_dims.value_or(Dims{})) {
    const auto kept =
        std::find(free_or_contracting.begin(), free_or_contracting.end(), d) - free_or_contracting.begin();
    batched.rhs_contracting_dims->push_back(row_position + 1 + kept);
  }
  // Rows of no group are zero. The ragged dimension goes back among the free ones of lhs.
  Value result = at.make(Opcode::kDot, {lhs, rhs}, std::move(batched));
  const Value in_group = at.compare({group, at.integer(DType::kS32, groups, index_dims)}, "LT");
  const Dims& dims = result->shape.dims;
  result = at.convert(result, dot.shape.dtype);
  const Value zero = at.splat(at.constant(Literal(Shape::scalar(dot.shape.dtype))), dims);
  result = at.select({at.broadcast(in_group, dims, iota_list(row_position + 1)), result, zero});
  int64_t before = 0;  // free dimensions of lhs before the ragged one
  for (int64_t d = 0; d < ragged; ++d) before += !contains(lhs_batch, d) && !contains(lhs_contracting, d);
  Dims order = iota_list(result->shape.rank());
  order.erase(order.begin() + row_position);
  order.insert(order.begin() + row_position + before, row_position);
  become(dot, Opcode::kCopy, {at.transpose(result, order)});
}

// [batch, rows, k] x [batch, k, columns] -> [group, batch, rows, columns]: both operands are zero outside the group.
void expand_ragged_contraction(Instruction& dot, const Dims& leading, Value ends) {
  GraphBuilder at(dot);
  const Attributes& attributes = dot.attributes;
  const int64_t groups = ends->shape.dims.back();
  const Dims& lhs_contracting = *attributes.lhs_contracting_dims;
  const Dims& rhs_contracting = *attributes.rhs_contracting_dims;
  const auto pair = static_cast<size_t>(
      std::find(lhs_contracting.begin(), lhs_contracting.end(), attributes.lhs_ragged_dims->front()) -
      lhs_contracting.begin());
  // [group, dims...] of one side.
  const auto masked = [&](Value operand, int64_t along, const Dims& leading_here) {
    const Value group = group_of(at, dot, ends, operand->shape.dims, along, leading_here);
    Dims dims = operand->shape.dims;
    dims.insert(dims.begin(), groups);
    Dims where = iota_list(operand->shape.rank());
    for (int64_t& d : where) ++d;
    const Value is_here = at.compare({at.broadcast(group, dims, where), at.iota(DType::kS32, dims, 0)}, "EQ");
    const Value zero = at.splat(at.constant(Literal(Shape::scalar(operand->shape.dtype))), dims);
    return at.select({is_here, at.broadcast(operand, dims, where), zero});
  };
  const Dims lhs_batch = attributes.lhs_batch_dims.value_or(Dims{});
  const Dims rhs_batch = attributes.rhs_batch_dims.value_or(Dims{});
  Dims rhs_leading;
  for (const int64_t d : leading) {
    const auto position = std::find(lhs_batch.begin(), lhs_batch.end(), d) - lhs_batch.begin();
    rhs_leading.push_back(rhs_batch[static_cast<size_t>(position)]);
  }
  const Value lhs = masked(dot.operand(0), lhs_contracting[pair], leading);
  const Value rhs = masked(dot.operand(1), rhs_contracting[pair], rhs_leading);
  const auto shifted = [](Dims dims, bool with_group) {
    for (int64_t& d : dims) ++d;
    if (with_group) dims.insert(dims.begin(), 0);
    return dims;
  };
  Attributes batched;
  batched.lhs_batch_dims = shifted(lhs_batch, true);
  batched.rhs_batch_dims = shifted(rhs_batch, true);
  batched.lhs_contracting_dims = shifted(lhs_contracting, false);
  batched.rhs_contracting_dims = shifted(rhs_contracting, false);
  become(dot, Opcode::kDot, {lhs, rhs}, std::move(batched));
}

bool expand_ragged_dot(Instruction& dot) {
  Attributes plain;
  plain.lhs_batch_dims = dot.attributes->lhs_batch_dims;
  plain.rhs_batch_dims = dot.attributes->rhs_batch_dims;
  plain.lhs_contracting_dims = dot.attributes->lhs_contracting_dims;
  plain.rhs_contracting_dims = dot.attributes->rhs_contracting_dims;
  const Dims lhs_batch = plain.lhs_batch_dims.value_or(Dims{});
  const int64_t ragged = dot.attributes->lhs_ragged_dims->front();
  if (contains(lhs_batch, ragged)) {
    become(dot, Opcode::kDot, {dot.operand(0), dot.operand(1)}, std::move(plain));
    return true;
  }
  // Sizes with leading dimensions have one for each batch dimension.
  const Value sizes = dot.operand(2);
  const Dims leading = sizes->shape.rank() == 1 ? Dims{} : lhs_batch;
  if (sizes->shape.rank() != 1 + static_cast<int64_t>(leading.size()) || sizes->shape.dims.back() == 0) return false;
  GraphBuilder at(dot);
  const Value ends = group_ends(at, dot, sizes);
  if (contains(plain.lhs_contracting_dims.value_or(Dims{}), ragged)) {
    expand_ragged_contraction(dot, leading, ends);
  } else {
    expand_ragged_rows(dot, leading, ends);
  }
  return true;
}

// Floats of two types have products in neither: the wider has all values of the other. Of those of up to 8 bits bf16
// has all values, and tensor cores.
std::optional<DType> common_type(const Instruction& dot) {
  if (dot.operands().size() != 2) return std::nullopt;
  if (const std::optional<DType> rounded = operands_round_to(dot)) return rounded;
  const DType left = dot.operand(0)->shape.dtype, right = dot.operand(1)->shape.dtype;
  if (!is_float(left) || !is_float(right)) return std::nullopt;
  constexpr int kSmall = 8;
  const auto is_held = [&](DType type) { return dtype_bits(type) <= kSmall || type == DType::kBF16; };
  if (is_held(left) && is_held(right) && (left != DType::kBF16 || right != DType::kBF16)) return DType::kBF16;
  if (left == right) return std::nullopt;
  for (const auto& [wide, narrow] : {std::pair(left, right), std::pair(right, left)}) {
    const bool holds = wide == DType::kF64 || (wide == DType::kF32 && dtype_bits(narrow) <= 16);
    if (holds) return wide;
  }
  return std::nullopt;
}

bool give_one_type(Instruction& dot) {
  const std::optional<DType> dtype = common_type(dot);
  if (!dtype) return false;
  GraphBuilder at(dot);
  bool changed = false;
  for (const size_t side : {0, 1}) {
    if (dot.operand(side)->shape.dtype == *dtype) continue;
    dot.set_operand(side, at.convert(dot.operand(side), *dtype));
    changed = true;
  }
  return changed;
}

// Of 16-bit floats tensor cores make results of that type, or of f32, which others are rounded from.
bool give_wide_result(Instruction& dot) {
  const DType operand = dot.operand(0)->shape.dtype, result = dot.shape.dtype;
  const bool narrow = operand == DType::kBF16 || operand == DType::kF16;
  if (dot.operands().size() != 2 || operand != dot.operand(1)->shape.dtype || !narrow || !is_float(result))
    return false;
  if (result == operand || dtype_bits(result) >= 32) return false;
  GraphBuilder at(dot);
  Instruction* wide = at.make(Opcode::kDot, {dot.operand(0), dot.operand(1)}, dot.attributes);
  wide->shape.dtype = DType::kF32;
  wide->annotations = dot.annotations;
  become(dot, Opcode::kConvert, {wide});
  return true;
}

// Pairs of contracted dimensions in the order in which both operands have them, if they have them in one order.
bool order_contracted(Instruction& dot) {
  const Dims lhs = dot.attributes->lhs_contracting_dims.value_or(Dims{});
  const Dims rhs = dot.attributes->rhs_contracting_dims.value_or(Dims{});
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (size_t i = 0; i < lhs.size(); ++i) pairs.emplace_back(lhs[i], rhs[i]);
  if (std::ranges::is_sorted(pairs)) return false;
  std::ranges::sort(pairs);
  const auto is_after = [](const auto& a, const auto& b) { return a.second > b.second; };
  if (std::ranges::adjacent_find(pairs, is_after) != pairs.end()) return false;
  Attributes& attributes = dot.attributes.edit();
  for (size_t i = 0; i < pairs.size(); ++i) {
    (*attributes.lhs_contracting_dims)[i] = pairs[i].first;
    (*attributes.rhs_contracting_dims)[i] = pairs[i].second;
  }
  return true;
}

}  // namespace

bool expand_dots(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* dot : instructions_of(module, Opcode::kScaledDot)) {
    expand_scaled_dot(*dot);
    changed = true;
  }
  for (Instruction* dot : instructions_of(module, Opcode::kRaggedDot)) changed |= expand_ragged_dot(*dot);
  for (Instruction* dot : instructions_of(module, Opcode::kDot)) {
    changed |= give_one_type(*dot);
    changed |= order_contracted(*dot);
    changed |= give_wide_result(*dot);
  }
  if (changed) module.sort_computations();
  return changed;
}

}  // namespace sinter
