// Constants without a type: computed as 64-bit integers and f64, given a type where they meet a value.
#include <cmath>
#include <limits>

#include "frontend/grain/compiler.h"
#include "ir/values/literal.h"

namespace sinter::grain {
namespace {

Number truth(bool value) { return Number::of_pred(value); }

std::optional<int64_t> checked(const std::string& sign, int64_t a, int64_t b) {
  int64_t result = 0;
  if (sign == "+" && !__builtin_add_overflow(a, b, &result)) return result;
  if (sign == "-" && !__builtin_sub_overflow(a, b, &result)) return result;
  if (sign == "*" && !__builtin_mul_overflow(a, b, &result)) return result;
  return std::nullopt;
}

}  // namespace

Number Compiler::fold_unary(const Expr& expr, const Number& a) {
  if (expr.text == "not") return truth(a.integer == 0);
  if (!a.is_integer) return Number::of_real(-a.real);
  return Number::of(expr.text == "~" ? ~a.integer : -a.integer);
}

Number Compiler::fold_binary(const Expr& expr, const Number& a, const Number& b) {
  const std::string& sign = expr.text;
  if (sign == "==") return truth(a.real == b.real);
  if (sign == "!=") return truth(a.real != b.real);
  if (sign == "<") return truth(a.real < b.real);
  if (sign == "<=") return truth(a.real <= b.real);
  if (sign == ">") return truth(a.real > b.real);
  if (sign == ">=") return truth(a.real >= b.real);
  if (sign == "and") return truth(a.integer != 0 && b.integer != 0);
  if (sign == "or") return truth(a.integer != 0 || b.integer != 0);
  if (!a.is_integer || !b.is_integer) {
    if (sign == "+") return Number::of_real(a.real + b.real);
    if (sign == "-") return Number::of_real(a.real - b.real);
    if (sign == "*") return Number::of_real(a.real * b.real);
    if (sign == "/") return Number::of_real(a.real / b.real);
    if (sign == "%") return Number::of_real(std::fmod(a.real, b.real));
    if (sign == "**") return Number::of_real(std::pow(a.real, b.real));
    fail(expr.loc, "E0753", "'" + sign + "' combines bits of integers", "these are fractions");
  }
  const int64_t x = a.integer, y = b.integer;
  if (sign == "+" || sign == "-" || sign == "*") {
    const std::optional<int64_t> result = checked(sign, x, y);
    if (!result) fail(expr.loc, "E0752", quote(expr) + " is beyond 64 bits");
    return Number::of(*result);
  }
  if (sign == "/" || sign == "%") {
    if (y == 0) fail(expr.loc, "E0645", quote(expr) + " divides by 0");
    if (sign == "%") return Number::of(y == -1 ? 0 : x % y);
    if (y == -1 ? x == INT64_MIN : x % y != 0) {
      std::string values;
      for (const ExprPtr& child : expr.children) {
        const Expr& name = plain(*child);
        if (name.kind == Expr::Kind::kName) {
          values += (values.empty() ? ": " : ", ") + name.text + " is " + std::to_string(name.number->integer);
        }
      }
      const std::string left = quote(*expr.children[0]), right = quote(*expr.children[1]);
      std::string hint = left + ".0 / " + right + " is a fraction, div(" + left + ", " + right + ") is " +
                         std::to_string(Formula::opaque("div", Formula(x), Formula(y)).number().value_or(0));
      if (plain(*expr.children[0]).kind != Expr::Kind::kNumber) {
        hint = "div(" + left + ", " + right + ") rounds down; " + "1.0 * " + left + " / " + right + " is a fraction";
      }
      fail(expr.loc, "E0645", quote(expr) + " is not whole" + values, hint);
    }
    return Number::of(x / y);
  }
  if (sign == "**") {
    if (y < 0) return Number::of_real(std::pow(a.real, b.real));
    int64_t result = 1;
    for (int64_t i = 0; i < y; ++i) {
      if (__builtin_mul_overflow(result, x, &result)) fail(expr.loc, "E0752", quote(expr) + " is beyond 64 bits");
      if (i > 64 && (x == 0 || x == 1)) break;
      if (x == -1 && i > 64) return Number::of(y % 2 == 0 ? 1 : -1);
    }
    return Number::of(result);
  }
  if (sign == "<<" || sign == ">>") {
    if (y < 0 || y > 62) fail(expr.loc, "E0752", "a constant is shifted by 0 to 62");
    if (sign == ">>") return Number::of(x >> y);
    const std::optional<int64_t> result = checked("*", x, int64_t{1} << y);
    if (!result) fail(expr.loc, "E0752", quote(expr) + " is beyond 64 bits");
    return Number::of(*result);
  }
  if (sign == "&") return Number::of(x & y);
  if (sign == "|") return Number::of(x | y);
  return Number::of(x ^ y);
}

// Functions whose value does not depend on a library's last bits; nullopt for the others.
std::optional<Number> Compiler::fold_call(const Expr& expr, const std::vector<Number>& arguments) {
  const std::string& name = expr.text;
  const Number& a = arguments[0];
  if (arguments.size() == 1) {
    if (name == "sqrt") return Number::of_real(std::sqrt(a.real));
    if (name == "abs") return a.is_integer ? Number::of(std::abs(a.integer)) : Number::of_real(std::fabs(a.real));
    if (name == "floor") return a.is_integer ? a : Number::of_real(std::floor(a.real));
    if (name == "ceil") return a.is_integer ? a : Number::of_real(std::ceil(a.real));
    return std::nullopt;
  }
  const Number& b = arguments[1];
  const bool integers = a.is_integer && b.is_integer;
  if (name == "min" || name == "max") {
    const bool first = name == "min" ? a.real <= b.real : a.real >= b.real;
    if (integers) return first ? a : b;
    return Number::of_real(first ? a.real : b.real);
  }
  if (integers && (name == "div" || name == "mod" || name == "ceil_div")) {
    const std::optional<int64_t> result = Formula::opaque(name, Formula(a.integer), Formula(b.integer)).number();
    if (!result) fail(expr.loc, "E0645", name + " of a constant divides by a positive number");
    return Number::of(*result);
  }
  return std::nullopt;
}

void Compiler::check_fits(const Expr& expr, const Number& number, const Element& element, const std::string& whose) {
  const std::string of = whose.empty() ? "" : ", the type of " + whose;
  const std::string shown = number.is_integer ? std::to_string(number.integer) : quote(expr);
  if (element.is_record() || element.kind == Element::Kind::kKey || element.is_pred()) {
    fail({expr.begin}, "E0752", quote(expr) + " is a number and does not fit " + text(element) + of,
         element.is_pred() ? "true or false" : "");
  }
  if (!element.is_integer()) return;
  if (!number.is_integer) {
    std::string hint = "write the conversion: f32(...) of the other, or a whole number";
    if (!whose.empty()) hint = "for a fraction: " + quote(expr) + " * f32(" + whose + ")";
    fail({expr.begin}, "E0752", quote(expr) + " does not fit " + text(element) + of, hint);
  }
  const int bits = dtype_bits(element.dtype);
  const bool is_signed = is_signed_integer(element.dtype);
  const int64_t low = !is_signed ? 0 : bits == 64 ? INT64_MIN : -(int64_t{1} << (bits - 1));
  const int64_t high = bits == 64 ? INT64_MAX : (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  if (number.integer >= low && number.integer <= high) return;
  fail({expr.begin}, "E0752",
       shown + " does not fit " + text(element) + of + ": " + std::to_string(low) + " to " + std::to_string(high),
       "convert to a wider type first: s64(...)");
}

void Compiler::settle(Expr& expr, const Element& element, const std::string& whose) {
  if (!expr.type.element.is_open() || element.is_open() || element.kind == Element::Kind::kUnknown) return;
  if (expr.number) {
    check_fits(expr, *expr.number, element, whose);
  } else {
    switch (expr.kind) {
      case Expr::Kind::kIf:
        settle(*expr.children[1], element, whose);
        settle(*expr.children[2], element, whose);
        break;
      case Expr::Kind::kCall:
        for (Argument& argument : expr.arguments) settle(*argument.value, element, whose);
        break;
      default:
        for (const ExprPtr& child : expr.children) settle(*child, element, whose);
        break;
    }
  }
  expr.type.element = element;
}

}  // namespace sinter::grain
