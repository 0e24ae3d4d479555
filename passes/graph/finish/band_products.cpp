// band_products: a product with a matrix that is known, and zero but for a band, adds up what the band takes. Matrices
// that resize pictures are such: jax.image.resize multiplies by one for each dimension, of triangles or cubics around
// the places that the results lie at.
//
//   %y = f32[8,224,512] dot(%x, %w), lhs_contracting_dims={2}, rhs_contracting_dims={0}      x f32[8,224,224]
//   column j of w f32[224,512] has two elements that are not zero, from (7 * j + 4) / 16 - 1 on, or from the first or
//   last place of a row on
//                                                     =>
//   %at = s32[512,2] add(broadcast(clamp(0, (7 * iota + 4) / 16 - 1, 222)), iota)
//   %y = f32[8,224,512] reduce(gather(%x, %at) * broadcast(f32[512,2] constant({...})), 0), dimensions={3}
//
// Where bands begin is a formula if places follow from their number by the ratio of both sizes, else a list. A band of
// one term is that element, where all factors are 1. An infinity or NaN of x times a zero beside the band would be NaN
// (docs/numerics.md).
#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/known_value.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Dims = std::vector<int64_t>;
using Value = GraphBuilder::Value;

// Elements of a matrix that are computed to see what it is, and of all that it is made of.
constexpr KnownLimits kMatrixLimits = {
    .most_elements = int64_t{1} << 23, .most_in_all = int64_t{1} << 28, .most_steps = 128, .structured = true};
// A band takes its elements one by one, from memory that is near: what it leaves out must be many times as much.
constexpr int64_t kLeastTerms = 16, kLeastShare = 4;
// Numbers that constants of the program hold.
constexpr int64_t kMostListed = int64_t{1} << 15;

// Where bands begin: (numerator * j + shift) / divisor - back, rounded down; or a list, where divisor is 0.
struct Band {
  int64_t width = 1;
  int64_t numerator = 0, shift = 0, divisor = 0, back = 0;
  Dims starts;
};

struct BandRange {
  int64_t first = 0, last = -1;  // last < first: all of them are zero
};

std::vector<BandRange> ranges_of(const Literal& matrix, int64_t terms_dimension) {
  const Dims& dims = matrix.shape().dims;
  std::vector<BandRange> ranges(dims[1 - terms_dimension]);
  for (int64_t at = 0; at < matrix.element_count(); ++at) {
    if (matrix.real_at(at) == 0) continue;
    const int64_t row = at / dims[1], column = at % dims[1];
    BandRange& range = ranges[terms_dimension == 0 ? column : row];
    const int64_t term = terms_dimension == 0 ? row : column;
    if (range.last < range.first) range.first = term;
    range.first = std::min(range.first, term);
    range.last = std::max(range.last, term);
  }
  return ranges;
}

// Bands that move as the sizes of both sides say, in a formula, if that makes none of them much wider.
bool find_formula(const std::vector<BandRange>& ranges, int64_t terms, Band* band) {
  const int64_t results = std::ssize(ranges), common = std::gcd(terms, results);
  const int64_t numerator = terms / common, divisor = results / common;
  std::optional<int64_t> shift;
  for (int64_t j = 0; j < results; ++j) {
    if (ranges[j].last < ranges[j].first) continue;
    const int64_t most = divisor * (ranges[j].first + 1) - 1 - numerator * j;
    shift = shift ? std::min(*shift, most) : most;
  }
  if (!shift) return false;
  const int64_t back = *shift < 0 ? (-*shift + divisor - 1) / divisor : 0;
  if (numerator * results + *shift + divisor * back > INT32_MAX) return false;
  int64_t width = 1;
  for (int64_t j = 0; j < results; ++j) {
    const int64_t start = (numerator * j + *shift + divisor * back) / divisor - back;
    width = std::max(width, ranges[j].last - start + 1);
  }
  if (width > band->width + 1) return false;
  *band = {.width = width,
           .numerator = numerator,
           .shift = *shift + divisor * back,
           .divisor = divisor,
           .back = back,
           .starts = {}};
  return true;
}

std::optional<Band> find_band(const Literal& matrix, int64_t terms_dimension) {
  const int64_t terms = matrix.shape().dims[terms_dimension];
  const std::vector<BandRange> ranges = ranges_of(matrix, terms_dimension);
  Band band;
  for (const BandRange& range : ranges) band.width = std::max(band.width, range.last - range.first + 1);
  const auto is_narrow = [&] { return band.width * kLeastShare <= terms; };
  if (!is_narrow()) return std::nullopt;
  if (!find_formula(ranges, terms, &band)) {
    for (const BandRange& range : ranges)
      band.starts.push_back(range.last < range.first ? 0 : std::min(range.first, terms - band.width));
  }
  const bool is_listed = std::ssize(ranges) * band.width <= kMostListed;
  return is_narrow() && is_listed ? std::optional(std::move(band)) : std::nullopt;
}

// As the formula has it, which may lie before the first place or behind the last.
int64_t formula_at(const Band& band, int64_t j) { return (band.numerator * j + band.shift) / band.divisor - band.back; }

int64_t start_of(const Band& band, int64_t j, int64_t terms) {
  return band.divisor == 0 ? band.starts[j] : std::clamp<int64_t>(formula_at(band, j), 0, terms - band.width);
}

Value starts_of(GraphBuilder& build, const Band& band, int64_t results, int64_t terms) {
  const Dims dims = {results};
  if (band.divisor == 0) {
    Literal list(Shape::array(DType::kS32, dims));
    for (int64_t j = 0; j < results; ++j) list.set_integer(j, band.starts[j]);
    return build.constant(std::move(list));
  }
  Value start = build.iota(DType::kS32, dims, 0);
  const auto with = [&](Opcode opcode, int64_t number, int64_t none) {
    if (number != none) start = build.make(opcode, {start, build.integer(DType::kS32, number, dims)});
  };
  with(Opcode::kMultiply, band.numerator, 1);
  with(Opcode::kAdd, band.shift, 0);
  with(Opcode::kDivide, band.divisor, 1);
  with(Opcode::kSubtract, band.back, 0);
  const int64_t last = terms - band.width;
  if (formula_at(band, 0) >= 0 && formula_at(band, results - 1) <= last) return start;
  return build.make(Opcode::kClamp, {build.integer(DType::kS32, 0), start, build.integer(DType::kS32, last)});
}

// The factors of bands, f[results, width].
Literal factors_of(const Band& band, const Literal& matrix, int64_t terms_dimension) {
  const int64_t terms = matrix.shape().dims[terms_dimension], results = matrix.shape().dims[1 - terms_dimension];
  Literal factors(Shape::array(matrix.shape().dtype, {results, band.width}));
  for (int64_t j = 0; j < results; ++j) {
    for (int64_t t = 0; t < band.width; ++t) {
      const int64_t term = start_of(band, j, terms) + t;
      const int64_t at = terms_dimension == 0 ? term * results + j : j * terms + term;
      factors.set_real(j * band.width + t, matrix.real_at(at));
    }
  }
  return factors;
}

// What x has at these places: the dimensions of `at` stand before x's other dimensions, or behind them.
Value taken_by(GraphBuilder& build, Value x, Value at, int64_t dimension, bool first) {
  const int64_t others = x->shape.rank() - 1;
  Attributes attributes;
  attributes.offset_dims = Dims(others);
  std::iota(attributes.offset_dims->begin(), attributes.offset_dims->end(), first ? at->shape.rank() : int64_t{0});
  attributes.collapsed_slice_dims = Dims{dimension};
  attributes.start_index_map = Dims{dimension};
  attributes.index_vector_dim = at->shape.rank();
  attributes.slice_sizes = x->shape.dims;
  (*attributes.slice_sizes)[dimension] = 1;
  return build.make(Opcode::kGather, {x, at}, std::move(attributes));
}

// Times the factors of bands, f[results, width] or f[results], whose dimensions begin at `first`.
Value times_factors(GraphBuilder& build, Value taken, Literal factors, int64_t first) {
  if (factors.is_splat() && factors.real_at(0) == 1) return taken;
  const Dims& dims = taken->shape.dims;
  const DType type = taken->shape.dtype;
  if (factors.is_splat()) return build.multiply({taken, build.real(type, factors.real_at(0), dims)});
  Value known = build.constant(std::move(factors));
  // What emitted code calls it.
  known->metadata.edit().op_name = "factors";
  Dims where(known->shape.dims.size());
  std::iota(where.begin(), where.end(), first);
  return build.multiply({taken, build.broadcast(build.convert(known, type), dims, where)});
}

bool become_band(Instruction& dot, size_t side) {
  const Attributes& given = dot.attributes;
  const Dims& lhs = *given.lhs_contracting_dims;
  const Dims& rhs = *given.rhs_contracting_dims;
  Instruction* matrix = dot.operand(side);
  Instruction* x = dot.operand(1 - side);
  const int64_t terms_dimension = side == 0 ? lhs[0] : rhs[0], dimension = side == 0 ? rhs[0] : lhs[0];
  if (matrix->shape.rank() != 2 || matrix->shape.dims[terms_dimension] < kLeastTerms) return false;
  const std::optional<Literal> values = known_value(*matrix, kMatrixLimits);
  if (!values) return false;
  const std::optional<Band> band = find_band(*values, terms_dimension);
  if (!band) return false;

  GraphBuilder build(dot);
  const int64_t results = matrix->shape.dims[1 - terms_dimension];
  const bool is_sum = band->width > 1;
  Value at = starts_of(build, *band, results, matrix->shape.dims[terms_dimension]);
  if (is_sum) {
    const Dims pairs = {results, band->width};
    at->metadata.edit().op_name = "band";
    at = build.add({build.broadcast(at, pairs, {0}), build.iota(DType::kS32, pairs, 1)});
  }
  at->metadata.edit().op_name = "place";
  const DType type = sum_type(dot.shape.dtype);
  const Value taken = build.convert(taken_by(build, x, at, dimension, side == 0), type);
  const int64_t first = side == 0 ? 0 : taken->shape.rank() - at->shape.rank();
  Literal factors = factors_of(*band, *values, terms_dimension);
  if (!is_sum) factors = factors.with_shape(Shape::array(factors.shape().dtype, {results}));
  Value sum = times_factors(build, taken, std::move(factors), first);
  if (is_sum)
    sum = build.reduce(sum, build.real(type, 0), {first + 1}, Opcode::kAdd, *dot.parent()->parent());
  else if (sum != taken)
    sum = build.add({build.real(type, 0, sum->shape.dims), sum});  // a negative number times zero is no -0 then
  dot.replace_all_uses_with(build.convert(sum, dot.shape.dtype));
  return true;
}

bool may_have_band(const Instruction& dot) {
  const Attributes& attributes = dot.attributes;
  const auto is_none = [](const AttributeValue<Dims>& dims) { return !dims || dims->empty(); };
  const auto is_one = [](const AttributeValue<Dims>& dims) { return dims && dims->size() == 1; };
  const auto is_real = [](const Shape& shape) {
    return is_float(shape.dtype) && !is_complex(shape.dtype) && shape.is_static() && shape.element_count() > 0 &&
           dtype_bits(shape.dtype) >= 16;
  };
  return is_one(attributes.lhs_contracting_dims) && is_one(attributes.rhs_contracting_dims) &&
         is_none(attributes.lhs_batch_dims) && is_none(attributes.rhs_batch_dims) && dot.operands().size() == 2 &&
         is_real(dot.shape) && is_real(dot.operand(0)->shape) && is_real(dot.operand(1)->shape);
}

}  // namespace

bool band_products(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* dot : instructions_of(module, Opcode::kDot)) {
    if (may_have_band(*dot)) changed |= become_band(*dot, 0) || become_band(*dot, 1);
  }
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
