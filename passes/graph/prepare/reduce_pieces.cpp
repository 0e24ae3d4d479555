// reduce_pieces: a short reduction of arrays that are concatenated along a dimension that stays, with elementwise
// operations between, becomes a reduction of each.
//
//   %edge = f32[8,4096,16,128] concatenate(%apart, %own), dimensions={3}     %own a broadcast along dimension 2
//   %most = f32[8,4096,128] reduce(multiply(%edge, 2), -inf), dimensions={2}, to_apply=maximum
//                                                   =>
//   %a = f32[8,4096,64] reduce(multiply(%apart, 2), -inf), dimensions={2}, to_apply=maximum
//   %b = f32[8,4096,64] multiply(%own's operand, 2)
//   %most = f32[8,4096,128] concatenate(%a, %b), dimensions={2}
//
// A thread then chooses a piece once, not in each step of its reduction.
#include <algorithm>
#include <map>
#include <set>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/loops/by_element.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

// What stands between a concatenation and the reduction that alone reads it.
struct Between {
  Instruction* pieces = nullptr;
  std::vector<Instruction*> operations;  // elementwise, in the order of the text
};

bool is_splat(const Instruction& value) {
  return value.opcode == Opcode::kBroadcast && value.operand(0)->shape.rank() == 0;
}

std::optional<Between> find_between(const Instruction& reduce) {
  constexpr size_t kMostOperations = 16;
  Between result;
  std::set<const Instruction*> inside = {&reduce};
  std::vector<Instruction*> open = {reduce.operand(0)};
  while (!open.empty()) {
    Instruction* value = open.back();
    open.pop_back();
    if (is_splat(*value) || !inside.insert(value).second) continue;
    if (value->shape.dims != reduce.operand(0)->shape.dims) return std::nullopt;  // a clamp's scalar bound
    if (value->opcode == Opcode::kConcatenate) {
      if (result.pieces != nullptr) return std::nullopt;
      result.pieces = value;
    } else if (family_of(*value) == Family::kElementwise && result.operations.size() < kMostOperations) {
      result.operations.push_back(value);
      open.insert(open.end(), value->operands().begin(), value->operands().end());
    } else {
      return std::nullopt;
    }
  }
  if (result.pieces == nullptr) return std::nullopt;
  for (const Instruction* value : inside) {
    if (value == &reduce) continue;
    if (!std::ranges::all_of(value->users(), [&](const Instruction* user) { return inside.contains(user); }))
      return std::nullopt;
  }
  std::ranges::sort(result.operations, {}, [](const Instruction* value) { return value->position(); });
  return result;
}

bool keeps_any_of_equals(Opcode combiner) {
  return combiner == Opcode::kMaximum || combiner == Opcode::kMinimum || combiner == Opcode::kAnd ||
         combiner == Opcode::kOr;
}

class PieceReducer {
 public:
  PieceReducer(Instruction& reduce, const Between& between, Opcode combiner)
      : reduce_(reduce), between_(between), reduced_(*reduce.attributes->dimensions) {
    const std::optional<Literal> nothing = neutral_value(combiner, reduce.shape.dtype);
    const std::optional<Literal> initial = splat_value(*reduce.operand(1));
    chooses_ = keeps_any_of_equals(combiner) && nothing && initial && nothing->same_value(*initial);
  }

  void run() {
    std::vector<Instruction*> results;
    for (Instruction* piece : between_.pieces->operands()) results.push_back(reduced(piece));
    Attributes attributes;
    attributes.dimensions = std::vector<int64_t>{place(between_.pieces->attributes->dimensions->front())};
    become(reduce_, Opcode::kConcatenate, results, std::move(attributes));
  }

 private:
  bool is_reduced(int64_t dimension) const { return std::ranges::count(reduced_, dimension) > 0; }
  // Of a dimension that stays, in the result.
  int64_t place(int64_t dimension) const {
    return dimension - std::ranges::count_if(reduced_, [&](int64_t d) { return d < dimension; });
  }
  std::vector<int64_t> kept(const std::vector<int64_t>& dims) const {
    std::vector<int64_t> result;
    for (size_t d = 0; d < dims.size(); ++d) {
      if (!is_reduced(static_cast<int64_t>(d))) result.push_back(dims[d]);
    }
    return result;
  }

  Instruction* reduced(Instruction* piece) {
    // Of equal elements one is what a maximum gives.
    const bool equal = chooses_ && piece->opcode == Opcode::kBroadcast &&
                       std::ranges::none_of(*piece->attributes->dimensions, [&](int64_t d) { return is_reduced(d); });
    if (equal) {
      std::vector<int64_t> where;
      for (const int64_t d : *piece->attributes->dimensions) where.push_back(place(d));
      return apply(GraphBuilder(*between_.pieces).broadcast(piece->operand(0), kept(piece->shape.dims), where));
    }
    Instruction* value = apply(piece);
    return insert_like(reduce_, Opcode::kReduce, Shape::array(reduce_.shape.dtype, kept(value->shape.dims)),
                       {value, reduce_.operand(1)}, reduce_.attributes);
  }

  // The operations on a piece, in place of the concatenation.
  Instruction* apply(Instruction* piece) {
    std::map<const Instruction*, Instruction*> made = {{between_.pieces, piece}};
    const std::vector<int64_t> dims = piece->shape.dims;
    for (Instruction* operation : between_.operations) {
      std::vector<Instruction*> operands;
      for (Instruction* operand : operation->operands()) {
        operands.push_back(is_splat(*operand) ? GraphBuilder(*operation).splat(operand->operand(0), dims)
                                              : made.at(operand));
      }
      made[operation] = insert_like(*operation, operation->opcode, Shape::array(operation->shape.dtype, dims), operands,
                                    operation->attributes);
    }
    return made.at(reduce_.operand(0));
  }

  Instruction& reduce_;
  const Between& between_;
  const std::vector<int64_t> reduced_;
  bool chooses_ = false;
};

bool reduce_pieces_of(Instruction& reduce) {
  if (reduce.operands().size() != 2) return false;
  const std::optional<Opcode> combiner = simple_combiner(**reduce.attributes->to_apply);
  const int64_t elements = reduce.operand(0)->shape.element_count();
  if (!combiner || elements == 0 || elements > kFewReduced * reduce.shape.element_count()) return false;
  const std::optional<Between> between = find_between(reduce);
  if (!between) return false;
  const int64_t along = between->pieces->attributes->dimensions->front();
  if (std::ranges::count(*reduce.attributes->dimensions, along) > 0) return false;
  PieceReducer(reduce, *between, *combiner).run();
  return true;
}

}  // namespace

bool reduce_pieces(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* reduce : instructions_of(module, Opcode::kReduce)) changed |= reduce_pieces_of(*reduce);
  return changed;
}

}  // namespace sinter
