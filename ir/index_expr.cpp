// Index algebra. A sum has two forms:
//
//   flat        no modulo at its top level: x % d is x - d*(x / d). Equal sums meet here by themselves:
//               4*((e / 4) % 5) + e % 4  is  4*(e/4) - 20*(e/20) + e - 4*(e/4)  is  e - 20*(e/20).
//   presented   modulo put back, digit by digit: e + e/4 - 15*(e/12)  is  5*((e / 4) % 3) + e % 4.
//               This is what an IndexExpr holds: it is what is spelled, and its ranges are tight.
//
// Every operation flattens, computes and presents. present() depends on the flat form alone and flatten() undoes
// it, so equal flat sums are equal expressions, and d*(e / d) + e % d is e whatever divide() answers.
#include "ir/index_expr.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ir/diagnostics.h"

namespace sinter {
namespace {

using Atom = IndexExpr::Atom;
using AtomKind = IndexExpr::AtomKind;
using Term = IndexExpr::Term;

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

// Digits between two divisions are searched for in atoms no deeper than this: the search divides again, level by
// level. Index chains of real programs stay well below it.
constexpr int kSearchDepth = 6;
constexpr int kMaxCost = 1 << 20;

// An end that is saturated stays so.
int64_t saturating_add(int64_t a, int64_t b) {
  if (a == kLowest || a == kHighest) return a;
  if (b == kLowest || b == kHighest) return b;
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? kLowest : kHighest;
}

int64_t saturating_multiply(int64_t a, int64_t b) {
  int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? kHighest : kLowest;
}

int64_t exact_add(int64_t a, int64_t b) {
  int64_t sum = 0;
  check(!__builtin_add_overflow(a, b, &sum), "index arithmetic", "a sum does not fit 64 bits");
  return sum;
}

int64_t exact_multiply(int64_t a, int64_t b) {
  int64_t product = 0;
  check(!__builtin_mul_overflow(a, b, &product), "index arithmetic", "a product does not fit 64 bits");
  return product;
}

int64_t floor_divide(int64_t a, int64_t divisor) {
  const int64_t quotient = a / divisor;
  return a % divisor < 0 ? quotient - 1 : quotient;
}

// Unbounded ends stay unbounded.
IndexRange divide_range(IndexRange range, int64_t divisor) {
  return {range.low == kLowest ? kLowest : floor_divide(range.low, divisor),
          range.high == kHighest ? kHighest : floor_divide(range.high, divisor)};
}

uint64_t mix(uint64_t hash, uint64_t value) {
  uint64_t x = hash ^ (value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2));
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

uint64_t mix_expr(uint64_t hash, const IndexExpr& expr, int which) {
  for (const Term& term : expr.terms()) {
    hash = mix(hash, static_cast<uint64_t>(term.coefficient));
    hash = mix(hash, term.atom->fingerprint[which]);
  }
  return mix(hash, static_cast<uint64_t>(expr.constant()));
}

bool is_composite(const Atom& atom) { return atom.kind == AtomKind::kFloorDiv || atom.kind == AtomKind::kMod; }

bool same_atom(const Atom& a, const Atom& b) { return &a == &b || a.fingerprint == b.fingerprint; }

// The width of a range, as a number to compare ranges by.
double width(IndexRange range) { return static_cast<double>(range.high) - static_cast<double>(range.low); }

int cost_of(const IndexExpr& expr) {
  int cost = 0;
  for (const Term& term : expr.terms()) cost = std::min(kMaxCost, cost + term.atom->cost);
  return cost;
}

// Three-way order of different atoms or equal ones; loops where a recursive comparison would descend: only the
// first difference of two operands matters.
int compare_atoms(const Atom* a, const Atom* b) {
  while (!same_atom(*a, *b)) {
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    if (a->divisor != b->divisor) return a->divisor < b->divisor ? -1 : 1;
    const std::vector<Term>& x = a->operand.terms();
    const std::vector<Term>& y = b->operand.terms();
    size_t i = 0;
    const size_t common = std::min(x.size(), y.size());
    while (i < common && x[i].coefficient == y[i].coefficient && same_atom(*x[i].atom, *y[i].atom)) ++i;
    if (i == common) {
      if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
      return a->operand.constant() < b->operand.constant() ? -1 : 1;
    }
    if (same_atom(*x[i].atom, *y[i].atom)) return x[i].coefficient < y[i].coefficient ? -1 : 1;
    a = x[i].atom.get();
    b = y[i].atom.get();
  }
  return 0;
}

std::shared_ptr<const Atom> make_leaf(AtomKind kind, int id, IndexRange range) {
  auto atom = std::make_shared<Atom>();
  atom->kind = kind;
  atom->id = id;
  atom->range = range;
  for (int which = 0; which < 2; ++which) {
    const uint64_t seed = mix(static_cast<uint64_t>(which), static_cast<uint64_t>(kind));
    atom->fingerprint[which] = mix(seed, static_cast<uint64_t>(id));
  }
  return atom;
}

std::shared_ptr<const Atom> make_composite(AtomKind kind, IndexExpr operand, int64_t divisor, IndexExpr flat) {
  auto atom = std::make_shared<Atom>();
  atom->kind = kind;
  atom->divisor = divisor;
  const IndexRange range = operand.range();
  atom->range = kind == AtomKind::kFloorDiv ? divide_range(range, divisor) : IndexRange{0, divisor - 1};
  for (const Term& term : flat.terms()) atom->depth = std::max(atom->depth, term.atom->depth);
  ++atom->depth;
  atom->cost = std::min(kMaxCost, cost_of(operand) + 1);
  for (int which = 0; which < 2; ++which) {
    uint64_t seed = mix(static_cast<uint64_t>(which), static_cast<uint64_t>(kind));
    seed = mix(seed, static_cast<uint64_t>(divisor));
    atom->fingerprint[which] = mix_expr(seed, operand, which);
  }
  atom->operand = std::move(operand);
  atom->flat = std::move(flat);
  return atom;
}

}  // namespace

struct IndexAlgebra {
  static IndexExpr single(int64_t coefficient, std::shared_ptr<const Atom> atom) {
    IndexExpr expr;
    if (coefficient != 0) expr.terms_.push_back({coefficient, std::move(atom)});
    return expr;
  }

  // a + factor * b, term by term.
  static IndexExpr combine(const IndexExpr& a, int64_t factor, const IndexExpr& b) {
    if (factor == 0) return a;
    IndexExpr sum;
    sum.constant_ = exact_add(a.constant_, exact_multiply(factor, b.constant_));
    sum.terms_.reserve(a.terms_.size() + b.terms_.size());
    size_t i = 0, j = 0;
    while (i < a.terms_.size() || j < b.terms_.size()) {
      int order = 0;
      if (i == a.terms_.size()) {
        order = 1;
      } else if (j == b.terms_.size()) {
        order = -1;
      } else {
        order = compare_atoms(a.terms_[i].atom.get(), b.terms_[j].atom.get());
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

  static bool has(const IndexExpr& expr, AtomKind kind) {
    for (const Term& term : expr.terms_) {
      if (term.atom->kind == kind) return true;
    }
    return false;
  }

  static IndexExpr flatten(const IndexExpr& expr) {
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
  static int64_t coefficient(const IndexExpr& expr, const Atom& atom) {
    for (const Term& term : expr.terms_) {
      if (same_atom(*term.atom, atom)) return term.coefficient;
    }
    return 0;
  }

  // ---- modulo put back ----

  // How `sum` could use the digit below `high` = operand / divisor, where `low` = operand / (divisor / digits):
  //   sum  =  sum - factor*low + factor*(low % digits) + factor*digits*high
  static IndexExpr take_digit(const IndexExpr& sum, int64_t factor, const IndexExpr& low, int64_t digits,
                              const IndexExpr& presented_low, const std::shared_ptr<const Atom>& high) {
    IndexExpr flat = combine(low, -digits, single(1, high));
    const std::shared_ptr<const Atom> digit = make_composite(AtomKind::kMod, presented_low, digits, std::move(flat));
    IndexExpr rest = combine(sum, -factor, low);
    rest = combine(rest, factor, single(1, digit));
    return combine(rest, exact_multiply(factor, digits), single(1, high));
  }

  // Whether every term of `low` is in `sum` `factor` times.
  static bool contains(const IndexExpr& sum, int64_t factor, const IndexExpr& low) {
    for (const Term& term : low.terms_) {
      int64_t product = 0;
      if (__builtin_mul_overflow(factor, term.coefficient, &product)) return false;
      if (coefficient(sum, *term.atom) != product) return false;
    }
    return true;
  }

  // What makes a presented sum better: fewer terms, then a narrower range, then fewer divisions.
  static std::tuple<size_t, double, int> weight(const IndexExpr& sum) {
    return {sum.terms_.size(), width(sum.range()), cost_of(sum)};
  }

  // `sum` with the digit below `high` taken out `factor` times for the best factor; false if none helps.
  static bool improve(IndexExpr& sum, const std::shared_ptr<const Atom>& high, const IndexExpr& low, int64_t digits,
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

  static IndexExpr present(const IndexExpr& flat) {
    std::vector<std::shared_ptr<const Atom>> divisions;
    for (const Term& term : flat.terms_) {
      if (term.atom->kind == AtomKind::kFloorDiv) divisions.push_back(term.atom);
    }
    if (divisions.empty() || flat.terms_.size() + (flat.constant_ != 0) == 1) return flat;
    // Outer divisions before those inside them, then digits from the lowest up.
    std::sort(divisions.begin(), divisions.end(),
              [](const std::shared_ptr<const Atom>& a, const std::shared_ptr<const Atom>& b) {
                if (a->depth != b->depth) return a->depth > b->depth;
                return compare_atoms(a.get(), b.get()) < 0;
              });
    IndexExpr sum = flat;
    for (const std::shared_ptr<const Atom>& high : divisions) {
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

  // ---- division ----

  // The quotient of a flat sum, flat.
  static IndexExpr divide(const IndexExpr& flat, int64_t divisor) {
    if (divisor == 1) return flat;
    IndexExpr quotient = divide_terms(flat, divisor);
    const auto is_multiple = [&](const Term& term) { return term.coefficient % divisor == 0; };
    if (std::all_of(flat.terms_.begin(), flat.terms_.end(), is_multiple)) return quotient;
    const IndexExpr presented = present(flat);
    if (!has(presented, AtomKind::kMod)) return quotient;
    // Multiples of the divisor inside a modulo may be split off or kept together: (x % 10 + 1) / 5 is better than
    // (x + 1) / 5 - 2*(x / 10), and (x / 5) % 2 better than (x % 10) / 5.
    const IndexExpr together = divide_terms(presented, divisor);
    if (together == quotient) return quotient;
    const IndexExpr quotient_presented = present(quotient), together_presented = present(together);
    const double split_width = width(quotient_presented.range()), together_width = width(together_presented.range());
    if (split_width != together_width) return split_width < together_width ? quotient : together;
    const int split_cost = cost_of(quotient_presented) + cost_of(present(combine(flat, -divisor, quotient)));
    const int together_cost = cost_of(together_presented) + cost_of(present(combine(flat, -divisor, together)));
    return together_cost < split_cost ? together : quotient;
  }

  // Splits `sum` into factor * (first) + second.
  static std::pair<IndexExpr, IndexExpr> split(const IndexExpr& sum, int64_t factor) {
    IndexExpr multiple, rest;
    for (const Term& term : sum.terms_) {
      if (term.coefficient % factor == 0) {
        multiple.terms_.push_back({term.coefficient / factor, term.atom});
      } else {
        rest.terms_.push_back(term);
      }
    }
    rest.constant_ = sum.constant_;
    return {std::move(multiple), std::move(rest)};
  }

  // The quotient, flat, of a sum in either form, keeping its modulos together.
  static IndexExpr divide_terms(const IndexExpr& sum, int64_t divisor) {
    auto [multiple, rest] = split(sum, divisor);
    const IndexExpr quotient = flatten(multiple);
    return combine(quotient, 1, divide_rest(flatten(rest), divisor));
  }

  // The quotient of a flat sum taken as a whole.
  static IndexExpr divide_rest(const IndexExpr& flat, int64_t divisor) {
    if (divisor == 1) return flat;
    IndexExpr operand = present(flat);
    if (operand.is_constant()) return floor_divide(operand.constant_, divisor);
    const IndexRange range = divide_range(operand.range(), divisor);
    if (range.low == range.high) return range.low;

    // (g*a + b) / (g*n) is a / n where b is in [0, g).
    std::vector<int64_t> factors;
    for (const Term& term : operand.terms_) {
      const int64_t factor = std::gcd(term.coefficient, divisor);
      if (factor > 1 && std::find(factors.begin(), factors.end(), factor) == factors.end()) factors.push_back(factor);
    }
    std::sort(factors.begin(), factors.end(), std::greater<>());
    for (const int64_t factor : factors) {
      auto [multiple, rest] = split(operand, factor);
      const IndexRange carry = divide_range(rest.range(), factor);
      if (carry.low == carry.high) return divide(combine(flatten(multiple), 1, carry.low), divisor / factor);
    }

    // (a + b / g) / n is (g*a + b) / (g*n).
    const Term* inner = nullptr;
    int inner_divisions = 0;
    for (const Term& term : operand.terms_) {
      if (term.atom->kind != AtomKind::kFloorDiv || term.coefficient != 1) continue;
      inner = &term;
      ++inner_divisions;
    }
    int64_t product = 0;
    if (inner_divisions == 1 && !__builtin_mul_overflow(divisor, inner->atom->divisor, &product) &&
        scales(operand, inner->atom->divisor)) {
      const IndexExpr rest = combine(operand, -1, single(1, inner->atom));
      return divide(combine(inner->atom->flat, inner->atom->divisor, flatten(rest)), product);
    }

    // The operand is moved by a multiple of the divisor so that its lowest value is in [0, divisor).
    const IndexRange reach = operand.range();
    const int64_t shift = floor_divide(reach.low == kLowest ? operand.constant_ : reach.low, divisor);
    const int64_t moved = exact_multiply(shift, -divisor);
    IndexExpr moved_flat = flat;
    moved_flat.constant_ = exact_add(flat.constant_, moved);
    operand.constant_ = exact_add(operand.constant_, moved);
    IndexExpr quotient =
        single(1, make_composite(AtomKind::kFloorDiv, std::move(operand), divisor, std::move(moved_flat)));
    quotient.constant_ = shift;
    return quotient;
  }

  // Whether the sum can be multiplied within 64 bits, coefficients and range.
  static bool scales(const IndexExpr& sum, int64_t factor) {
    const IndexRange range = sum.range();
    int64_t product = 0;
    if (__builtin_mul_overflow(range.low, factor, &product) || __builtin_mul_overflow(range.high, factor, &product)) {
      return false;
    }
    for (const Term& term : flatten(sum).terms_) {
      if (__builtin_mul_overflow(term.coefficient, factor, &product)) return false;
    }
    return true;
  }

  // ---- substitution ----

  // The sum, flat, with each atom replaced by what `values` (composite atoms) and `replacement` (leaves) say.
  static IndexExpr rebuild(const IndexExpr& flat, const std::unordered_map<const Atom*, IndexExpr>& values,
                           const std::function<std::optional<IndexExpr>(const Atom&)>& replacement) {
    IndexExpr sum = flat.constant_;
    for (const Term& term : flat.terms_) {
      if (is_composite(*term.atom)) {
        sum = combine(sum, term.coefficient, values.at(term.atom.get()));
        continue;
      }
      const std::optional<IndexExpr> value = replacement(*term.atom);
      sum = combine(sum, term.coefficient, value ? flatten(*value) : single(1, term.atom));
    }
    return sum;
  }

  static IndexExpr substitute(const IndexExpr& expr,
                              const std::function<std::optional<IndexExpr>(const Atom&)>& replacement) {
    const IndexExpr flat = flatten(expr);
    std::unordered_map<const Atom*, IndexExpr> values;
    std::vector<const Atom*> pending;
    const auto push_inner = [&](const IndexExpr& sum) {
      bool any = false;
      for (const Term& term : sum.terms_) {
        if (!is_composite(*term.atom) || values.count(term.atom.get()) != 0) continue;
        pending.push_back(term.atom.get());
        any = true;
      }
      return any;
    };
    push_inner(flat);
    while (!pending.empty()) {
      const Atom* atom = pending.back();
      if (values.count(atom) == 0) {
        if (push_inner(atom->flat)) continue;
        values[atom] = divide(rebuild(atom->flat, values, replacement), atom->divisor);
      }
      pending.pop_back();
    }
    return present(rebuild(flat, values, replacement));
  }

  // Horner's rule on flat sums; presented once.
  static IndexExpr linearize(const std::vector<IndexExpr>& index, const std::vector<int64_t>& dims) {
    IndexExpr sum;
    for (size_t i = 0; i < dims.size(); ++i) {
      sum = combine(flatten(index[i]), 1, combine(IndexExpr(), dims[i], sum));
    }
    return present(sum);
  }

  static std::vector<IndexExpr> delinearize(const IndexExpr& linear, const std::vector<int64_t>& dims) {
    std::vector<IndexExpr> index(dims.size());
    size_t outermost = 0;
    while (outermost < dims.size() && dims[outermost] == 1) ++outermost;
    IndexExpr rest = flatten(linear);
    for (size_t i = dims.size(); i-- > outermost;) {
      if (dims[i] <= 1) continue;
      if (i == outermost) {
        index[i] = present(rest);
        break;
      }
      const IndexExpr quotient = divide(rest, dims[i]);
      index[i] = present(combine(rest, -dims[i], quotient));
      rest = quotient;
    }
    return index;
  }
};

IndexExpr::Atom::~Atom() {
  std::vector<std::shared_ptr<const Atom>> doomed;
  const auto release = [&](IndexExpr& expr) {
    for (Term& term : expr.terms_) {
      if (term.atom.use_count() == 1 && is_composite(*term.atom)) doomed.push_back(std::move(term.atom));
    }
  };
  if (!is_composite(*this)) return;
  release(operand);
  release(flat);
  while (!doomed.empty()) {
    const std::shared_ptr<const Atom> atom = std::move(doomed.back());
    doomed.pop_back();
    // Ours alone: nobody sees it lose its operands.
    Atom& last = const_cast<Atom&>(*atom);
    release(last.operand);
    release(last.flat);
  }
}

IndexExpr IndexExpr::coordinate(int id, IndexRange range) {
  if (range.low == range.high) return range.low;
  return IndexAlgebra::single(1, make_leaf(AtomKind::kCoordinate, id, range));
}

IndexExpr IndexExpr::value(int id, IndexRange range) {
  return IndexAlgebra::single(1, make_leaf(AtomKind::kValue, id, range));
}

IndexRange IndexExpr::range() const {
  IndexRange sum = {constant_, constant_};
  for (const Term& term : terms_) {
    const int64_t low = saturating_multiply(term.coefficient, term.atom->range.low);
    const int64_t high = saturating_multiply(term.coefficient, term.atom->range.high);
    sum.low = saturating_add(sum.low, std::min(low, high));
    sum.high = saturating_add(sum.high, std::max(low, high));
  }
  return sum;
}

IndexExpr IndexExpr::operator+(const IndexExpr& other) const {
  return IndexAlgebra::present(IndexAlgebra::combine(IndexAlgebra::flatten(*this), 1, IndexAlgebra::flatten(other)));
}

IndexExpr IndexExpr::operator-(const IndexExpr& other) const {
  return IndexAlgebra::present(IndexAlgebra::combine(IndexAlgebra::flatten(*this), -1, IndexAlgebra::flatten(other)));
}

IndexExpr IndexExpr::operator*(int64_t factor) const {
  return IndexAlgebra::present(IndexAlgebra::combine(IndexExpr(), factor, IndexAlgebra::flatten(*this)));
}

IndexExpr IndexExpr::floor_div(int64_t divisor) const {
  check(divisor > 0, "index arithmetic", "division by a number that is not positive");
  return IndexAlgebra::present(IndexAlgebra::divide(IndexAlgebra::flatten(*this), divisor));
}

IndexExpr IndexExpr::floor_mod(int64_t divisor) const {
  check(divisor > 0, "index arithmetic", "modulo by a number that is not positive");
  const IndexExpr flat = IndexAlgebra::flatten(*this);
  return IndexAlgebra::present(IndexAlgebra::combine(flat, -divisor, IndexAlgebra::divide(flat, divisor)));
}

size_t IndexExpr::hash() const { return mix_expr(0, *this, 0); }

int IndexExpr::compare(const IndexExpr& other) const {
  const size_t common = std::min(terms_.size(), other.terms_.size());
  for (size_t i = 0; i < common; ++i) {
    const int order = compare_atoms(terms_[i].atom.get(), other.terms_[i].atom.get());
    if (order != 0) return order;
    const int64_t left = terms_[i].coefficient, right = other.terms_[i].coefficient;
    if (left != right) return left < right ? -1 : 1;
  }
  if (terms_.size() != other.terms_.size()) return terms_.size() < other.terms_.size() ? -1 : 1;
  if (constant_ != other.constant_) return constant_ < other.constant_ ? -1 : 1;
  return 0;
}

IndexExpr IndexExpr::substitute(const std::function<std::optional<IndexExpr>(const Atom&)>& replacement) const {
  return IndexAlgebra::substitute(*this, replacement);
}

void IndexExpr::visit_leaves(const std::function<void(const Atom&)>& visit) const {
  std::unordered_set<const Atom*> seen;
  std::vector<const Atom*> pending;
  const auto push = [&](const IndexExpr& expr) {
    for (size_t i = expr.terms_.size(); i-- > 0;) pending.push_back(expr.terms_[i].atom.get());
  };
  push(*this);
  while (!pending.empty()) {
    const Atom* atom = pending.back();
    pending.pop_back();
    if (!is_composite(*atom)) {
      visit(*atom);
    } else if (seen.insert(atom).second) {
      push(atom->operand);
    }
  }
}

int64_t IndexExpr::coefficient_of_coordinate(int id) const {
  for (const Term& term : terms_) {
    if (term.atom->kind == AtomKind::kCoordinate && term.atom->id == id) return term.coefficient;
  }
  return 0;
}

IndexExpr linearize(const std::vector<IndexExpr>& index, const std::vector<int64_t>& dims) {
  check(index.size() == dims.size(), "linearize", "an index for each dimension");
  return IndexAlgebra::linearize(index, dims);
}

std::vector<IndexExpr> delinearize(const IndexExpr& linear, const std::vector<int64_t>& dims) {
  return IndexAlgebra::delinearize(linear, dims);
}

}  // namespace sinter
