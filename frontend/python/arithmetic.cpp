#include "frontend/python/arithmetic.h"

#include <cmath>
#include <cstdlib>
#include <numbers>

namespace sinter {

namespace {

class Arithmetic {
 public:
  Arithmetic(std::span<const PythonToken> tokens, const std::map<std::string, double>& names)
      : tokens_(tokens), names_(names) {}

  std::optional<double> whole() {
    const std::optional<double> value = sum();
    return at_ == tokens_.size() && value && std::isfinite(*value) ? value : std::nullopt;
  }

 private:
  bool at(std::string_view op) const { return at_ < tokens_.size() && tokens_[at_].is(op); }
  bool accept(std::string_view op) {
    if (!at(op)) return false;
    ++at_;
    return true;
  }

  std::optional<double> sum() {
    std::optional<double> left = product();
    while (left && (at("+") || at("-"))) {
      const bool adds = tokens_[at_++].is("+");
      const std::optional<double> right = product();
      if (!right) return std::nullopt;
      left = adds ? *left + *right : *left - *right;
    }
    return left;
  }

  std::optional<double> product() {
    std::optional<double> left = signed_power();
    while (left && (at("*") || at("/") || at("//"))) {
      const std::string_view op = tokens_[at_++].text;
      const std::optional<double> right = signed_power();
      if (!right || (op != "*" && *right == 0)) return std::nullopt;
      left = op == "*" ? *left * *right : op == "/" ? *left / *right : std::floor(*left / *right);
    }
    return left;
  }

  std::optional<double> signed_power() {
    int64_t signs = 0;
    while (at("-") || at("+")) signs += tokens_[at_++].is("-") ? 1 : 0;
    std::optional<double> base = primary();
    if (base && accept("**")) {
      const std::optional<double> exponent = signed_power();
      if (!exponent) return std::nullopt;
      base = std::pow(*base, *exponent);
    }
    return base && signs % 2 == 1 ? -*base : base;
  }

  std::optional<double> primary() {
    if (accept("(")) {
      // A text of nothing but brackets is not followed to its end.
      if (++depth_ > 64) return std::nullopt;
      const std::optional<double> value = sum();
      --depth_;
      return value && accept(")") ? value : std::nullopt;
    }
    if (at_ == tokens_.size()) return std::nullopt;
    const PythonToken& token = tokens_[at_++];
    if (token.kind == PythonToken::Kind::kNumber) return number(token.text);
    if (token.kind != PythonToken::Kind::kName) return std::nullopt;
    if (accept(".")) {
      const bool is_module = token.text == "np" || token.text == "numpy" || token.text == "jnp" || token.text == "math";
      if (!is_module || at_ == tokens_.size()) return std::nullopt;
      const std::string_view member = tokens_[at_++].text;
      return member == "pi"  ? std::optional<double>(std::numbers::pi)
             : member == "e" ? std::optional<double>(std::numbers::e)
                             : std::nullopt;
    }
    const auto known = names_.find(std::string(token.text));
    return known != names_.end() ? std::optional<double>(known->second) : std::nullopt;
  }

  static std::optional<double> number(std::string_view text) {
    std::string digits;
    for (const char c : text) {
      if (c != '_') digits += c;
    }
    char* end = nullptr;
    const double value = std::strtod(digits.c_str(), &end);
    return end == digits.c_str() + digits.size() ? std::optional<double>(value) : std::nullopt;
  }

  std::span<const PythonToken> tokens_;
  const std::map<std::string, double>& names_;
  size_t at_ = 0;
  int64_t depth_ = 0;
};

}  // namespace

std::optional<double> evaluate_python(std::span<const PythonToken> tokens, const std::map<std::string, double>& names) {
  return Arithmetic(tokens, names).whole();
}

}  // namespace sinter
