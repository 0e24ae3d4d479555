#include "frontend/grain/text/dims.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace sinter::grain {

struct Formula::Opaque {
  std::string operation;
  Formula a, b;
};

namespace {

__int128 gcd(__int128 a, __int128 b) {
  if (a < 0) a = -a;
  while (b != 0) {
    const __int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// A product of sums with more terms than this is a term of its own.
constexpr size_t kMostTerms = 100;
// A term of its own with so long a text is not multiplied out either, so that texts add up and do not multiply.
constexpr size_t kLongAtom = 500;

// Beyond this a formula has no number; products of two of them fit 128 bits.
constexpr __int128 kLargest = INT64_MAX;

std::optional<int64_t> compute(const std::string& operation, int64_t a, int64_t b) {
  if (operation == "min") return std::min(a, b);
  if (operation == "max") return std::max(a, b);
  if (operation == "*") {
    int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
    return product;
  }
  if (b <= 0) return std::nullopt;
  const int64_t down = a / b - (a % b < 0 ? 1 : 0);
  if (operation == "div") return down;
  if (operation == "ceil_div") return down + (a % b != 0 ? 1 : 0);
  return a - down * b;  // mod, %
}

std::string factor_text(const Formula& formula) {
  return formula.is_sum() ? "(" + formula.text() + ")" : formula.text();
}

}  // namespace

Formula::Fraction Formula::make(__int128 above, __int128 below) {
  if (below < 0) {
    above = -above;
    below = -below;
  }
  const __int128 common = gcd(above, below);
  if (common > 1) {
    above /= common;
    below /= common;
  }
  above = std::clamp(above, -kLargest, kLargest);
  below = std::clamp(below, __int128{1}, kLargest);
  return {static_cast<int64_t>(above), static_cast<int64_t>(below)};
}

void Formula::add(const Product& product, const Fraction& factor) {
  Fraction& sum = terms_[product];
  sum = make(static_cast<__int128>(sum.above) * factor.below + static_cast<__int128>(factor.above) * sum.below,
             static_cast<__int128>(sum.below) * factor.below);
  if (sum.above == 0) terms_.erase(product);
}

Formula::Formula(int64_t number) {
  if (number != 0) terms_[{}] = {number, 1};
}

Formula Formula::name(const std::string& name) {
  Formula result;
  result.terms_[{{Atom{name}, 1}}] = {1, 1};
  return result;
}

Formula Formula::opaque(const std::string& operation, const Formula& a, const Formula& b) {
  if (a.number() && b.number()) {
    if (const std::optional<int64_t> known = compute(operation, *a.number(), *b.number())) return Formula(*known);
  }
  if (a == b && (operation == "min" || operation == "max")) return a;
  Formula result;
  const std::string text = operation == "%" || operation == "*"
                               ? factor_text(a) + " " + operation + " " + factor_text(b)
                               : operation + "(" + a.text() + ", " + b.text() + ")";
  result.terms_[{{Atom{text, std::make_shared<const Opaque>(Opaque{operation, a, b})}, 1}}] = {1, 1};
  return result;
}

Formula operator+(const Formula& a, const Formula& b) {
  Formula result = a;
  for (const auto& [product, factor] : b.terms_) result.add(product, factor);
  return result;
}

Formula operator-(const Formula& a, const Formula& b) { return a + Formula(-1) * b; }

Formula operator*(const Formula& a, const Formula& b) {
  const auto is_long = [](const Formula& formula) {
    for (const auto& [product, factor] : formula.terms_) {
      for (const auto& [atom, exponent] : product) {
        if (atom.text.size() > kLongAtom) return true;
      }
    }
    return false;
  };
  const size_t terms = a.terms_.size() * b.terms_.size();
  if (terms > kMostTerms && a.terms_.size() > 1 && b.terms_.size() > 1) return Formula::opaque("*", a, b);
  if (terms > 1 && (is_long(a) || is_long(b))) return Formula::opaque("*", a, b);
  Formula result;
  for (const auto& [p, f] : a.terms_) {
    for (const auto& [q, g] : b.terms_) {
      Formula::Product product = p;
      for (const auto& [atom, exponent] : q) {
        if ((product[atom] += exponent) == 0) product.erase(atom);
      }
      result.add(product,
                 Formula::make(static_cast<__int128>(f.above) * g.above, static_cast<__int128>(f.below) * g.below));
    }
  }
  return result;
}

Formula operator/(const Formula& a, const Formula& b) {
  if (b.terms_.size() == 1) {
    const auto& [product, factor] = *b.terms_.begin();
    Formula inverse;
    Formula::Product turned = product;
    for (auto& [atom, exponent] : turned) exponent = -exponent;
    inverse.terms_[turned] = Formula::make(factor.below, factor.above);
    return a * inverse;
  }
  if (a == b) return Formula(1);
  // A sum below stays together: its inverse is a term of its own.
  Formula inverse;
  inverse.terms_[{{Formula::Atom{"(" + b.text() + ")",
                                 std::make_shared<const Formula::Opaque>(Formula::Opaque{"sum", b, Formula()})},
                   -1}}] = {1, 1};
  return a * inverse;
}

std::optional<int64_t> Formula::number() const {
  if (terms_.empty()) return 0;
  const auto& [product, factor] = *terms_.begin();
  if (terms_.size() > 1 || !product.empty() || factor.below != 1) return std::nullopt;
  return factor.above;
}

std::optional<std::string> Formula::lone_name() const {
  if (terms_.size() != 1) return std::nullopt;
  const auto& [product, factor] = *terms_.begin();
  if (product.size() != 1 || factor != Fraction{1, 1}) return std::nullopt;
  const auto& [atom, exponent] = *product.begin();
  if (exponent != 1 || atom.opaque) return std::nullopt;
  return atom.text;
}

std::optional<int64_t> Formula::value(const DimValues& values) const {
  Fraction sum;
  for (const auto& [product, factor] : terms_) {
    __int128 above = factor.above, below = factor.below;
    for (const auto& [atom, exponent] : product) {
      std::optional<int64_t> number;
      if (atom.opaque) {
        const std::optional<int64_t> a = atom.opaque->a.value(values), b = atom.opaque->b.value(values);
        if (a && atom.opaque->operation == "sum") number = a;
        if (a && b && atom.opaque->operation != "sum") number = compute(atom.opaque->operation, *a, *b);
      } else if (const auto found = values.find(atom.text); found != values.end()) {
        number = found->second;
      }
      if (!number) return std::nullopt;
      for (int i = 0; i < std::abs(exponent); ++i) {
        (exponent > 0 ? above : below) *= *number;
        if (below == 0 || above > kLargest || above < -kLargest || below > kLargest) return std::nullopt;
      }
    }
    const Fraction term = make(above, below);
    sum = make(static_cast<__int128>(sum.above) * term.below + static_cast<__int128>(term.above) * sum.below,
               static_cast<__int128>(sum.below) * term.below);
  }
  if (sum.below != 1 || sum.above == kLargest) return std::nullopt;
  return sum.above;
}

Formula Formula::with(const std::map<std::string, Formula>& formulas) const {
  Formula result;
  for (const auto& [product, factor] : terms_) {
    Formula term;
    term.terms_[{}] = factor;
    for (const auto& [atom, exponent] : product) {
      Formula base;
      if (atom.opaque) {
        const Formula a = atom.opaque->a.with(formulas), b = atom.opaque->b.with(formulas);
        base = atom.opaque->operation == "sum" ? a : opaque(atom.opaque->operation, a, b);
      } else {
        const auto found = formulas.find(atom.text);
        base = found == formulas.end() ? name(atom.text) : found->second;
      }
      for (int i = 0; i < std::abs(exponent); ++i) term = exponent > 0 ? term * base : term / base;
    }
    result = result + term;
  }
  return result;
}

std::vector<std::string> Formula::names() const {
  std::set<std::string> names;
  for (const auto& [product, factor] : terms_) {
    for (const auto& [atom, exponent] : product) {
      if (!atom.opaque) {
        names.insert(atom.text);
        continue;
      }
      for (const std::string& name : atom.opaque->a.names()) names.insert(name);
      for (const std::string& name : atom.opaque->b.names()) names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

std::string Formula::text() const {
  if (terms_.empty()) return "0";
  // Terms with names first, the number last; positive ones before negative ones.
  std::vector<std::pair<Product, Fraction>> ordered(terms_.begin(), terms_.end());
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
    if (a.first.empty() != b.first.empty()) return b.first.empty();
    return a.second.above > 0 && b.second.above < 0;
  });
  std::string out;
  for (const auto& [product, factor] : ordered) {
    const bool negative = factor.above < 0;
    if (!out.empty()) out += negative ? " - " : " + ";
    if (out.empty() && negative) out += "-";
    std::string above, below;
    const int64_t size = negative ? -factor.above : factor.above;
    if (size != 1) above = std::to_string(size);
    if (factor.below != 1) below = std::to_string(factor.below);
    for (const auto& [atom, exponent] : product) {
      for (int i = 0; i < std::abs(exponent); ++i) {
        std::string& side = exponent > 0 ? above : below;
        side +=
            (side.empty() ? "" : " * ") +
            (atom.text.find(' ') != std::string::npos && atom.text.back() != ')' ? "(" + atom.text + ")" : atom.text);
      }
    }
    if (above.empty()) above = "1";
    if (below.find('*') != std::string::npos) below = "(" + below + ")";
    out += below.empty() ? above : above + " / " + below;
  }
  return out;
}

}  // namespace sinter::grain
