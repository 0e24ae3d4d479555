// The library's functions of elements, which are done for each element of arrays and each field of records.
#include <algorithm>
#include <limits>

#include "frontend/grain/compiler.h"

namespace sinter::grain {
namespace {

// One operand, floats (and what else the op takes).
const std::map<std::string, Opcode>& float_functions() {
  static const std::map<std::string, Opcode> kFunctions = {{"floor", Opcode::kFloor},
                                                           {"ceil", Opcode::kCeil},
                                                           {"round", Opcode::kRoundNearestEven},
                                                           {"round_away", Opcode::kRoundNearestAfz},
                                                           {"sqrt", Opcode::kSqrt},
                                                           {"rsqrt", Opcode::kRsqrt},
                                                           {"cbrt", Opcode::kCbrt},
                                                           {"exp", Opcode::kExponential},
                                                           {"expm1", Opcode::kExponentialMinusOne},
                                                           {"log", Opcode::kLog},
                                                           {"log1p", Opcode::kLogPlusOne},
                                                           {"sin", Opcode::kSine},
                                                           {"cos", Opcode::kCosine},
                                                           {"tan", Opcode::kTan},
                                                           {"asin", Opcode::kAsin},
                                                           {"acos", Opcode::kAcos},
                                                           {"sinh", Opcode::kSinh},
                                                           {"cosh", Opcode::kCosh},
                                                           {"tanh", Opcode::kTanh},
                                                           {"asinh", Opcode::kAsinh},
                                                           {"acosh", Opcode::kAcosh},
                                                           {"atanh", Opcode::kAtanh},
                                                           {"erf", Opcode::kErf},
                                                           {"sigmoid", Opcode::kLogistic},
                                                           {"is_finite", Opcode::kIsFinite}};
  return kFunctions;
}

// Names of the parameters, by the function.
const std::map<std::string, std::vector<std::string>>& elementwise_parameters() {
  static const std::map<std::string, std::vector<std::string>> kParameters = [] {
    std::map<std::string, std::vector<std::string>> all = {{"abs", {"x"}},
                                                           {"sign", {"x"}},
                                                           {"is_nan", {"x"}},
                                                           {"atan", {"x"}},
                                                           {"erf_inv", {"x"}},
                                                           {"atan2", {"y", "x"}},
                                                           {"min", {"a", "b"}},
                                                           {"max", {"a", "b"}},
                                                           {"clamp", {"x", "low", "high"}},
                                                           {"mod", {"a", "b"}},
                                                           {"div", {"a", "b"}},
                                                           {"ceil_div", {"a", "b"}},
                                                           {"popcount", {"x"}},
                                                           {"clz", {"x"}},
                                                           {"mulhi", {"a", "b"}},
                                                           {"complex", {"real", "imag"}},
                                                           {"real", {"z"}},
                                                           {"imag", {"z"}},
                                                           {"conj", {"z"}}};
    for (const auto& [name, opcode] : float_functions()) all[name] = {"x"};
    return all;
  }();
  return kParameters;
}

constexpr const char* kArrayFunctions[] = {"cumsum",  "cumprod", "cummax", "cummin",    "scan",     "sort",
                                           "argsort", "top_k",   "concat", "reverse",   "reshape",  "diagonal",
                                           "fft",     "ifft",    "rfft",   "irfft",     "cholesky", "solve_triangular",
                                           "eigh",    "qr",      "svd",    "split",     "fold_in",  "bits",
                                           "uniform", "normal",  "gumbel", "bernoulli", "randint",  "permutation"};

}  // namespace

bool Compiler::is_library(const std::string& name) const {
  return elementwise_parameters().count(name) != 0 ||
         std::find(std::begin(kArrayFunctions), std::end(kArrayFunctions), name) != std::end(kArrayFunctions);
}

std::vector<Type> Compiler::check_library(Expr& expr) {
  if (elementwise_parameters().count(expr.text) != 0) return check_elementwise(expr);
  return check_array_function(expr);
}

std::vector<Value> Compiler::lower_library(Expr& expr) {
  if (elementwise_parameters().count(expr.text) != 0) return {lower_elementwise(expr)};
  return lower_array_function(expr);
}

std::vector<Type> Compiler::check_elementwise(Expr& expr) {
  const std::string& name = expr.text;
  const std::vector<std::string>& parameters = elementwise_parameters().at(name);
  place_arguments(expr, name, parameters, parameters.size());
  std::vector<const Expr*> operands;
  std::vector<Number> constants;
  for (ExprPtr* argument : expr.placed) {
    check(**argument);
    add_indices(expr, **argument);
    operands.push_back(argument->get());
    if ((*argument)->number && (*argument)->type.element.is_open()) constants.push_back(*(*argument)->number);
  }
  if (constants.size() == operands.size()) {
    expr.number = fold_call(expr, constants);
    if (!expr.number) {
      std::string repaired = name + "(f32(" + quote(*operands[0]) + ")";
      for (size_t i = 1; i < operands.size(); ++i) repaired += ", " + quote(*operands[i]);
      fail(expr.loc, "E0754",
           name + " of a constant needs a type" + (name == "complex" ? "" : ": libraries differ in its last bits"),
           repaired + "), inside the entry or a function");
    }
    return {Type{Element::open(!expr.number->is_integer), {}}};
  }
  for (size_t i = 1; i < expr.placed.size(); ++i) {
    // All meet: the first that has a type gives it.
    for (size_t j = 0; j < i; ++j) agree(expr, **expr.placed[j], **expr.placed[i], name);
  }
  for (size_t i = 1; i < expr.placed.size(); ++i) agree(expr, **expr.placed[0], **expr.placed[i], name);
  const Element& element = operands[0]->type.element;
  const std::vector<Formula> dims = lifted_dims(expr, operands);
  const auto refuse = [&](const std::string& what) {
    std::string hint = element.is_integer() ? name + "(f32(" + quote(*operands[0]) + "))" : "";
    fail({operands[0]->begin}, "E0753",
         name + " takes " + what + ", " + quote(*operands[0]) + " is " + text(operands[0]->type), hint);
  };
  if (element.is_open() &&
      (name == "is_finite" || name == "is_nan" || name == "real" || name == "imag" || name == "complex")) {
    fail({operands[0]->begin}, "E0754", "nothing says of which type " + quote(*operands[0]) + " is",
         "f32(" + quote(*operands[0]) + ")");
  }
  if (element.is_open()) {
    // Not constant, without a type: it will get one.
    return {Type{element, dims}};
  }
  const bool is_number = is_throughout(element, &Element::is_number);
  const bool has_complex = !is_throughout(element, std::not_fn(&Element::is_complex));
  if (name == "is_finite" || name == "is_nan") {
    if (!element.is_float()) refuse("floats");
    return {Type{Element::of(DType::kPred), dims}};
  }
  if (name == "real" || name == "imag") {
    if (!element.is_complex()) refuse("complex numbers");
    return {Type{Element::of(element.dtype == DType::kC64 ? DType::kF32 : DType::kF64), dims}};
  }
  if (name == "complex") {
    if (!element.is(DType::kF32) && !element.is(DType::kF64)) refuse("f32 or f64");
    return {Type{Element::of(element.dtype == DType::kF32 ? DType::kC64 : DType::kC128), dims}};
  }
  if (name == "conj" && !element.is_complex()) refuse("complex numbers");
  if (name == "popcount" || name == "clz" || name == "mulhi" || name == "ceil_div") {
    if (!element.is_integer()) refuse("integers");
  } else if (name == "abs" && element.is_complex()) {
    return {Type{Element::of(element.dtype == DType::kC64 ? DType::kF32 : DType::kF64), dims}};
  } else if (name == "min" || name == "max" || name == "abs" || name == "sign" || name == "clamp" || name == "mod" ||
             name == "div") {
    if (!is_number || (has_complex && name != "sign")) refuse("numbers");
  } else if (name != "conj" && !is_throughout(element, &Element::has_fractions)) {
    refuse("floats");
  }
  return {Type{element, dims}};
}

Value Compiler::lower_elementwise(Expr& expr) {
  const std::string& name = expr.text;
  std::vector<Value> operands;
  for (ExprPtr* argument : expr.placed) operands.push_back(lower(**argument));
  const auto apply = [&](const std::vector<Part>& parts) -> Part {
    const Part& a = parts[0];
    const DType dtype = a.value->shape.dtype;
    const auto number = [&](double value) { return one(dtype, value); };
    const auto select = [&](const Part& c, const Part& x, const Part& y) {
      return elementwise(Opcode::kSelect, {c, x, y});
    };
    if (const auto simple = float_functions().find(name); simple != float_functions().end())
      return elementwise(simple->second, parts);
    if (name == "abs") {
      Part result = elementwise(Opcode::kAbs, parts);
      if (a.interval)
        result.interval = Interval{std::max<int64_t>({0, a.interval->low, -a.interval->high}),
                                   std::max(std::abs(a.interval->low), std::abs(a.interval->high))};
      return result;
    }
    if (name == "sign") return elementwise(Opcode::kSign, parts);
    if (name == "min" || name == "max") return arithmetic(name, a, parts[1]);
    if (name == "is_nan") return arithmetic("!=", a, a);
    if (name == "atan2") return elementwise(Opcode::kAtan2, parts);
    if (name == "atan") return elementwise(Opcode::kAtan2, {a, number(1)});
    if (name == "popcount") return elementwise(Opcode::kPopcnt, parts);
    if (name == "clz") return elementwise(Opcode::kCountLeadingZeros, parts);
    if (name == "mulhi") return elementwise(Opcode::kMulhi, parts);
    if (name == "complex") return elementwise(Opcode::kComplex, parts);
    if (name == "real") return elementwise(Opcode::kReal, parts);
    if (name == "imag") return elementwise(Opcode::kImag, parts);
    if (name == "conj")
      return elementwise(Opcode::kComplex, {elementwise(Opcode::kReal, {a}),
                                            elementwise(Opcode::kNegate, {elementwise(Opcode::kImag, {a})})});
    if (name == "clamp") {
      Part result = elementwise(Opcode::kClamp, {parts[1], a, parts[2]});
      if (parts[1].interval && parts[2].interval && parts[1].interval->low <= parts[2].interval->high) {
        result.interval = Interval{parts[1].interval->low, parts[2].interval->high};
        if (a.interval) {
          result.interval->low = std::clamp(a.interval->low, result.interval->low, result.interval->high);
          result.interval->high = std::clamp(a.interval->high, result.interval->low, result.interval->high);
        }
      }
      return result;
    }
    if (name == "erf_inv") return erf_inv(a);
    // div, mod, ceil_div: towards minus infinity; of positive numbers that is HLO's.
    const Part& b = parts[1];
    const bool positive = a.interval && b.interval && a.interval->low >= 0 && b.interval->low > 0;
    const bool is_unsigned = !is_float(dtype) && !is_signed_integer(dtype);
    if (name == "div") {
      if (is_float(dtype)) return elementwise(Opcode::kFloor, {arithmetic("/", a, b)});
      Part quotient = arithmetic("/", a, b);
      if (positive || is_unsigned) return quotient;
      const Part rest = arithmetic("%", a, b);
      const Part is_negative = arithmetic("<", rest, number(0));
      const Part differs = arithmetic("!=", is_negative, arithmetic("<", b, number(0)));
      const Part down = arithmetic("and", differs, arithmetic("!=", rest, number(0)));
      Part result = select(down, arithmetic("-", quotient, number(1)), quotient);
      if (a.interval && b.interval && b.interval->low > 0) {
        const auto floor_div = [](int64_t x, int64_t y) { return x / y - (x % y < 0 ? 1 : 0); };
        const auto [low, high] =
            std::minmax({floor_div(a.interval->low, b.interval->low), floor_div(a.interval->low, b.interval->high),
                         floor_div(a.interval->high, b.interval->low), floor_div(a.interval->high, b.interval->high)});
        result.interval = Interval{low, high};
      }
      return result;
    }
    if (name == "mod") {
      Part rest = arithmetic("%", a, b);
      if (positive || is_unsigned) return rest;
      const Part is_negative = arithmetic("<", rest, number(0));
      const Part differs = arithmetic("!=", is_negative, arithmetic("<", b, number(0)));
      const Part turns = arithmetic("and", differs, arithmetic("!=", rest, number(0)));
      Part result = select(turns, arithmetic("+", rest, b), rest);
      if (b.interval && b.interval->low > 0) result.interval = Interval{0, b.interval->high - 1};
      return result;
    }
    // ceil_div
    const Part quotient = arithmetic("/", a, b);
    const Part rest = arithmetic("%", a, b);
    const auto signs_agree = [&] {
      const Part is_negative = arithmetic("<", rest, number(0));
      return arithmetic("==", is_negative, arithmetic("<", b, number(0)));
    };
    const Part same_sign = is_unsigned ? arithmetic("==", rest, rest) : signs_agree();
    const Part up = arithmetic("and", same_sign, arithmetic("!=", rest, number(0)));
    return select(up, arithmetic("+", quotient, number(1)), quotient);
  };
  return by_leaf(expr.type, operands, apply);
}

// The inverse of erf by Giles's polynomials, as XLA has them for f32.
Part Compiler::erf_inv(const Part& x) {
  const DType dtype = x.value->shape.dtype;
  const auto number = [&](double value) { return one(dtype, value); };
  constexpr double kNear[] = {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                              -0.00125372503, -0.00417768164, 0.246640727,    1.50140941};
  constexpr double kFar[] = {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                             -0.0076224613,   0.00943887047,  1.00167406,    2.83297682};
  Part w = elementwise(
      Opcode::kNegate,
      {elementwise(Opcode::kLogPlusOne, {elementwise(Opcode::kMultiply, {elementwise(Opcode::kNegate, {x}), x})})});
  const Part is_near = arithmetic("<", w, number(5));
  const Part near = arithmetic("-", w, number(2.5));
  const Part root = elementwise(Opcode::kSqrt, {w});
  w = elementwise(Opcode::kSelect, {is_near, near, arithmetic("-", root, number(3))});
  const auto coefficient = [&](size_t i) {
    return elementwise(Opcode::kSelect, {is_near, number(kNear[i]), number(kFar[i])});
  };
  Part p = coefficient(0);
  for (size_t i = 1; i < 9; ++i) {
    const Part term = coefficient(i);
    p = arithmetic("+", term, arithmetic("*", p, w));
  }
  const Part size = elementwise(Opcode::kAbs, {x});
  const Part edge = arithmetic("==", size, number(1));
  return elementwise(Opcode::kSelect, {edge, arithmetic("*", x, number(std::numeric_limits<double>::infinity())),
                                       arithmetic("*", p, x)});
}

}  // namespace sinter::grain
