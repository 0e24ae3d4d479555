// Dimensions as formulas: sums of products of names, exact quotients among them (width / heads is width * heads^-1),
// and of opaque terms such as div(n, 2). Two dimensions are equal if their formulas are.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinter::grain {

// What names stand for where a function is compiled.
using DimValues = std::map<std::string, int64_t>;

class Formula {
 public:
  Formula() = default;
  Formula(int64_t number);  // NOLINT: a number is a formula
  static Formula name(const std::string& name);
  // div, ceil_div, mod, min, max of two formulas; numbers are computed.
  static Formula opaque(const std::string& operation, const Formula& a, const Formula& b);

  friend Formula operator+(const Formula& a, const Formula& b);
  friend Formula operator-(const Formula& a, const Formula& b);
  friend Formula operator*(const Formula& a, const Formula& b);
  // Exact: whether a rest is left is known where the names are.
  friend Formula operator/(const Formula& a, const Formula& b);
  bool operator==(const Formula& other) const { return terms_ == other.terms_; }
  bool operator<(const Formula& other) const { return terms_ < other.terms_; }

  std::optional<int64_t> number() const;         // where it has no name
  std::optional<std::string> lone_name() const;  // n, alone
  bool is_zero() const { return terms_.empty(); }

  // nullopt: a name has no value, a division leaves a rest, or the number is beyond 64 bits.
  std::optional<int64_t> value(const DimValues& values) const;
  // With formulas for names; others stay.
  Formula with(const std::map<std::string, Formula>& formulas) const;
  // The names that it is made of, sorted.
  std::vector<std::string> names() const;

  std::string text() const;  // "4 * width", "n - 1", "width / heads"
  // Whether it is a sum, which needs parentheses as a factor.
  bool is_sum() const { return terms_.size() > 1; }

 private:
  struct Fraction {
    int64_t above = 0, below = 1;
    bool operator==(const Fraction&) const = default;
    auto operator<=>(const Fraction&) const = default;
  };
  struct Opaque;
  // A name, or an opaque term by its text.
  struct Atom {
    std::string text;
    std::shared_ptr<const Opaque> opaque = nullptr;
    bool operator==(const Atom& other) const { return text == other.text; }
    bool operator<(const Atom& other) const { return text < other.text; }
  };
  using Product = std::map<Atom, int>;  // exponents, none of them 0

  static Fraction make(__int128 above, __int128 below);
  void add(const Product& product, const Fraction& factor);

  std::map<Product, Fraction> terms_;
};

}  // namespace sinter::grain
