// split_product_rows: rows of a product that are only reduced, and are longer than the tile of a block, are reduced in
// pieces as wide as a tile: blocks reduce the pieces that they make (passes/stages/products/result_rows.h), and what
// pieces have come to is all that is stored.
//
//   %d = f32[512,1024] dot(%x, %w)              %d = f32[512,1024] dot(%x, %w)
//   %m = f32[512] reduce(%d, -inf)          =>  %p = f32[512,8] reduce(f32[512,8,128] reshape(%d), -inf),
//   dimensions={2}
//                                               %m = f32[512] reduce(%p, -inf), dimensions={1}
//
// The last piece is filled up with what changes nothing. What is reduced may be computed from the product element by
// element. Some reductions need another one of the same row, and have forms of their own:
//
//   the place of the largest element, as split_argmax leaves it: of each piece the place of its own largest; then that
//   of the first piece whose largest element is that of the row
//   sums of exp(x - m), m the row's largest: of each piece the sum of exp(x - p), p the piece's largest; then the sum
//   of these by exp(p - m) one element of each row that a gather looks up: the largest of that one and of -inf
//   elsewhere
//
// A product that something else reads too is stored, and stays as it is. The scheduler plans a program without this,
// too.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "ir/module/device_functions.h"
#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/values/hardware.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/parts/attended_later.h"
#include "passes/graph/parts/partial_reduction.h"
#include "passes/graph/parts/row_pieces.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Dims = GraphBuilder::Dims;

// `value` is a broadcast of `row`, one element for each row of the product.
bool is_spread(const Instruction& value, const Instruction& row) {
  if (value.opcode != Opcode::kBroadcast || value.operand(0) != &row) return false;
  const std::vector<int64_t>& where = *value.attributes->dimensions;
  return std::ranges::equal(where, iota_list(value.shape.rank() - 1));
}

bool compares(const Instruction& value, std::string_view direction) {
  return value.opcode == Opcode::kCompare && value.attributes->direction.value_or("") == direction &&
         value.attributes->comparison_type.value_or("").find("TOTALORDER") == std::string::npos;
}

class ProductRows {
 public:
  ProductRows(Instruction& dot, const std::vector<Instruction*>& reductions)
      : dot_(dot), reductions_(reductions), dims_(dot.shape.dims), lead_(dims_.begin(), dims_.end() - 1) {
    piece_ = columns_of_piece(dot);
    count_ = ceil_div(columns(), piece_);
  }

  bool split() {
    if (!collect() || !classify()) return false;
    for (const Of& of : found_) of.kind == Kind::kAlone ? split_alone(*of.value) : split_other(of);
    return true;
  }

 private:
  enum class Kind : uint8_t { kAlone, kPlace, kSum, kLookup };
  struct Of {
    Kind kind = Kind::kAlone;
    Instruction* value = nullptr;
    Instruction* most = nullptr;  // of kPlace and kSum: the reduction that it needs
    Instruction* x = nullptr;     // what that reduces
  };
  struct Pieces {
    Value x = nullptr, result = nullptr;  // what is reduced, in pieces; of each piece
  };

  int64_t columns() const { return dims_.back(); }
  int64_t last() const { return static_cast<int64_t>(lead_.size()); }
  Dims with(std::initializer_list<int64_t> more) const {
    Dims dims = lead_;
    dims.insert(dims.end(), more);
    return dims;
  }
  bool is_member(const Instruction* value) const { return std::ranges::find(members_, value) != members_.end(); }

  // What is computed from the product element by element, and what reads that.
  bool collect() {
    members_ = {&dot_};
    for (size_t next = 0; next < members_.size(); ++next) {
      const Instruction* member = members_[next];
      if (member->parent()->root() == member) return false;
      for (Instruction* user : member->users()) {
        if (is_member(user) || is_known(user)) continue;
        if (user->opcode == Opcode::kReduce) {
          if (!is_of_rows(*user)) return false;
          found_.push_back({.value = user});
        } else if (user->opcode == Opcode::kGather) {
          if (!looks_up(*user)) return false;
          found_.push_back({.kind = Kind::kLookup, .value = user});
        } else if (family_of(*user) == Family::kElementwise && user->shape.is_array() && user->shape.dims == dims_) {
          members_.push_back(user);
        } else {
          return false;
        }
      }
    }
    return std::ranges::any_of(found_, [](const Of& of) { return of.kind != Kind::kLookup; });
  }
  bool is_known(const Instruction* user) const {
    return std::ranges::any_of(found_, [&](const Of& of) { return of.value == user; });
  }
  bool is_of_rows(const Instruction& reduce) const {
    if (reduce.operands().size() != 2 || *reduce.attributes->dimensions != Dims{last()}) return false;
    if (!is_member(reduce.operand(0)) || is_member(reduce.operand(1))) return false;
    if (std::ranges::find(reductions_, &reduce) == reductions_.end()) return false;
    const std::optional<Opcode> combiner = simple_combiner(**reduce.attributes->to_apply);
    return combiner && neutral_beginning(*combiner, reduce.shape.dtype, *reduce.operand(1));
  }
  // An element of each row, of a matrix, as jax.numpy.take_along_axis has it.
  bool looks_up(const Instruction& gather) const {
    const Attributes& attributes = *gather.attributes;
    if (lead_.size() != 1 || !is_member(gather.operand(0)) || !is_float(gather.shape.dtype)) return false;
    const Instruction& index = *gather.operand(1);
    return attributes.offset_dims.value_or(Dims{}).empty() && attributes.collapsed_slice_dims == Dims{1} &&
           attributes.operand_batching_dims == Dims{0} && attributes.start_index_map == Dims{1} &&
           is_integer(index.shape.dtype) && index.shape.element_count() == lead_[0] &&
           gather.shape.element_count() == lead_[0];
  }

  bool classify() {
    std::vector<Instruction*> reductions;
    for (const Of& of : found_) reductions.push_back(of.value);
    const auto needs_another = [&](const Of& of) { return reads_row(*of.value->operand(0), reductions); };
    for (Of& of : found_) {
      if (!needs_another(of)) continue;
      if (of.kind != Kind::kAlone || !(is_place(&of) || is_sum(&of))) return false;
    }
    // Those that others need come first.
    std::ranges::stable_sort(found_, {}, [](const Of& of) { return of.kind; });
    return std::ranges::all_of(found_, [&](const Of& of) {
      return of.most == nullptr || std::ranges::any_of(found_, [&](const Of& other) {
               return other.kind == Kind::kAlone && other.value == of.most;
             });
    });
  }
  // Whether a member, or a member that it is computed from, reads what rows are reduced to.
  bool reads_row(const Instruction& value, const std::vector<Instruction*>& reductions) const {
    std::vector<const Instruction*> open = {&value};
    for (size_t next = 0; next < open.size(); ++next) {
      for (const Instruction* operand : open[next]->operands()) {
        if (!is_member(operand)) {
          if (depends_on(*operand, reductions)) return true;
        } else if (std::ranges::find(open, operand) == open.end()) {
          open.push_back(operand);
        }
      }
    }
    return false;
  }

  // The reduction that `spread` is a broadcast of, over `x`, by this operation.
  Instruction* most_of(Instruction& spread, const Instruction* x, std::initializer_list<Opcode> combiners) const {
    if (spread.opcode != Opcode::kBroadcast) return nullptr;
    Instruction* most = spread.operand(0);
    if (most->opcode != Opcode::kReduce || !is_known(most) || most->operand(0) != x || !is_spread(spread, *most))
      return nullptr;
    const std::optional<Opcode> combiner = simple_combiner(**most->attributes->to_apply);
    return std::ranges::find(combiners, *combiner) != combiners.end() ? most : nullptr;
  }

  // reduce(select(x == m, or both are NaN, place, beyond)), to_apply=minimum
  bool is_place(Of* of) const {
    const Instruction& select = *of->value->operand(0);
    if (select.opcode != Opcode::kSelect || !is_integer(select.shape.dtype)) return false;
    if (simple_combiner(**of->value->attributes->to_apply) != Opcode::kMinimum) return false;
    if (is_member(select.operand(1)) || !splat_value(*select.operand(2))) return false;
    Instruction* test = select.operand(0);
    if (test->opcode == Opcode::kOr) {
      const size_t equal = compares(*test->operand(0), "EQ") ? 0 : 1;
      if (!find_most(*test->operand(equal), of)) return false;
      return are_nan(*test->operand(1 - equal), *of);
    }
    return is_integer_test(*test) && find_most(*test, of);
  }
  static bool is_integer_test(const Instruction& test) {
    return !test.operands().empty() && is_integer(test.operand(0)->shape.dtype);
  }
  bool find_most(const Instruction& equal, Of* of) const {
    if (!compares(equal, "EQ")) return false;
    for (const size_t side : {0, 1}) {
      of->x = equal.operand(side);
      of->most = most_of(*equal.operand(1 - side), of->x, {Opcode::kMaximum, Opcode::kMinimum});
      if (of->most == nullptr) continue;
      of->kind = Kind::kPlace;
      return true;
    }
    return false;
  }
  bool are_nan(const Instruction& both, const Of& of) const {
    if (both.opcode != Opcode::kAnd) return false;
    for (const size_t side : {0, 1}) {
      const Instruction &element = *both.operand(side), &row = *both.operand(1 - side);
      if (!compares(element, "NE") || element.operand(0) != of.x || element.operand(1) != of.x) continue;
      if (row.opcode != Opcode::kBroadcast || !is_spread(row, *row.operand(0))) continue;
      const Instruction& nan = *row.operand(0);
      if (compares(nan, "NE") && nan.operand(0) == of.most && nan.operand(1) == of.most) return true;
    }
    return false;
  }

  // reduce(exponential(x - m), 0), to_apply=add; m may be 0 where the largest element is not finite.
  bool is_sum(Of* of) const {
    const Instruction& exponential = *of->value->operand(0);
    if (simple_combiner(**of->value->attributes->to_apply) != Opcode::kAdd) return false;
    if (exponential.opcode != Opcode::kExponential || sum_type(exponential.shape.dtype) != exponential.shape.dtype ||
        is_complex(exponential.shape.dtype))
      return false;
    const Instruction& below = *exponential.operand(0);
    if (below.opcode != Opcode::kSubtract || !is_member(below.operand(0)) || is_member(below.operand(1))) return false;
    const Instruction& spread = *below.operand(1);
    if (spread.opcode != Opcode::kBroadcast || !is_spread(spread, *spread.operand(0))) return false;
    Instruction* most = spread.operand(0);
    if (most->opcode == Opcode::kSelect) {
      const Instruction& finite = *most->operand(0);
      if (finite.opcode != Opcode::kIsFinite || finite.operand(0) != most->operand(1)) return false;
      if (splat_real(*most->operand(2)) != 0) return false;
      most = most->operand(1);
    }
    if (most->opcode != Opcode::kReduce || !is_known(most) || most->operand(0) != below.operand(0)) return false;
    if (simple_combiner(**most->attributes->to_apply) != Opcode::kMaximum) return false;
    of->kind = Kind::kSum;
    of->most = most;
    of->x = below.operand(0);
    return true;
  }

  // [lead, count, piece_]
  Value in_pieces(GraphBuilder& build, Value value, const Literal& nothing) const {
    return sinter::in_pieces(build, value, count_, piece_, nothing);
  }
  // Of each piece, in every element of it; and of each row.
  Value spread_pieces(GraphBuilder& build, Value of_pieces) const {
    return build.broadcast(of_pieces, with({count_, piece_}), iota_list(last() + 1));
  }
  Value spread_rows(GraphBuilder& build, Value of_rows) const {
    return build.broadcast(of_rows, with({count_}), iota_list(last()));
  }
  Value reduced(GraphBuilder& build, Value pieces, const Literal& nothing, Opcode combiner) const {
    const Value result =
        build.reduce(pieces, build.constant(nothing), {last() + 1}, combiner, *dot_.parent()->parent());
    result->annotations.edit().frontend_attributes[kPieceAttribute] = "1";
    return result;
  }
  // The reduction itself becomes that of `of_pieces`.
  void finish(GraphBuilder& build, Instruction& reduce, Value of_pieces) const {
    const DType type = of_pieces->shape.dtype;
    const Opcode combiner = *simple_combiner(**reduce.attributes->to_apply);
    if (type != reduce.shape.dtype) {
      const Value initial = build.convert(reduce.operand(1), type);
      become(reduce, Opcode::kConvert,
             {build.reduce(of_pieces, initial, {last()}, combiner, *dot_.parent()->parent())});
      return;
    }
    Attributes attributes = reduce.attributes;
    attributes.dimensions = Dims{last()};
    become(reduce, Opcode::kReduce, {of_pieces, reduce.operand(1)}, std::move(attributes));
  }

  void split_alone(Instruction& reduce) {
    GraphBuilder build(reduce);
    const Opcode combiner = *simple_combiner(**reduce.attributes->to_apply);
    const bool rounds = combiner != Opcode::kMaximum && combiner != Opcode::kMinimum;
    const DType type = rounds ? sum_type(reduce.shape.dtype) : reduce.shape.dtype;
    const Literal nothing = *part_beginning(combiner, type, *reduce.operand(1));
    const Value x = build.convert(reduce.operand(0), type);
    Pieces& pieces = pieces_[&reduce];
    pieces.x = in_pieces(build, x, nothing);
    pieces.result = reduced(build, pieces.x, nothing, combiner);
    finish(build, reduce, pieces.result);
  }

  void split_other(const Of& of) {
    of.kind == Kind::kPlace ? split_place(of) : of.kind == Kind::kSum ? split_sum(of) : split_lookup(*of.value);
  }

  // Which of these are `most`, or NaN where that is.
  Value are_most(GraphBuilder& build, Value x, Value most) const {
    const Value equal = build.compare({x, most}, "EQ");
    if (!is_float(x->shape.dtype)) return equal;
    const Value nan = build.compare({x, x}, "NE"), nan_wins = build.compare({most, most}, "NE");
    return build.make(Opcode::kOr, {equal, build.make(Opcode::kAnd, {nan, nan_wins})});
  }

  void split_place(const Of& of) {
    Instruction& reduce = *of.value;
    GraphBuilder build(reduce);
    const Pieces& most = pieces_.at(of.most);
    const Instruction& select = *reduce.operand(0);
    const Literal nothing = *neutral_value(Opcode::kMinimum, reduce.shape.dtype);
    const Literal beyond = *splat_value(*select.operand(2));
    const Value test = are_most(build, most.x, spread_pieces(build, most.result));
    const Value places = in_pieces(build, select.operand(1), nothing);
    const Value other = build.splat(build.constant(beyond), with({count_, piece_}));
    const Value place = reduced(build, build.select({test, places, other}), nothing, Opcode::kMinimum);
    const Value of_row = are_most(build, most.result, spread_rows(build, of.most));
    finish(build, reduce, build.select({of_row, place, build.splat(build.constant(beyond), with({count_}))}));
  }

  void split_sum(const Of& of) {
    Instruction& reduce = *of.value;
    GraphBuilder build(reduce);
    const Pieces& most = pieces_.at(of.most);
    const DType type = reduce.shape.dtype;
    const Literal nothing = *part_beginning(Opcode::kAdd, type, *reduce.operand(1));
    const Value finite = build.make(Opcode::kIsFinite, {most.result});
    const Value shift = build.select({finite, most.result, build.real(type, 0, with({count_}))});
    const Value below = build.subtract({most.x, spread_pieces(build, shift)});
    const Value sum = reduced(build, build.make(Opcode::kExponential, {below}), nothing, Opcode::kAdd);
    // Of a piece that is not finite: as the row is.
    const Value from = build.select({finite, most.result, spread_rows(build, of.most)});
    const Value row = spread_rows(build, reduce.operand(0)->operand(0)->operand(1)->operand(0));
    const Value scale = build.make(Opcode::kExponential, {build.subtract({from, row})});
    // A piece of nothing but -infinity gives nothing, whatever the row is scaled by.
    const Value zero = build.real(type, 0, with({count_}));
    const Value none = build.compare({sum, zero}, "EQ");
    const Value infinite =
        build.compare({scale, build.real(type, std::numeric_limits<double>::infinity(), with({count_}))}, "EQ");
    const Value empty = build.make(Opcode::kAnd, {none, infinite});
    finish(build, reduce, build.select({empty, zero, build.multiply({sum, scale})}));
  }

  void split_lookup(Instruction& gather) {
    GraphBuilder build(gather);
    Value index = build.reshape(gather.operand(1), lead_);
    // Narrow integers may not hold all places.
    if (dtype_bits(index->shape.dtype) < 32) index = build.convert(index, DType::kS32);
    const DType type = index->shape.dtype, dtype = gather.shape.dtype;
    index = build.make(Opcode::kMaximum, {index, build.integer(type, 0, lead_)});
    index = build.make(Opcode::kMinimum, {index, build.integer(type, columns() - 1, lead_)});
    const Literal nothing = *neutral_value(Opcode::kMaximum, dtype);
    const Value places = build.broadcast(build.reshape(build.iota(type, {count_ * piece_}, 0), {count_, piece_}),
                                         with({count_, piece_}), {last(), last() + 1});
    const Value chosen =
        build.compare({places, build.broadcast(index, with({count_, piece_}), iota_list(last()))}, "EQ");
    const Value x = in_pieces(build, gather.operand(0), nothing);
    const Value others = build.splat(build.constant(nothing), with({count_, piece_}));
    const Value found = reduced(build, build.select({chosen, x, others}), nothing, Opcode::kMaximum);
    const Value of_row =
        build.reduce(found, build.constant(nothing), {last()}, Opcode::kMaximum, *dot_.parent()->parent());
    become(gather, Opcode::kReshape, {of_row});
  }

  Instruction& dot_;
  const std::vector<Instruction*>& reductions_;
  const Dims dims_, lead_;
  int64_t piece_ = 1, count_ = 1;  // columns of a piece; pieces of a row
  std::vector<Instruction*> members_;
  std::vector<Of> found_;
  std::map<const Instruction*, Pieces> pieces_;  // looked up, never walked
};

}  // namespace

bool split_product_rows(Module& module, const GraphPassOptions& options) {
  bool changed = false;
  const std::set<const Instruction*> attended = attended_later(module, options);
  const std::vector<Instruction*> reductions = reductions_to_split(module);
  for (Instruction* dot : instructions_of(module, Opcode::kDot)) {
    if (attended.count(dot) == 0 && may_have_pieces(*dot)) changed |= ProductRows(*dot, reductions).split();
  }
  if (changed) {
    module.sort_computations();
    remove_dead_code(module);
  }
  return changed;
}

}  // namespace sinter
