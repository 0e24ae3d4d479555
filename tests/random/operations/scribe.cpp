#include "tests/random/operations/scribe.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sinter {

namespace {

// Exact programs: integers up to this size are multiplied and summed without rounding, and clamped beyond it.
constexpr double kExactLimit = 1024;
constexpr double kTameLimit = 8;
constexpr double kSlopeLimit = 4;
// Of a function of libm or of CUDA, relative to its result; a rounding is a quarter of it.
constexpr double kEpsilon = 2.4e-7;

std::string number_text(double number) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.9g", number);
  return buffer;
}

std::string list(const std::vector<int64_t>& values) {
  std::string text;
  for (const int64_t value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
  return "{" + text + "}";
}

}  // namespace

std::string shape_text(DType dtype, const Dims& dims) {
  std::string text = std::string(dtype_name(dtype)) + "[";
  for (size_t d = 0; d < dims.size(); ++d) text += (d == 0 ? "" : ",") + std::to_string(dims[d].size);
  return text + "]";
}

void HloText::open(const std::string& name, bool entry) {
  open_.push_back({name, (entry ? "ENTRY " : "") + name + " {\n"});
}

std::string HloText::close() {
  const Computation computation = open_.back();
  open_.pop_back();
  done_ += computation.text + "}\n\n";
  return computation.name;
}

std::string HloText::line(const std::string& hint, const std::string& right, bool root) {
  const std::string name = fresh(hint);
  open_.back().text += (root ? "  ROOT " : "  ") + name + " = " + right + "\n";
  return name;
}

std::string HloText::combiner(const std::string& opcode, DType dtype) {
  const std::string type = std::string(dtype_name(dtype));
  const std::string name = opcode + "_" + type;
  if (std::find(combiners_.begin(), combiners_.end(), name) != combiners_.end()) return name;
  combiners_.push_back(name);
  done_ = name + " {\n  a." + name + " = " + type + "[] parameter(0)\n  b." + name + " = " + type +
          "[] parameter(1)\n  ROOT c." + name + " = " + type + "[] " + opcode + "(a." + name + ", b." + name +
          ")\n}\n\n" + done_;
  return name;
}

std::string HloText::module(const std::string& name) const { return "HloModule " + name + "\n\n" + done_; }

Value Scribe::add(const std::string& hint, const std::string& right, DType dtype, const Dims& dims, const Value& like) {
  Value result = like;
  result.dtype = dtype;
  result.dims = dims;
  result.slot = -1;
  result.name = text.line(hint, shape_text(dtype, dims) + " " + right);
  return result;
}

Value Scribe::scalar(DType dtype, double number) {
  Value like;
  like.magnitude = std::fabs(number);
  const std::string literal = dtype == DType::kPred ? (number != 0 ? "true" : "false") : number_text(number);
  return add("constant", "constant(" + literal + ")", dtype, {}, like);
}

Value Scribe::filled(DType dtype, double number, const Dims& dims) {
  const Value value = scalar(dtype, number);
  return dims.empty() ? value : broadcast(value, dims, {});
}

Value Scribe::broadcast(const Value& value, const Dims& dims, const std::vector<int64_t>& mapping) {
  return add("broadcast", "broadcast(" + value.name + "), dimensions=" + list(mapping), value.dtype, dims, value);
}

Value Scribe::reshape(const Value& value, const Dims& dims) {
  return add("reshape", "reshape(" + value.name + ")", value.dtype, dims, value);
}

Value Scribe::slice(const Value& value, size_t dim, int64_t begin, int64_t end, int64_t step) {
  Dims dims = value.dims;
  std::string bounds;
  for (size_t d = 0; d < dims.size(); ++d) {
    const bool cut = d == dim;
    bounds += (d == 0 ? "[" : ", [") + std::to_string(cut ? begin : 0) + ":" + std::to_string(cut ? end : dims[d].size);
    if (cut && step != 1) bounds += ":" + std::to_string(step);
    bounds += "]";
  }
  dims[dim].size = (end - begin + step - 1) / step;
  return add("slice", "slice(" + value.name + "), slice={" + bounds + "}", value.dtype, dims, value);
}

Value Scribe::reverse(const Value& value, size_t dim) {
  return add("reverse", "reverse(" + value.name + "), dimensions={" + std::to_string(dim) + "}", value.dtype,
             value.dims, value);
}

Value Scribe::transpose(const Value& value, const std::vector<int64_t>& order) {
  Dims dims;
  for (const int64_t d : order) dims.push_back(value.dims[static_cast<size_t>(d)]);
  return add("transpose", "transpose(" + value.name + "), dimensions=" + list(order), value.dtype, dims, value);
}

namespace {

// The numbers of a value that is one or the other of two.
Value either(const Value& a, const Value& b) {
  Value result = a;
  result.magnitude = std::max(a.magnitude, b.magnitude);
  result.slope = std::max(a.slope, b.slope);
  result.error = std::max(a.error, b.error);
  result.exact = a.exact && b.exact;
  return result;
}

// A function of `a` whose derivative and values are bounded.
Value function(const Value& a, double derivative, double magnitude) {
  Value result = a;
  result.slope = a.slope * derivative;
  result.magnitude = magnitude;
  result.error = a.error * derivative + kEpsilon * magnitude;
  result.exact = false;
  return result;
}

Value product(const Value& a, const Value& b) {
  Value result = a;
  result.magnitude = a.magnitude * b.magnitude;
  result.slope = a.magnitude * b.slope + b.magnitude * a.slope;
  result.error = a.magnitude * b.error + b.magnitude * a.error + kEpsilon / 4 * result.magnitude;
  return result;
}

Value sum(const Value& a, const Value& b) {
  Value result = a;
  result.magnitude = a.magnitude + b.magnitude;
  result.slope = a.slope + b.slope;
  result.error = a.error + b.error + kEpsilon / 4 * result.magnitude;
  return result;
}

}  // namespace

Value Scribe::concatenate(const Value& a, const Value& b, size_t dim) {
  Dims dims = a.dims;
  dims[dim].size += b.dims[dim].size;
  return add("concatenate", "concatenate(" + a.name + ", " + b.name + "), dimensions={" + std::to_string(dim) + "}",
             a.dtype, dims, either(a, b));
}

Value Scribe::pad(const Value& value, size_t dim, int64_t low, int64_t high, int64_t interior) {
  const Value zero = scalar(value.dtype, 0);
  Dims dims = value.dims;
  std::string padding;
  for (size_t d = 0; d < dims.size(); ++d) {
    padding += d == 0 ? "" : "x";
    padding += d != dim ? "0_0" : std::to_string(low) + "_" + std::to_string(high);
    if (d == dim && interior > 0) padding += "_" + std::to_string(interior);
  }
  dims[dim].size = (dims[dim].size - 1) * (interior + 1) + 1 + low + high;
  return add("pad", "pad(" + value.name + ", " + zero.name + "), padding=" + padding, value.dtype, dims, value);
}

Value Scribe::reduce(const Value& value, const std::string& opcode, const std::vector<int64_t>& dims_reduced) {
  Dims dims;
  double count = 1;
  for (size_t d = 0; d < value.dims.size(); ++d) {
    if (std::find(dims_reduced.begin(), dims_reduced.end(), static_cast<int64_t>(d)) == dims_reduced.end()) {
      dims.push_back(value.dims[d]);
    } else {
      count *= static_cast<double>(value.dims[d].size);
    }
  }
  std::string identity = "0";
  if (opcode == "maximum" || opcode == "minimum") {
    const bool maximum = opcode == "maximum";
    if (is_float(value.dtype)) identity = maximum ? "-inf" : "inf";
    if (value.dtype == DType::kS32) identity = maximum ? "-2147483648" : "2147483647";
    if (value.dtype == DType::kU32) identity = maximum ? "0" : "4294967295";
  }
  const std::string type(dtype_name(value.dtype));
  const std::string start = text.line("constant", type + "[] constant(" + identity + ")");
  Value like = value;
  const bool adds = opcode == "add" && is_float(value.dtype);
  if (adds) {
    like.magnitude = value.magnitude * count;
    like.slope = value.slope * count;
    like.error = (value.error + kEpsilon / 4 * std::sqrt(count) * value.magnitude) * count;
    like.exact = exact;
  }
  Value result = add("reduce",
                     "reduce(" + value.name + ", " + start + "), dimensions=" + list(dims_reduced) +
                         ", to_apply=" + text.combiner(opcode, value.dtype),
                     value.dtype, dims, like);
  if (adds && !exact) result = op("multiply", result, filled(value.dtype, 1 / count, dims));
  return adds ? tame(result) : result;
}

Value Scribe::convert(const Value& value, DType dtype) {
  Value like = value;
  if (dtype == DType::kBF16) {
    like.error += value.magnitude / 256;
    like.exact = exact;
  }
  return value.dtype == dtype ? value : add("convert", "convert(" + value.name + ")", dtype, value.dims, like);
}

Value Scribe::select(const Value& predicate, const Value& a, const Value& b) {
  return add("select", "select(" + predicate.name + ", " + a.name + ", " + b.name + ")", a.dtype, a.dims, either(a, b));
}

Value Scribe::compare(const Value& a, const Value& b) {
  static const std::vector<std::string> kDirections = {"LT", "LE", "GT", "GE", "EQ", "NE"};
  return add("compare", "compare(" + a.name + ", " + b.name + "), direction=" + random.pick(kDirections), DType::kPred,
             a.dims, Value{});
}

Value Scribe::op(const std::string& opcode, const Value& a) {
  return add(opcode, opcode + "(" + a.name + ")", a.dtype, a.dims, a);
}

Value Scribe::op(const std::string& opcode, const Value& a, const Value& b) {
  Value like = either(a, b);
  if (opcode == "multiply") like = product(a, b);
  if (opcode == "add" || opcode == "subtract") like = sum(a, b);
  like.exact = exact || (like.exact && (opcode == "maximum" || opcode == "minimum" || !is_float(a.dtype)));
  return add(opcode, opcode + "(" + a.name + ", " + b.name + ")", a.dtype, a.dims, like);
}

Value Scribe::clamp(const Value& value, double limit) {
  const Value low = scalar(value.dtype, -limit), high = scalar(value.dtype, limit);
  Value like = value;
  like.magnitude = std::min(value.magnitude, limit);
  return add("clamp", "clamp(" + low.name + ", " + value.name + ", " + high.name + ")", value.dtype, value.dims, like);
}

Value Scribe::tame(const Value& value) {
  if (!is_float(value.dtype)) return value;
  if (exact) return value.magnitude > kExactLimit ? clamp(value, 64) : value;
  Value result = value;
  if (result.slope > kSlopeLimit) {
    const double scale = std::exp2(-std::ceil(std::log2(result.slope)));
    result = op("multiply", result, filled(value.dtype, scale, value.dims));
  }
  if (result.magnitude > kTameLimit) result = clamp(result, 4);
  return result;
}

Value Scribe::unary(const Value& a) {
  if (a.dtype == DType::kPred) return op("not", a);
  return is_float(a.dtype) ? tame(float_unary(a)) : integer_unary(a);
}

Value Scribe::binary(const Value& a, const Value& b) {
  static const std::vector<std::string> kLogic = {"and", "or", "xor"};
  if (a.dtype == DType::kPred) return op(random.pick(kLogic), a, b);
  return is_float(a.dtype) ? tame(float_binary(a, b)) : integer_binary(a, b);
}

Value Scribe::float_unary(const Value& a) {
  const auto constant = [&](double number) { return filled(a.dtype, number, a.dims); };
  const auto named = [&](const std::string& opcode, const Value& of, double derivative, double magnitude) {
    return add(opcode, opcode + "(" + of.name + ")", of.dtype, of.dims, function(of, derivative, magnitude));
  };
  if (exact || random.chance(40)) {
    switch (random.below(6)) {
      case 0:
        return op("negate", a);
      case 1:
        return op("abs", a);
      case 2:
        return op("maximum", a, constant(static_cast<double>(random.between(-2, 2))));
      case 3:
        return op("minimum", a, constant(static_cast<double>(random.between(-2, 2))));
      case 4:
        return op("add", a, constant(static_cast<double>(random.between(-3, 3))));
      default:
        return op("multiply", a, constant(static_cast<double>(random.between(-2, 3))));
    }
  }
  // Arguments are brought where the function's derivative is bounded first.
  const auto above_one = [&](const Value& of) { return op("add", op("abs", of), constant(1)); };
  switch (random.below(14)) {
    case 0:
      return named("tanh", a, 1, 1);
    case 1:
      return named("sine", a, 1, 1);
    case 2:
      return named("cosine", a, 1, 1);
    case 3:
      return named("logistic", a, 0.25, 1);
    case 4:
      return named("exponential", op("minimum", a, constant(1)), 2.72, 2.72);
    case 5: {
      const Value above = above_one(a);
      return named("log", above, 1, std::log(above.magnitude));
    }
    case 6: {
      const Value above = above_one(a);
      return named("sqrt", above, 0.5, std::sqrt(above.magnitude));
    }
    case 7:
      return named("rsqrt", above_one(a), 0.5, 1);
    case 8: {
      const Value over = above_one(a);
      const Value like = function(over, 1, 1);
      return add("divide", "divide(" + constant(1).name + ", " + over.name + ")", a.dtype, a.dims, like);
    }
    case 9:
      return named("exponential-minus-one", op("minimum", a, constant(1)), 2.72, 2.72);
    case 10:
      return named("log-plus-one", op("abs", a), 1, std::log1p(a.magnitude));
    case 11:
      return named("erf", a, 1.13, 1);
    case 12: {
      const Value like = function(a, 1, std::cbrt(a.magnitude + 1));
      const Value above = above_one(a);
      return add("cbrt", "cbrt(" + above.name + ")", a.dtype, a.dims, like);
    }
    default:
      return op("multiply", a, constant(static_cast<double>(random.between(-1000, 1000)) * 0.001));
  }
}

Value Scribe::float_binary(const Value& a, const Value& b) {
  switch (random.below(exact ? 6 : 8)) {
    case 0:
      return op("maximum", a, b);
    case 1:
      return op("minimum", a, b);
    case 2:
      return op("subtract", a, b);
    case 3:
      return op("multiply", a, b);
    case 4:
      if (a.exact && b.exact) return select(compare(a, b), a, b);
      return op("add", a, b);
    case 5:
      return op("add", a, b);
    case 6: {
      // a / (1 + |b|)
      const Value over = op("add", op("abs", b), filled(b.dtype, 1, b.dims));
      Value inverse = function(over, 1, 1);
      Value like = product(a, inverse);
      like.exact = false;
      return add("divide", "divide(" + a.name + ", " + over.name + ")", a.dtype, a.dims, like);
    }
    default: {
      Value like = sum(a, b);
      like.exact = false;
      const Value scaled = op("multiply", a, filled(a.dtype, 0.3, a.dims));
      like.magnitude = 0.3 * a.magnitude + b.magnitude;
      return add("add", "add(" + scaled.name + ", " + b.name + ")", a.dtype, a.dims, like);
    }
  }
}

Value Scribe::integer_unary(const Value& a) {
  const auto constant = [&](int64_t number) { return filled(a.dtype, static_cast<double>(number), a.dims); };
  const bool is_unsigned = a.dtype == DType::kU32;
  switch (random.below(8)) {
    case 0:
      return op("not", a);
    case 1:
      return op(is_unsigned ? "not" : "negate", a);
    case 2:
      return op("add", a, constant(random.between(1, 100)));
    case 3:
      return op("multiply", a, constant(random.between(2, 9)));
    case 4:
      return op("shift-left", a, constant(random.between(0, 33)));
    case 5:
      return op("shift-right-logical", a, constant(random.between(0, 33)));
    case 6:
      return op("xor", a, constant(random.between(1, 1 << 20)));
    default:
      return op(is_unsigned ? "popcnt" : "abs", a);
  }
}

Value Scribe::integer_binary(const Value& a, const Value& b) {
  static const std::vector<std::string> kOpcodes = {"add",     "subtract", "multiply",   "xor",       "and",   "or",
                                                    "maximum", "minimum",  "shift-left", "remainder", "divide"};
  if (random.chance(15)) return select(compare(a, b), a, b);
  if (random.chance(20)) {
    // Rotation, as random bits are mixed.
    const int64_t bits = random.between(1, 31);
    const Value left = op("shift-left", a, filled(a.dtype, static_cast<double>(bits), a.dims));
    const Value right = op("shift-right-logical", a, filled(a.dtype, static_cast<double>(32 - bits), a.dims));
    return op("xor", op("or", left, right), b);
  }
  return op(random.pick(kOpcodes), a, b);
}

}  // namespace sinter
