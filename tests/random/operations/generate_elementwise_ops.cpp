// Elementwise operations, conversions among them.
#include <algorithm>

#include "passes/graph/base/rewrite.h"
#include "tests/random/operations/generate_ops.h"

namespace sinter {
namespace {

const std::vector<std::string> kDirections = {"EQ", "NE", "LT", "LE", "GT", "GE"};

// The facts of `opcode` on floats that each have `facts`; only of operations that have one right answer to the bit.
Facts unary_facts(Opcode opcode, DType dtype, const Facts& facts) {
  switch (opcode) {
    case Opcode::kSqrt:
      return {};  // NaN of a negative number
    case Opcode::kSign:
      return {.magnitude = facts.finite() ? 1 : INFINITY, .integral = true};
    case Opcode::kFloor:
    case Opcode::kCeil:
    case Opcode::kRoundNearestAfz:
    case Opcode::kRoundNearestEven:
      return rounded(dtype, facts.magnitude + 1, true);
    default:
      return facts;
  }
}

}  // namespace

Facts binary_facts(Opcode opcode, DType dtype, const Facts& a, const Facts& b) {
  const bool integral = a.integral && b.integral;
  switch (opcode) {
    case Opcode::kAdd:
    case Opcode::kSubtract:
      return rounded(dtype, a.magnitude + b.magnitude, integral);
    case Opcode::kMultiply:
      return a.finite() && b.finite() ? rounded(dtype, a.magnitude * b.magnitude, integral) : Facts{};
    case Opcode::kMaximum:
    case Opcode::kMinimum:
      return either(a, b);
    default:
      return {};
  }
}

void add_unary(Draft& draft) {
  static const std::vector<Opcode> kReals = {Opcode::kNegate,
                                             Opcode::kAbs,
                                             Opcode::kSign,
                                             Opcode::kFloor,
                                             Opcode::kCeil,
                                             Opcode::kRoundNearestAfz,
                                             Opcode::kRoundNearestEven,
                                             Opcode::kSqrt,
                                             Opcode::kIsFinite,
                                             Opcode::kReducePrecision,
                                             Opcode::kCopy,
                                             Opcode::kReal,
                                             Opcode::kImag};
  static const std::vector<Opcode> kIntegers = {Opcode::kNegate, Opcode::kNot, Opcode::kPopcnt,
                                                Opcode::kCountLeadingZeros, Opcode::kCopy};
  static const std::vector<Opcode> kSigned = {
      Opcode::kNegate, Opcode::kNot,  Opcode::kPopcnt, Opcode::kCountLeadingZeros,
      Opcode::kAbs,    Opcode::kSign, Opcode::kCopy};
  static const std::vector<Opcode> kComplex = {Opcode::kNegate, Opcode::kReal, Opcode::kImag, Opcode::kCopy};
  Random& random = draft.random();
  Term a = pick(draft);
  const DType dtype = a.dtype();
  if (dtype == DType::kPred) {
    add(draft, Opcode::kNot, {a}, {});
    return;
  }
  if (is_complex(dtype)) {
    add(draft, random.pick(kComplex), {a}, a.facts);
    return;
  }
  if (is_integer(dtype)) {
    add(draft, random.pick(is_signed_integer(dtype) ? kSigned : kIntegers), {a}, {});
    return;
  }
  const Opcode opcode = random.pick(kReals);
  // What a NaN's sign is nobody says.
  Attributes attributes;
  if (opcode == Opcode::kReducePrecision) {
    attributes.exponent_bits = random.between(2, 11);
    attributes.mantissa_bits = random.between(0, 23);
  }
  if (opcode == Opcode::kImag) a = tame(draft, a, 8);
  add(draft, opcode, {a}, opcode == Opcode::kReducePrecision ? Facts{} : unary_facts(opcode, dtype, a.facts),
      attributes);
}

void add_binary(Draft& draft) {
  static const std::vector<Opcode> kReals = {Opcode::kAdd,    Opcode::kSubtract, Opcode::kMultiply,
                                             Opcode::kAdd,    Opcode::kMaximum,  Opcode::kMinimum,
                                             Opcode::kDivide, Opcode::kRemainder};
  static const std::vector<Opcode> kComplex = {Opcode::kAdd, Opcode::kSubtract, Opcode::kMultiply};
  static const std::vector<Opcode> kIntegers = {Opcode::kAdd,
                                                Opcode::kSubtract,
                                                Opcode::kMultiply,
                                                Opcode::kDivide,
                                                Opcode::kRemainder,
                                                Opcode::kMaximum,
                                                Opcode::kMinimum,
                                                Opcode::kAnd,
                                                Opcode::kOr,
                                                Opcode::kXor,
                                                Opcode::kShiftLeft,
                                                Opcode::kShiftRightArithmetic,
                                                Opcode::kShiftRightLogical,
                                                Opcode::kPower,
                                                Opcode::kMulhi};
  static const std::vector<Opcode> kPreds = {Opcode::kAnd,      Opcode::kOr,      Opcode::kXor,    Opcode::kAdd,
                                             Opcode::kMultiply, Opcode::kMaximum, Opcode::kMinimum};
  Random& random = draft.random();
  Term a = pick(draft);
  Term b = random.chance(10) ? a : want(draft, a.dtype(), a.dims());
  if (random.chance(30)) std::swap(a, b);
  const DType dtype = a.dtype();
  const std::vector<Opcode>& opcodes = dtype == DType::kPred ? kPreds
                                       : is_complex(dtype)   ? kComplex
                                       : is_integer(dtype)   ? kIntegers
                                                             : kReals;
  const Opcode opcode = random.pick(opcodes);
  if (is_complex(dtype)) {
    // Products of complex numbers are sums.
    const double limit = opcode == Opcode::kMultiply ? std::sqrt(exact_limit(dtype) / 2) : exact_limit(dtype) / 2;
    a = tame(draft, a, std::min(limit, 64.0));
    b = tame(draft, b, std::min(limit, 64.0));
    const double most =
        opcode == Opcode::kMultiply ? 2 * a.facts.magnitude * b.facts.magnitude : a.facts.magnitude + b.facts.magnitude;
    add(draft, opcode, {a, b}, rounded(dtype, most, true));
    return;
  }
  // A tie of zeros of both signs is decided by neither.
  add(draft, opcode, {a, b}, binary_facts(opcode, dtype, a.facts, b.facts));
}

void add_compare(Draft& draft) {
  Random& random = draft.random();
  Term a = pick(draft);
  Term b = want(draft, a.dtype(), a.dims());
  Attributes attributes;
  attributes.direction = is_complex(a.dtype()) ? (random.chance(50) ? "EQ" : "NE") : random.pick(kDirections);
  if (is_float(a.dtype()) && random.chance(15)) {
    attributes.comparison_type = "TOTALORDER";
    a = finite(draft, a);
    b = finite(draft, b);
  } else if (random.chance(20)) {
    const DType dtype = a.dtype();
    attributes.comparison_type = is_float(dtype) || is_complex(dtype) ? "FLOAT"
                                 : is_signed_integer(dtype)           ? "SIGNED"
                                                                      : "UNSIGNED";
  }
  add(draft, Opcode::kCompare, {a, b}, {}, attributes);
}

void add_select(Draft& draft) {
  const Term a = pick(draft);
  const Term b = want(draft, a.dtype(), a.dims());
  const Term predicate = want(draft, DType::kPred, draft.random().chance(20) ? Sizes() : a.dims());
  add(draft, Opcode::kSelect, {predicate, a, b}, either(a.facts, b.facts));
}

void add_clamp(Draft& draft) {
  Random& random = draft.random();
  Term x = pick(draft, [](const Term& term) { return !is_complex(term.dtype()); });
  Term low = want(draft, x.dtype(), random.chance(60) ? Sizes() : x.dims());
  Term high = want(draft, x.dtype(), random.chance(60) ? Sizes() : x.dims());
  add(draft, Opcode::kClamp, {low, x, high}, either(either(low.facts, x.facts), high.facts));
}

void add_convert(Draft& draft) {
  const Term a = pick(draft);
  const DType dtype = random_dtype(draft);
  if (dtype != a.dtype()) as_type(draft, a, dtype);
}

// Predicates and complex numbers have no other type to be read as; neither have types that do not fill their byte.
void add_bitcast_convert(Draft& draft) {
  const auto whole = [](DType dtype) { return (is_integer(dtype) || is_float(dtype)) && dtype_bits(dtype) % 8 == 0; };
  Term a = finite(draft, pick(draft, [&](const Term& term) { return whole(term.dtype()); }));
  const DType dtype = random_dtype(draft, whole);
  Sizes dims = a.dims();
  const int64_t from = dtype_bits(a.dtype()), to = dtype_bits(dtype);
  if (from > to) dims.push_back(from / to);
  if (from < to) {
    dims.push_back(to / from);
    a = as_shape(draft, a, dims);
    dims.pop_back();
  }
  if (count(dims) > draft.shared.most_elements) return;
  add_stated(draft, Opcode::kBitcastConvert, Shape::array(dtype, dims), {a}, {});
}

// Up or down by as many random bits as the float has; NaN and infinities go as convert has them.
void add_stochastic_convert(Draft& draft) {
  static const std::vector<std::pair<DType, DType>> kBits = {
      {DType::kF32, DType::kU32}, {DType::kBF16, DType::kU16}, {DType::kF16, DType::kU16}, {DType::kF64, DType::kU64}};
  static const std::vector<DType> kResults = {DType::kS32, DType::kS8, DType::kBF16, DType::kF16, DType::kS16};
  Random& random = draft.random();
  const auto& [dtype, bits] = random.pick(kBits);
  const Sizes dims = random_dims(draft, 0, 3);
  const Term value = finite(draft, want(draft, dtype, dims));
  const Term chance = want(draft, bits, dims);
  const DType result = random.pick(kResults);
  add_stated(draft, Opcode::kStochasticConvert, Shape::array(result, dims), {value, chance}, any_facts(result));
}

void add_complex(Draft& draft) {
  const DType dtype = random_dtype(draft, [](DType t) { return t == DType::kF32 || t == DType::kF64; });
  const Sizes dims = random_dims(draft, 0, 3);
  const Term re = want(draft, dtype, dims), im = want(draft, dtype, dims);
  add(draft, Opcode::kComplex, {re, im}, either(re.facts, im.facts));
}

}  // namespace sinter
