// Sums in both forms: adding term by term, writing modulos as divisions, and putting them back.
#include <algorithm>

#include "ir/index/index_algebra.h"
#include "ir/index/index_memo.h"

namespace sinter {
namespace {

// Digits between two divisions are searched for in atoms no deeper than this: the search divides again, level by
// level. Index chains of real programs stay well below it.
constexpr int kSearchDepth = 6;

}  // namespace

IndexExpr IndexAlgebra::single(int64_t coefficient, const Atom* atom) {
  IndexExpr expr;
  if (coefficient != 0) expr.terms_.push_back({coefficient, atom});
  return expr;
}

// a + factor * b, term by term.
IndexExpr IndexAlgebra::combine(const IndexExpr& a, int64_t factor, const IndexExpr& b) {
  if (factor == 0) return a;
  IndexExpr sum;
  sum.constant_ = exact_add(a.constant_, exact_multiply(factor, b.constant_));
  size_t i = 0, j = 0;
  while (i < a.terms_.size() || j < b.terms_.size()) {
    int order = 0;
    if (i == a.terms_.size()) {
      order = 1;
    } else if (j == b.terms_.size()) {
      order = -1;
    } else {
      order = compare_atoms(a.terms_[i].atom, b.terms_[j].atom);
    }
    if (order < 0) {
      sum.terms_.push_back(a.terms_[i++]);
      continue;
    }
    int64_t coefficient = exact_multiply(factor, b.terms_[j].coefficient);
    if (order == 0) coefficient = exact_add(coefficient, a.terms_[i++].coefficient);
    if (coefficient != 0) sum.terms_.push_back({coefficient, b.terms_[j].atom});
    ++j;
  }
  return sum;
}

bool IndexAlgebra::has(const IndexExpr& expr, AtomKind kind) {
  for (const Term& term : expr.terms_) {
    if (term.atom->kind == kind) return true;
  }
  return false;
}

IndexExpr IndexAlgebra::flatten(IndexExpr expr) {
  if (!has(expr, AtomKind::kMod)) return expr;
  IndexExpr flat;
  flat.constant_ = expr.constant_;
  for (const Term& term : expr.terms_) {
    if (term.atom->kind != AtomKind::kMod) flat.terms_.push_back(term);
  }
  for (const Term& term : expr.terms_) {
    if (term.atom->kind == AtomKind::kMod) flat = combine(flat, term.coefficient, term.atom->flat);
  }
  return flat;
}

// Coefficient of an atom among the top-level terms.
int64_t IndexAlgebra::coefficient(const IndexExpr& expr, const Atom& atom) {
  for (const Term& term : expr.terms_) {
    if (same_atom(*term.atom, atom)) return term.coefficient;
  }
  return 0;
}

// ---- modulo put back ----

// How `sum` could use the digit below `high` = operand / divisor, where `low` = operand / (divisor / digits):
//   sum  =  sum - factor*low + factor*(low % digits) + factor*digits*high
IndexExpr IndexAlgebra::take_digit(const IndexExpr& sum, int64_t factor, const IndexExpr& low, int64_t digits,
                                   const IndexExpr& presented_low, const Atom* high) {
  IndexExpr flat = combine(low, -digits, single(1, high));
  const Atom* digit = make_composite(AtomKind::kMod, presented_low, digits, std::move(flat));
  IndexExpr rest = combine(sum, -factor, low);
  rest = combine(rest, factor, single(1, digit));
  return combine(rest, exact_multiply(factor, digits), single(1, high));
}

// Whether every term of `low` is in `sum` `factor` times.
bool IndexAlgebra::contains(const IndexExpr& sum, int64_t factor, const IndexExpr& low) {
  for (const Term& term : low.terms_) {
    int64_t product = 0;
    if (__builtin_mul_overflow(factor, term.coefficient, &product)) return false;
    if (coefficient(sum, *term.atom) != product) return false;
  }
  return true;
}

// What makes a presented sum better: fewer terms, then a narrower range, then fewer divisions.
std::tuple<size_t, double, int> IndexAlgebra::weight(const IndexExpr& sum) {
  return {sum.terms_.size(), width(sum.range()), cost_of(sum)};
}

// `sum` with the digit below `high` taken out `factor` times for the best factor; false if none helps.
bool IndexAlgebra::improve(IndexExpr& sum, const Atom* high, const IndexExpr& low, int64_t digits,
                           const IndexExpr& presented_low) {
  // Factors that make a term of `low` vanish, or the division.
  std::vector<int64_t> factors;
  const auto add_factor = [&](int64_t here, int64_t unit) {
    if (here == 0 || here % unit != 0) return;
    const int64_t factor = here / unit;
    if (std::find(factors.begin(), factors.end(), factor) == factors.end()) factors.push_back(factor);
  };
  for (const Term& term : low.terms_) add_factor(coefficient(sum, *term.atom), term.coefficient);
  if (factors.empty()) return false;
  add_factor(coefficient(sum, *high), -digits);

  bool improved = false;
  IndexExpr best = sum;
  for (const int64_t factor : factors) {
    IndexExpr candidate = take_digit(sum, factor, low, digits, presented_low, high);
    // The first that is there as a whole is always taken; others where the sum becomes shorter, tighter or cheaper.
    const bool whole = !improved && contains(sum, factor, low);
    if (!whole && weight(candidate) >= weight(best)) continue;
    best = std::move(candidate);
    improved = true;
  }
  sum = best;
  return improved;
}

IndexExpr IndexAlgebra::present(IndexExpr flat) {
  if (!has(flat, AtomKind::kFloorDiv) || flat.terms_.size() + (flat.constant_ != 0) == 1) return flat;
  thread_local IndexMemo presented;
  return presented.of(flat, 0, [&] { return present_divisions(flat); });
}

// Of a sum that has some.
IndexExpr IndexAlgebra::present_divisions(IndexExpr flat) {
  llvm::SmallVector<const Atom*, 4> divisions;
  for (const Term& term : flat.terms_) {
    if (term.atom->kind == AtomKind::kFloorDiv) divisions.push_back(term.atom);
  }
  // Outer divisions before those inside them, then digits from the lowest up.
  std::sort(divisions.begin(), divisions.end(), [](const Atom* a, const Atom* b) {
    if (a->depth != b->depth) return a->depth > b->depth;
    return compare_atoms(a, b) < 0;
  });
  IndexExpr sum = std::move(flat);
  for (const Atom* high : divisions) {
    if (coefficient(sum, *high) == 0) continue;
    bool taken = false;
    if (high->depth <= kSearchDepth) {
      std::vector<int64_t> lower;
      for (const Term& term : sum.terms_) {
        const int64_t divisor = term.atom->divisor;
        if (term.atom->kind != AtomKind::kFloorDiv || divisor >= high->divisor || high->divisor % divisor != 0)
          continue;
        if (std::find(lower.begin(), lower.end(), divisor) == lower.end()) lower.push_back(divisor);
      }
      std::sort(lower.begin(), lower.end(), std::greater<>());
      for (const int64_t divisor : lower) {
        const IndexExpr low = divide(high->flat, divisor);
        if (low.is_constant()) continue;
        taken = improve(sum, high, low, high->divisor / divisor, present(low));
        if (taken) break;
      }
    }
    if (!taken) improve(sum, high, high->flat, high->divisor, high->operand);
  }
  return sum;
}

}  // namespace sinter
