#include "tests/types/generate.h"

#include <cmath>
#include <limits>

#include "ir/values/dtype.h"

namespace sinter {
namespace {

constexpr DType kTypes[] = {
#define DTYPE(enumerator, name, dtype_class, bits, cuda) DType::enumerator,
#include "ir/values/dtype.def"
#undef DTYPE
};

std::string name_of(DType dtype) { return std::string(dtype_name(dtype)); }

// ---- values ----

// Every value of a type of at most 8 bits, else edges of the type and a few values between.
std::vector<Literal> values(DType dtype) {
  std::vector<Literal> result;
  const auto add = [&](auto set) {
    Literal literal(Shape::scalar(dtype));
    set(literal);
    result.push_back(literal);
  };
  const auto integer = [&](int64_t value) { add([&](Literal& literal) { literal.set_integer(0, value); }); };
  const auto real = [&](double value) { add([&](Literal& literal) { literal.set_real(0, value); }); };
  const int bits = dtype_bits(dtype);
  if (dtype == DType::kPred || is_integer(dtype)) {
    if (bits <= 4 || dtype == DType::kPred) {
      for (int64_t value = 0; value < (dtype == DType::kPred ? 2 : int64_t{1} << bits); ++value) integer(value);
      return result;
    }
    const int64_t top = int64_t{1} << (bits - 1);
    for (const int64_t value : {0, 1, -1, 2, -2, 3, 5, 7, -7, 8, 15, 16, 31, 32, 63, 64, 100, -100}) integer(value);
    for (const int64_t value : {top, top - 1, top + 1, top / 2}) integer(value);
    return result;
  }
  if (bits <= 6) {
    for (uint64_t pattern = 0; pattern < uint64_t{1} << bits; ++pattern) real(float_from_bits(dtype, pattern));
    return result;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {0.0,  -0.0, 1.0,  -1.0, 0.5,   -0.5,  1.5, 2.0,   -2.5,     3.0,       0.3,
                             -0.7, 1e-3, 7.25, -9.5, 100.0, 300.0, 6e4, -1e-6, infinity, -infinity, std::nan("")}) {
    real(value);
  }
  if (bits >= 32) {
    for (const double value : {1e-40, 3e38, 1e10, -2147483648.0, 2147483648.0, 1e19}) real(value);
  }
  return result;
}

// Numbers in the interior of the type, for sums.
std::vector<Literal> plain_values(DType dtype) {
  std::vector<Literal> result;
  for (const Literal& value : values(dtype)) {
    const bool plain = !is_float(dtype) || (std::abs(value.real_at(0)) <= 10 && std::abs(value.real_at(0)) > 0.2);
    if (plain) result.push_back(value);
  }
  return result;
}

void copy_element(const Literal& from, int64_t from_index, Literal& to, int64_t to_index) {
  const size_t size = from.bytes().size() / static_cast<size_t>(from.element_count());
  const std::span<const std::byte> source = from.bytes().subspan(static_cast<size_t>(from_index) * size, size);
  std::copy(source.begin(), source.end(), to.mutable_bytes().begin() + to_index * static_cast<int64_t>(size));
}

DType part_type(DType dtype) { return dtype == DType::kC64 ? DType::kF32 : DType::kF64; }

// Parts of complex numbers: what their functions take without overflow, and the special values.
Literal complex_array(const std::vector<int64_t>& dims, DType dtype, bool special, int64_t stride) {
  std::vector<double> parts = {0.5, -1.25, 2.0, -0.75, 1e-3, 3.5, -0.1};
  if (special) parts.insert(parts.end(), {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN});
  const auto count = static_cast<int64_t>(parts.size());
  Literal literal(Shape::array(dtype, dims));
  Literal part(Shape::scalar(part_type(dtype)));
  Literal flat = literal.with_shape(Shape::array(part_type(dtype), {2 * literal.element_count()}));
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    const int64_t place = i * stride % (count * count);
    flat.set_real(2 * i, parts[static_cast<size_t>(place / count)]);
    flat.set_real(2 * i + 1, parts[static_cast<size_t>(place % count)]);
  }
  return flat.with_shape(literal.shape());
}

// `from` over and over.
Literal array(const std::vector<Literal>& from, const std::vector<int64_t>& dims, int64_t divisor = 1) {
  const DType dtype = from[0].shape().dtype;
  Literal literal(Shape::array(dtype, dims));
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    copy_element(from[static_cast<size_t>(i / divisor) % from.size()], 0, literal, i);
  }
  return literal;
}

// ---- programs ----

class Scribe {
 public:
  explicit Scribe(std::string name) { program_.name = std::move(name); }

  std::string parameter(const Literal& value) {
    const std::string number = std::to_string(program_.inputs.size());
    program_.inputs.push_back(value);
    line("p" + number, value.shape(), "parameter(" + number + ")");
    return "p" + number;
  }
  // An output.
  void result(const std::string& name, const Shape& shape, const std::string& text) {
    line(name, shape, text);
    shapes_ += (shapes_.empty() ? "" : ", ") + to_string(shape, false);
    names_ += (names_.empty() ? "" : ", ") + name;
  }
  void combiner(const std::string& opcode, DType dtype) {
    const std::string type = name_of(dtype) + "[]";
    head_ += opcode + "_" + name_of(dtype) + " {\n  x = " + type + " parameter(0)\n  y = " + type +
             " parameter(1)\n  ROOT result = " + type + " " + opcode + "(x, y)\n}\n\n";
  }
  void line(const std::string& name, const Shape& shape, const std::string& text) {
    body_ += "  " + name + " = " + to_string(shape, false) + " " + text + "\n";
  }
  TypeProgram take() {
    program_.text = "HloModule " + program_.name + "\n\n" + head_ + "ENTRY main {\n" + body_ + "  ROOT results = (" +
                    shapes_ + ") tuple(" + names_ + ")\n}\n";
    return std::move(program_);
  }

 private:
  TypeProgram program_;
  std::string head_, body_, shapes_, names_;
};

bool is_number(DType dtype) { return dtype != DType::kPred; }

std::vector<std::string> unary_ops(DType dtype) {
  std::vector<std::string> ops;
  const auto add = [&](std::initializer_list<const char*> names) { ops.insert(ops.end(), names.begin(), names.end()); };
  if (is_number(dtype)) add({"negate"});
  if (is_number(dtype)) add({"sign"});
  if (is_integer(dtype)) add({"abs", "popcnt", "count-leading-zeros"});
  if (is_integer(dtype) || dtype == DType::kPred) add({"not"});
  if (is_float(dtype)) add({"abs", "ceil", "floor", "round-nearest-afz", "round-nearest-even", "erf"});
  if (is_float(dtype) || is_complex(dtype)) {
    add({"sqrt", "rsqrt", "cbrt", "exponential", "exponential-minus-one", "log", "log-plus-one", "sine", "cosine",
         "tan", "tanh", "sinh", "cosh", "asin", "acos", "asinh", "acosh", "atanh", "logistic"});
  }
  return ops;
}

std::vector<std::string> binary_ops(DType dtype) {
  std::vector<std::string> ops = {"add", "multiply"};
  const auto add = [&](std::initializer_list<const char*> names) { ops.insert(ops.end(), names.begin(), names.end()); };
  if (is_number(dtype)) add({"subtract", "divide", "power"});
  if (is_number(dtype) && !is_complex(dtype)) add({"remainder"});
  if (!is_complex(dtype)) add({"maximum", "minimum"});
  if (is_float(dtype) || is_complex(dtype)) add({"atan2"});
  if (is_integer(dtype) || dtype == DType::kPred) add({"and", "or", "xor"});
  if (is_integer(dtype)) add({"mulhi", "shift-left", "shift-right-logical", "shift-right-arithmetic"});
  return ops;
}

TypeProgram elementwise(DType dtype) {
  Scribe scribe("elementwise_" + name_of(dtype));
  const std::vector<Literal> all = is_complex(dtype) ? std::vector<Literal>() : values(dtype);
  const int64_t count = is_complex(dtype) ? 14 * 14 : static_cast<int64_t>(all.size() * all.size());
  const Shape shape = Shape::array(dtype, {count});
  const Shape pred = Shape::array(DType::kPred, {count});
  const std::string x =
      scribe.parameter(is_complex(dtype) ? complex_array({count}, dtype, true, 1) : array(all, {count}));
  const std::string y = scribe.parameter(is_complex(dtype) ? complex_array({count}, dtype, true, 15)
                                                           : array(all, {count}, static_cast<int64_t>(all.size())));
  for (const std::string& op : unary_ops(dtype)) scribe.result(op, shape, op + "(" + x + ")");
  for (const std::string& op : binary_ops(dtype)) scribe.result(op, shape, op + "(" + x + ", " + y + ")");
  for (const char* direction : {"EQ", "NE", "LT", "LE", "GT", "GE"}) {
    const std::string name(direction);
    if (is_complex(dtype) && name != "EQ" && name != "NE") continue;
    scribe.result("compare-" + name, pred, "compare(" + x + ", " + y + "), direction=" + name);
    if (is_float(dtype)) {
      scribe.result("total-order-" + name, pred,
                    "compare(" + x + ", " + y + "), direction=" + name + ", type=TOTALORDER");
    }
  }
  scribe.result("select", shape, "select(compare-EQ, " + y + ", " + x + ")");
  if (!is_complex(dtype)) scribe.result("clamp", shape, "clamp(" + x + ", " + y + ", " + x + ")");
  if (is_float(dtype)) {
    scribe.result("is-finite", pred, "is-finite(" + x + ")");
    for (const auto& [exponent, mantissa] : {std::pair(3, 2), {5, 10}, {8, 7}, {8, 23}, {11, 52}, {5, 1}}) {
      const std::string bits = std::to_string(exponent) + "_" + std::to_string(mantissa);
      scribe.result("reduce-precision-" + bits, shape,
                    "reduce-precision(" + x + "), exponent_bits=" + std::to_string(exponent) +
                        ", mantissa_bits=" + std::to_string(mantissa));
    }
    scribe.result("real", shape, "real(" + x + ")");
    scribe.result("imag", shape, "imag(" + x + ")");
  }
  if (dtype == DType::kF32 || dtype == DType::kF64) {
    const DType whole = dtype == DType::kF32 ? DType::kC64 : DType::kC128;
    scribe.result("complex", Shape::array(whole, {count}), "complex(" + x + ", " + y + ")");
  }
  if (is_complex(dtype)) {
    const Shape part = Shape::array(part_type(dtype), {count});
    scribe.result("abs", part, "abs(" + x + ")");
    scribe.result("real", part, "real(" + x + ")");
    scribe.result("imag", part, "imag(" + x + ")");
  }
  return scribe.take();
}

TypeProgram conversions(DType dtype) {
  Scribe scribe("conversions_" + name_of(dtype));
  const int64_t count = is_complex(dtype) ? 196 : static_cast<int64_t>(values(dtype).size());
  const std::string x =
      scribe.parameter(is_complex(dtype) ? complex_array({count}, dtype, true, 1) : array(values(dtype), {count}));
  for (const DType to : kTypes) {
    scribe.result("to-" + name_of(to), Shape::array(to, {count}), "convert(" + x + ")");
    if (is_complex(to) != is_complex(dtype) || dtype == DType::kPred || to == DType::kPred) continue;
    const int from_bits = dtype_bits(dtype);
    const int to_bits = dtype_bits(to);
    const std::string name = "bits-" + name_of(to);
    if (from_bits == to_bits) {
      scribe.result(name, Shape::array(to, {count}), "bitcast-convert(" + x + ")");
    } else if (from_bits > to_bits && from_bits % to_bits == 0) {
      scribe.result(name, Shape::array(to, {count, from_bits / to_bits}), "bitcast-convert(" + x + ")");
    } else if (to_bits > from_bits && to_bits % from_bits == 0) {
      const int64_t pieces = to_bits / from_bits;
      const Shape split = Shape::array(dtype, {count / pieces, pieces});
      const Shape cut = Shape::array(dtype, {count / pieces * pieces});
      if (split.element_count() == 0) continue;
      scribe.line("cut-" + name, cut, "slice(" + x + "), slice={[0:" + std::to_string(cut.dims[0]) + "]}");
      scribe.line("split-" + name, split, "reshape(cut-" + name + ")");
      scribe.result(name, Shape::array(to, {count / pieces}), "bitcast-convert(split-" + name + ")");
    }
  }
  if (is_float(dtype) && dtype_bits(dtype) >= 8) {
    const DType bits = dtype_bits(dtype) == 8    ? DType::kU8
                       : dtype_bits(dtype) == 16 ? DType::kU16
                       : dtype_bits(dtype) == 32 ? DType::kU32
                                                 : DType::kU64;
    Literal random(Shape::array(bits, {count}));
    for (int64_t i = 0; i < count; ++i)
      random.set_integer(i, static_cast<int64_t>(0x9e3779b97f4a7c15u * static_cast<uint64_t>(i + 1) >> 7));
    const std::string r = scribe.parameter(random);
    for (const DType to : kTypes) {
      if (to == DType::kPred || is_complex(to) || (is_float(to) && dtype_bits(to) > 16)) continue;
      scribe.result("stochastic-" + name_of(to), Shape::array(to, {count}), "stochastic-convert(" + x + ", " + r + ")");
    }
  }
  return scribe.take();
}

// Sums, products, extremes: along rows, along columns, of everything; written out and in loops; and dots.
TypeProgram reductions(DType dtype) {
  Scribe scribe("reductions_" + name_of(dtype));
  const std::vector<int64_t> dims = {6, 40};
  const std::string x =
      scribe.parameter(is_complex(dtype) ? complex_array(dims, dtype, false, 1) : array(plain_values(dtype), dims));
  const std::string init =
      scribe.parameter(is_complex(dtype) ? complex_array({}, dtype, false, 1) : array(plain_values(dtype), {}));
  std::vector<std::string> ops = {"add"};
  if (!is_float(dtype) && !is_complex(dtype)) ops.push_back("multiply");
  if (!is_complex(dtype)) ops.insert(ops.end(), {"maximum", "minimum"});
  if (is_integer(dtype)) ops.insert(ops.end(), {"and", "or", "xor"});
  for (const std::string& op : ops) {
    scribe.combiner(op, dtype);
    const std::string apply = ", to_apply=" + op + "_" + name_of(dtype);
    scribe.result(op + "-rows", Shape::array(dtype, {6}), "reduce(" + x + ", " + init + "), dimensions={1}" + apply);
    scribe.result(op + "-columns", Shape::array(dtype, {40}),
                  "reduce(" + x + ", " + init + "), dimensions={0}" + apply);
    scribe.result(op + "-all", Shape::scalar(dtype), "reduce(" + x + ", " + init + "), dimensions={0,1}" + apply);
  }
  scribe.result("dot", Shape::array(dtype, {6, 6}),
                "dot(" + x + ", " + x + "), lhs_contracting_dims={1}, rhs_contracting_dims={1}");
  for (const DType to : {DType::kS32, DType::kF32, DType::kBF16, DType::kF64, DType::kC64}) {
    if (to == dtype || is_integer(dtype) != is_integer(to) || dtype == DType::kPred) continue;
    if (is_complex(to) != is_complex(dtype) || dtype_bits(to) < dtype_bits(dtype)) continue;
    scribe.result("dot-" + name_of(to), Shape::array(to, {6, 6}),
                  "dot(" + x + ", " + x + "), lhs_contracting_dims={1}, rhs_contracting_dims={1}");
  }
  // Large enough for a kernel of tiles.
  const std::vector<int64_t> square = {64, 64};
  const std::string a =
      scribe.parameter(is_complex(dtype) ? complex_array(square, dtype, false, 5) : array(plain_values(dtype), square));
  scribe.result("large-dot", Shape::array(dtype, square),
                "dot(" + a + ", " + a + "), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  return scribe.take();
}

}  // namespace

std::vector<TypeProgram> type_programs() {
  std::vector<TypeProgram> programs;
  for (const DType dtype : kTypes) {
    programs.push_back(elementwise(dtype));
    programs.push_back(conversions(dtype));
    programs.push_back(reductions(dtype));
  }
  return programs;
}

}  // namespace sinter
