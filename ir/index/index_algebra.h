// Index algebra. A sum has two forms:
//
//   flat        no modulo at its top level: x % d is x - d*(x / d). Equal sums meet here by themselves:
//               4*((e / 4) % 5) + e % 4  is  4*(e/4) - 20*(e/20) + e - 4*(e/4)  is  e - 20*(e/20).
//   presented   modulo put back, digit by digit: e + e/4 - 15*(e/12)  is  5*((e / 4) % 3) + e % 4.
//               This is what an IndexExpr holds: it is what is spelled, and its ranges are tight.
//
// Every operation flattens, computes and presents. present() depends on the flat form alone and flatten() undoes
// it, so equal flat sums are equal expressions, and d*(e / d) + e % d is e whatever divide() answers.
//
// Files: index_atom.cpp atoms and their order, index_present.cpp sums in both forms, index_divide.cpp quotients,
// index_memo.h what is known of both,
// index_expr.cpp the public face, index_value.cpp values. This header is for them alone.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "ir/index/index_expr.h"
#include "ir/support/diagnostics.h"
#include "llvm/ADT/DenseMap.h"

namespace sinter {

// ---- arithmetic ----

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

// An end of a range that is saturated stays so.
inline int64_t saturating_add(int64_t a, int64_t b) {
  if (a == kLowest || a == kHighest) return a;
  if (b == kLowest || b == kHighest) return b;
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? kLowest : kHighest;
}

inline int64_t saturating_multiply(int64_t a, int64_t b) {
  int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? kHighest : kLowest;
}

inline int64_t exact_add(int64_t a, int64_t b) {
  int64_t sum = 0;
  check(!__builtin_add_overflow(a, b, &sum), "index arithmetic", "a sum does not fit 64 bits");
  return sum;
}

inline int64_t exact_multiply(int64_t a, int64_t b) {
  int64_t product = 0;
  check(!__builtin_mul_overflow(a, b, &product), "index arithmetic", "a product does not fit 64 bits");
  return product;
}

inline int64_t floor_divide(int64_t a, int64_t divisor) {
  const int64_t quotient = a / divisor;
  return a % divisor < 0 ? quotient - 1 : quotient;
}

// Unbounded ends stay unbounded.
inline IndexRange divide_range(IndexRange range, int64_t divisor) {
  return {range.low == kLowest ? kLowest : floor_divide(range.low, divisor),
          range.high == kHighest ? kHighest : floor_divide(range.high, divisor)};
}

// The width of a range, as a number to compare ranges by.
inline double width(IndexRange range) { return static_cast<double>(range.high) - static_cast<double>(range.low); }

// ---- atoms ----

using Atom = IndexExpr::Atom;
using AtomKind = IndexExpr::AtomKind;
using Term = IndexExpr::Term;

inline bool is_composite(const Atom& atom) { return atom.kind == AtomKind::kFloorDiv || atom.kind == AtomKind::kMod; }
inline bool same_atom(const Atom& a, const Atom& b) { return &a == &b || a.fingerprint == b.fingerprint; }

// The same terms of the very same atoms, whose ranges are equal, too.
inline bool is_identical(const IndexExpr& a, const IndexExpr& b) {
  return a.constant() == b.constant() &&
         std::equal(a.terms().begin(), a.terms().end(), b.terms().begin(), b.terms().end(),
                    [](const Term& x, const Term& y) { return x.coefficient == y.coefficient && x.atom == y.atom; });
}

// Three-way order: kind, id, divisor, then operand.
int compare_atoms(const Atom* a, const Atom* b);
uint64_t mix_expr(uint64_t hash, const IndexExpr& expr, int which);
// Divisions and modulos in a sum.
int cost_of(const IndexExpr& expr);

const Atom* make_leaf(AtomKind kind, int id, IndexRange range);
// `flat`: see IndexExpr::Atom::flat.
const Atom* make_composite(AtomKind kind, IndexExpr operand, int64_t divisor, IndexExpr flat);

// ---- sums ----

struct IndexAlgebra {
  static IndexExpr single(int64_t coefficient, const Atom* atom);
  // a + factor * b, term by term.
  static IndexExpr combine(const IndexExpr& a, int64_t factor, const IndexExpr& b);
  static bool has(const IndexExpr& expr, AtomKind kind);
  // Coefficient of an atom among the top-level terms.
  static int64_t coefficient(const IndexExpr& expr, const Atom& atom);

  static IndexExpr flatten(IndexExpr expr);
  static IndexExpr present(IndexExpr flat);
  static IndexExpr present_divisions(IndexExpr flat);
  static std::tuple<size_t, double, int> weight(const IndexExpr& sum);
  static IndexExpr take_digit(const IndexExpr& sum, int64_t factor, const IndexExpr& low, int64_t digits,
                              const IndexExpr& presented_low, const Atom* high);
  static bool contains(const IndexExpr& sum, int64_t factor, const IndexExpr& low);
  static bool improve(IndexExpr& sum, const Atom* high, const IndexExpr& low, int64_t digits,
                      const IndexExpr& presented_low);

  // The quotient of a flat sum, flat.
  static IndexExpr divide(const IndexExpr& flat, int64_t divisor);
  static IndexExpr divide_anew(const IndexExpr& flat, int64_t divisor);
  static std::pair<IndexExpr, IndexExpr> split(const IndexExpr& sum, int64_t factor);
  static IndexExpr divide_terms(const IndexExpr& sum, int64_t divisor);
  static int64_t absorbing_factor(const IndexExpr& sum, int64_t divisor);
  static const Term* only_division(const IndexExpr& sum);
  static IndexExpr divide_rest(IndexExpr flat, int64_t divisor);
  static bool scales(const IndexExpr& sum, int64_t factor);

  using Replacement = llvm::function_ref<std::optional<IndexExpr>(const Atom&)>;
  // What becomes of composite atoms; nullopt: they stay.
  using AtomValues = llvm::SmallDenseMap<const Atom*, std::optional<IndexExpr>, 4>;
  static std::optional<IndexExpr> rebuild(const IndexExpr& flat, const AtomValues& values, Replacement replacement);
  static IndexExpr substitute(const IndexExpr& expr, Replacement replacement);
  static IndexExpr linearize(const std::vector<IndexExpr>& index, const std::vector<int64_t>& dims);
  static std::vector<IndexExpr> delinearize(const IndexExpr& linear, const std::vector<int64_t>& dims);
};

}  // namespace sinter
