// split_norms: rows of a product's results that a norm follows, which another product reads, are longer than the tile
// of a block. What the norm is made of, sums of the rows' elements and of squares of what these are apart from their
// mean, is made of the same of pieces as wide as a tile: the blocks of the first product leave these beside what they
// store (passes/stages/products/result_rows.h), the blocks of the second combine those of their rows and normalise what
// they load (row_statistics.h), and the norm has no kernel.
//
//   %x = f32[512,768] add(dot(...), ...)                   %x = f32[512,768] add(dot(...), ...)
//   %s = f32[512] reduce(%x, 0)                            %s' = f32[512,12] reduce(f32[512,12,64] reshape(%x), 0)
//   %d = f32[512,768] subtract(%x, broadcast(%a))          %s = f32[512] reduce(%s', 0)
//   %v = f32[512] reduce(multiply(%d, %d), 0)          =>  %m = f32[512,12] divide(%s', 64)
//                                                          %q = f32[512,12] reduce((%x - %m)^2, 0)
//                                                          %v = f32[512] reduce(%q + 64 * (%m - %a)^2, 0)
//
// where a is any number of the row, its mean, say. Each piece's squares are of what is apart from its own mean, so that
// rows of a large mean and a small variance lose nothing. The last piece is shorter where rows are no whole pieces.
// What reads the norm beside products leaves it as it is. The scheduler plans a program without this, too.
#include <algorithm>
#include <map>
#include <set>

#include "ir/module/device_functions.h"
#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/shapes/skinny_product.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/parts/attended_later.h"
#include "passes/graph/parts/partial_reduction.h"
#include "passes/graph/parts/row_pieces.h"
#include "passes/stages/products/contract.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Dims = GraphBuilder::Dims;

class NormedRows {
 public:
  NormedRows(Instruction& dot, const std::set<const Instruction*>& reductions)
      : dot_(dot),
        reductions_(reductions),
        dims_(dot.shape.dims),
        lead_(dims_.begin(), dims_.end() - 1),
        piece_(columns_of_piece(dot)),
        count_(ceil_div(dims_.back(), piece_)) {}

  bool split() {
    if (!collect()) return false;
    for (const Sum& sum : sums_) sum.spread == nullptr ? split_alone(*sum.value) : split_apart(sum);
    return true;
  }

 private:
  // What a value is to the product.
  enum class Part : uint8_t {
    kElements,  // made of its elements, one by one
    kSum,       // reduced of these
    kNumber,    // made of sums: few to a row
    kNormed,    // made of both
    kBelow      // made of it in any other way
  };
  struct Sum {
    Instruction* value = nullptr;
    // Where it is of squares of what is apart from a number of the row: x, and the number in each element.
    Instruction *x = nullptr, *spread = nullptr;
  };

  int64_t last() const { return static_cast<int64_t>(lead_.size()); }
  Dims with(std::initializer_list<int64_t> more) const {
    Dims dims = lead_;
    dims.insert(dims.end(), more);
    return dims;
  }
  const Part* part_of(const Instruction* value) const {
    const auto found = parts_.find(value);
    return found == parts_.end() ? nullptr : &found->second;
  }
  bool is(const Instruction* value, Part part) const {
    const Part* found = part_of(value);
    return found != nullptr && *found == part;
  }
  bool is_few(const Instruction* value) const { return is(value, Part::kSum) || is(value, Part::kNumber); }

  // Everything behind the product, in order. False: a norm is read by what is no product, or is none that is known.
  bool collect() {
    parts_[&dot_] = Part::kElements;
    bool is_behind = false, is_read = false;
    for (Instruction& value : dot_.parent()->instructions()) {
      if (!is_behind) {
        is_behind = &value == &dot_;
        continue;
      }
      bool of_product = false, of_sums = false, of_elements = false;
      for (const Instruction* operand : value.operands()) {
        of_product |= part_of(operand) != nullptr;
        of_elements |= is(operand, Part::kElements) || is(operand, Part::kNormed);
        of_sums |= is_few(operand) || is(operand, Part::kNormed);
      }
      if (!of_product) continue;
      if (value.opcode == Opcode::kReduce && add_sum(value)) {
        parts_[&value] = Part::kSum;
      } else if (is_by_elements(value)) {
        const bool is_normed = of_sums && (of_elements || value.shape.dims == dims_);
        parts_[&value] = is_normed ? Part::kNormed : of_sums ? Part::kNumber : Part::kElements;
      } else if (!of_sums) {
        parts_[&value] = Part::kBelow;
      } else if (is_product_of_norm(value)) {
        is_read = true;
        parts_[&value] = Part::kBelow;
      } else {
        return false;
      }
    }
    const Instruction* root = dot_.parent()->root();
    return is_read && !sums_.empty() && !is_few(root) && !is(root, Part::kNormed);
  }

  // Of the product's elements, of numbers of a row, or both; what comes from elsewhere is none of its results.
  bool is_by_elements(const Instruction& value) const {
    if (!value.shape.is_array()) return false;
    bool few = true, of_elements = false;
    for (const Instruction* operand : value.operands()) {
      if (is(operand, Part::kBelow)) return false;
      few &= part_of(operand) == nullptr || is_few(operand);
      of_elements |= is(operand, Part::kElements);
    }
    const bool is_elementwise = family_of(value) == Family::kElementwise;
    const bool is_few = value.shape.element_count() <= dot_.shape.element_count() / dims_.back();
    if (few && is_few) return is_elementwise || value.opcode == Opcode::kReshape || value.opcode == Opcode::kBroadcast;
    if (few) return value.opcode == Opcode::kBroadcast && value.shape.dims == dims_;
    if (is_elementwise) return value.shape.dims == dims_;
    // A norm may be read in other dimensions, of the same rows.
    return value.opcode == Opcode::kReshape && !of_elements && value.shape.dims.back() == dims_.back();
  }

  bool add_sum(Instruction& reduce) {
    if (!reductions_.contains(&reduce) || reduce.operands().size() != 2 || part_of(reduce.operand(1)) != nullptr)
      return false;
    if (*reduce.attributes->dimensions != Dims{last()} || !is_float(reduce.shape.dtype)) return false;
    const std::optional<Opcode> combiner = simple_combiner(**reduce.attributes->to_apply);
    if (!combiner || !neutral_beginning(*combiner, reduce.shape.dtype, *reduce.operand(1))) return false;
    if (sum_type(reduce.shape.dtype) != reduce.shape.dtype) return false;
    Instruction* terms = reduce.operand(0);
    if (terms->shape.dims != dims_) return false;
    if (is(terms, Part::kElements)) {
      sums_.push_back({.value = &reduce});
      return true;
    }
    if (combiner != Opcode::kAdd || !is(terms, Part::kNormed) || terms->opcode != Opcode::kMultiply) return false;
    const Instruction& apart = *terms->operand(0);
    if (&apart != terms->operand(1) || apart.opcode != Opcode::kSubtract) return false;
    Instruction *x = apart.operand(0), *spread = apart.operand(1);
    if (!is(x, Part::kElements) || !is_number_of_row(*spread)) return false;
    sums_.push_back({.value = &reduce, .x = x, .spread = spread});
    return true;
  }

  // A number in all elements of its row; dimensions of one row it may lack.
  bool is_number_of_row(const Instruction& spread) const {
    if (spread.opcode != Opcode::kBroadcast || !is_few(spread.operand(0))) return false;
    const Dims& where = *spread.attributes->dimensions;
    if (!std::ranges::is_sorted(where) || (!where.empty() && where.back() == last())) return false;
    int64_t rows = 1;
    for (const int64_t d : where) rows *= dims_[d];
    return rows == dot_.shape.element_count() / dims_.back() && spread.operand(0)->shape.element_count() == rows;
  }

  // Along its own rows, on the left.
  bool is_product_of_norm(const Instruction& value) const {
    if (value.opcode != Opcode::kDot || value.operands().size() != 2) return false;
    const Instruction& normed = *value.operand(0);
    if (!is(&normed, Part::kNormed) || part_of(value.operand(1)) != nullptr) return false;
    return value.attributes->lhs_batch_dims.value_or(Dims{}).empty() &&
           value.attributes->lhs_contracting_dims == Dims{normed.shape.rank() - 1};
  }

  Value spread_pieces(GraphBuilder& build, Value of_pieces) const {
    return build.broadcast(of_pieces, with({count_, piece_}), iota_list(last() + 1));
  }
  int64_t missing() const { return count_ * piece_ - dims_.back(); }

  // `name`: what emitted code calls it.
  Value sum_of_pieces(GraphBuilder& build, Value pieces, const Literal& nothing, Opcode combiner,
                      const char* name) const {
    const Value sum = build.reduce(pieces, build.constant(nothing), {last() + 1}, combiner, *dot_.parent()->parent());
    std::string& called = sum->metadata.edit().op_name;
    called.replace(called.find_last_of('/') + 1, std::string::npos, name);
    return mark(sum, kPieceAttribute);
  }
  static Value mark(Value value, const char* attribute) {
    value->annotations.edit().frontend_attributes[attribute] = "1";
    return value;
  }
  // The reduction itself becomes that of what each piece has.
  void finish(Instruction& reduce, Value of_pieces) const {
    Attributes attributes = reduce.attributes;
    attributes.dimensions = Dims{last()};
    become(reduce, Opcode::kReduce, {of_pieces, reduce.operand(1)}, std::move(attributes));
    mark(&reduce, kOfPartsAttribute);
  }
  // Of `x`, in pieces; known where it has been asked for.
  Value pieces_of(GraphBuilder& build, Instruction* x, const Literal& nothing, Opcode combiner) {
    Value& result = pieces_[{x, combiner}];
    if (result == nullptr)
      result = sum_of_pieces(build, in_pieces(build, x, count_, piece_, nothing), nothing, combiner,
                             combiner == Opcode::kAdd ? "piece_sum" : "piece");
    return result;
  }

  void split_alone(Instruction& reduce) {
    GraphBuilder build(reduce);
    const Opcode combiner = *simple_combiner(**reduce.attributes->to_apply);
    const Literal nothing = *part_beginning(combiner, reduce.shape.dtype, *reduce.operand(1));
    finish(reduce, pieces_of(build, reduce.operand(0), nothing, combiner));
  }

  // How many columns each piece has.
  Value counts(GraphBuilder& build, DType type) const {
    const Value whole = build.real(type, static_cast<double>(piece_), with({count_}));
    if (missing() == 0) return whole;
    const Value place = build.iota(DType::kS32, with({count_}), last());
    const Value ends = build.compare({place, build.integer(DType::kS32, count_ - 1, with({count_}))}, "LT");
    return build.select({ends, whole, build.real(type, static_cast<double>(piece_ - missing()), with({count_}))});
  }

  void split_apart(const Sum& sum) {
    GraphBuilder build(*sum.value);
    const DType type = sum.value->shape.dtype;
    const Literal nothing = *part_beginning(Opcode::kAdd, type, *sum.value->operand(1));
    const Value total = pieces_of(build, sum.x, nothing, Opcode::kAdd);
    const Value count = counts(build, type);
    const Value mean = build.make(Opcode::kDivide, {total, count});
    const Value x = in_pieces(build, sum.x, count_, piece_, nothing);
    const Value apart = build.subtract({x, spread_pieces(build, mean)});
    Value square = build.multiply({apart, apart});
    if (missing() > 0) {
      const Dims dims = with({count_, piece_});
      const Value column = build.broadcast(
          build.reshape(build.iota(DType::kS32, {count_ * piece_}, 0), {count_, piece_}), dims, {last(), last() + 1});
      const Value is_there = build.compare({column, build.integer(DType::kS32, dims_.back(), dims)}, "LT");
      square = build.select({is_there, square, build.real(type, 0, dims)});
    }
    const Value squares = sum_of_pieces(build, square, nothing, Opcode::kAdd, "piece_square_sum");
    const Value number = build.reshape(sum.spread->operand(0), lead_);
    const Value row = build.broadcast(number, with({count_}), iota_list(last()));
    const Value moved = build.subtract({mean, row});
    const Value between = build.multiply({build.multiply({count, moved}), moved});
    finish(*sum.value, build.add({squares, between}));
  }

  Instruction& dot_;
  const std::set<const Instruction*>& reductions_;  // that may be split
  const Dims dims_, lead_;
  const int64_t piece_, count_;                                    // columns of a piece; pieces of a row
  std::map<const Instruction*, Part> parts_;                       // looked up, never walked
  std::vector<Sum> sums_;                                          // in the order of the text
  std::map<std::pair<const Instruction*, Opcode>, Value> pieces_;  // likewise looked up
};

// Whether any of `reductions` may be of the dot's rows.
bool has_reductions(const Instruction& dot, const std::vector<Instruction*>& reductions) {
  return std::ranges::any_of(reductions, [&](const Instruction* reduce) {
    return reduce->parent() == dot.parent() && reduce->operand(0)->shape.is_array() &&
           reduce->operand(0)->shape.dims == dot.shape.dims;
  });
}

}  // namespace

bool split_norms(Module& module, const GraphPassOptions& options) {
  const std::vector<Instruction*> known = reductions_to_split(module);
  const std::set<const Instruction*> reductions(known.begin(), known.end());
  if (reductions.empty()) return false;
  bool changed = false;
  const std::set<const Instruction*> attended = attended_later(module, options);
  for (Instruction* dot : instructions_of(module, Opcode::kDot)) {
    if (attended.count(dot) > 0 || !may_have_pieces(*dot) || !has_reductions(*dot, known)) continue;
    changed |= NormedRows(*dot, reductions).split();
  }
  if (changed) {
    module.sort_computations();
    remove_dead_code(module);
  }
  return changed;
}

}  // namespace sinter
