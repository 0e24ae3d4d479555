// reduce_tails: rows to which few elements are concatenated, only to be reduced with them, are reduced without, and so
// are the few; slices of what is computed of both are computed of what they have.
//
//   %all = f32[8,1024,1025] concatenate(%scores, %sink), dimensions={2}
//   %most = f32[8,1024] reduce(%all, -inf), dimensions={2}, to_apply=maximum
//   %exp = f32[8,1024,1025] exponential(subtract(%all, broadcast(%most)))
//   %sum = f32[8,1024] reduce(%exp, 0), dimensions={2}, to_apply=add
//   %weights = f32[8,1024,1024] slice(divide(%exp, broadcast(%sum)))
//                                                   =>
//   %most = f32[8,1024] maximum(reduce(%scores, -inf), %sink)
//   %exp = f32[8,1024,1024] exponential(subtract(%scores, broadcast(%most)))
//   %sum = f32[8,1024] add(reduce(%exp, 0), exponential(subtract(%sink, %most)))
//   %weights = f32[8,1024,1024] divide(%exp, broadcast(%sum))
//
// No row of an odd length is made, and attention with such a sink is attention.
#include <algorithm>
#include <map>
#include <set>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/values/thresholds.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

// What is computed of a concatenation, down to what has no element of several of its pieces any more.
struct OfPieces {
  std::vector<Instruction*> operations;  // elementwise, in the order of the text
  std::vector<Instruction*> ends;        // reductions along the pieces, and slices that are of one piece
};

class TailReducer {
 public:
  explicit TailReducer(Instruction& pieces) : pieces_(pieces), along_(pieces.attributes->dimensions->front()) {
    int64_t begin = 0;
    for (const Instruction* piece : pieces.operands()) {
      begins_.push_back(begin);
      begin += extent(*piece);
    }
    begins_.push_back(begin);
  }

  bool run() {
    if (!has_short_pieces()) return false;
    const std::optional<OfPieces> found = find();
    if (!found) return false;
    for (Instruction* operation : found->operations) apply(*operation);
    for (Instruction* end : found->ends) end->opcode == Opcode::kReduce ? reduce(*end) : slice(*end);
    return true;
  }

 private:
  int64_t extent(const Instruction& value) const { return value.shape.dims[static_cast<size_t>(along_)]; }

  // All but one, and few elements all together.
  bool has_short_pieces() const {
    constexpr size_t kMostPieces = 4;
    int64_t all = 0, longest = 0;
    for (const Instruction* piece : pieces_.operands()) {
      all += extent(*piece);
      longest = std::max(longest, extent(*piece));
    }
    return pieces_.operands().size() <= kMostPieces && longest > kShortReduction && all - longest <= kShortReduction;
  }
  bool is_long(const Instruction& slice) const {
    return slice.opcode == Opcode::kSlice && extent(slice) > kShortReduction;
  }

  std::optional<OfPieces> find() const {
    constexpr size_t kMost = 64;
    OfPieces result;
    std::set<const Instruction*> inside = {&pieces_};
    std::vector<Instruction*> open = {&pieces_};
    bool reduces = false, leaves_out = false;  // what is reduced of all, and read of the long piece alone
    while (!open.empty()) {
      Instruction* value = open.back();
      open.pop_back();
      if (value->parent()->root() == value || !value->control_predecessors.empty()) return std::nullopt;
      for (Instruction* user : value->users()) {
        if (inside.contains(user)) continue;
        if (is_reduced(*user) || is_of_one_piece(*user)) {
          reduces |= user->opcode == Opcode::kReduce;
          leaves_out |= is_long(*user);
          if (std::ranges::find(result.ends, user) == result.ends.end()) result.ends.push_back(user);
          continue;
        }
        if (family_of(*user) != Family::kElementwise || user->shape.dims != pieces_.shape.dims) return std::nullopt;
        inside.insert(user);
        if (inside.size() > kMost) return std::nullopt;
        result.operations.push_back(user);
        open.push_back(user);
      }
    }
    for (const Instruction* operation : result.operations) {
      const bool alike = std::ranges::all_of(operation->operands(), [&](const Instruction* operand) {
        return inside.contains(operand) || is_same_along(*operand);
      });
      if (!alike) return std::nullopt;
    }
    if (!reduces || !leaves_out) return std::nullopt;
    std::ranges::sort(result.operations, {}, [](const Instruction* value) { return value->position(); });
    return result;
  }

  bool is_reduced(const Instruction& user) const {
    if (user.opcode != Opcode::kReduce || user.operands().size() != 2) return false;
    if (std::ranges::count(*user.attributes->dimensions, along_) == 0) return false;
    const std::optional<Opcode> combiner = simple_combiner(**user.attributes->to_apply);
    if (!combiner || !neutral_beginning(*combiner, user.shape.dtype, *user.operand(1))) return false;
    // Sums of narrow floats are rounded once.
    const bool chooses = *combiner == Opcode::kMaximum || *combiner == Opcode::kMinimum;
    return chooses || !is_float(user.shape.dtype) || dtype_bits(user.shape.dtype) >= 32;
  }
  bool is_of_one_piece(const Instruction& user) const {
    if (user.opcode != Opcode::kSlice) return false;
    const SliceBounds& range = (*user.attributes->slice)[static_cast<size_t>(along_)];
    const auto piece = std::ranges::find(begins_, range.start);
    return range.stride == 1 && piece != begins_.end() && piece + 1 != begins_.end() && piece[1] == range.limit;
  }
  bool is_same_along(const Instruction& operand) const {
    return operand.opcode == Opcode::kBroadcast && std::ranges::count(*operand.attributes->dimensions, along_) == 0;
  }

  // An operation on each piece.
  void apply(Instruction& operation) {
    std::vector<Instruction*>& made = made_[&operation];
    for (size_t i = 0; i < pieces_.operands().size(); ++i) {
      std::vector<Instruction*> operands;
      for (Instruction* operand : operation.operands()) operands.push_back(of_piece(*operand, i, operation));
      made.push_back(insert_like(operation, operation.opcode,
                                 Shape::array(operation.shape.dtype, pieces_.operand(i)->shape.dims), operands,
                                 operation.attributes));
    }
  }
  Instruction* of_piece(Instruction& value, size_t piece, Instruction& position) {
    if (&value == &pieces_) return pieces_.operand(piece);
    if (const auto found = made_.find(&value); found != made_.end()) return found->second[piece];
    return GraphBuilder(position).broadcast(value.operand(0), pieces_.operand(piece)->shape.dims,
                                            *value.attributes->dimensions);
  }

  void reduce(Instruction& whole) {
    const Opcode combiner = *simple_combiner(**whole.attributes->to_apply);
    Instruction* result = nullptr;
    const size_t count = pieces_.operands().size();
    for (size_t i = 0; i < count; ++i) {
      Instruction* value = of_piece(*whole.operand(0), i, whole);
      const bool one = value->shape.element_count() == whole.shape.element_count();
      Instruction* part =
          one ? insert_reshape(whole, value, whole.shape.dims)
              : insert_like(whole, Opcode::kReduce, whole.shape, {value, whole.operand(1)}, whole.attributes);
      if (i + 1 == count) return become(whole, combiner, {result, part});
      result = result == nullptr ? part : insert_like(whole, combiner, whole.shape, {result, part});
    }
  }

  void slice(Instruction& part) {
    Attributes attributes = *part.attributes;
    SliceBounds& range = (*attributes.slice)[static_cast<size_t>(along_)];
    const auto piece = static_cast<size_t>(std::ranges::find(begins_, range.start) - begins_.begin());
    range = {.start = 0, .limit = range.limit - range.start, .stride = 1};
    become(part, Opcode::kSlice, {of_piece(*part.operand(0), piece, part)}, std::move(attributes));
  }

  Instruction& pieces_;
  const int64_t along_;
  std::vector<int64_t> begins_;  // of each piece, and the end
  std::map<const Instruction*, std::vector<Instruction*>> made_;
};

}  // namespace

bool reduce_tails(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* pieces : instructions_of(module, Opcode::kConcatenate)) changed |= TailReducer(*pieces).run();
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
