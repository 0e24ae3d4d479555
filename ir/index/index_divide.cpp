// Quotients of sums by constants.
#include <algorithm>
#include <numeric>

#include "ir/index/index_algebra.h"
#include "ir/index/index_memo.h"

namespace sinter {

// The quotient of a flat sum, flat.
IndexExpr IndexAlgebra::divide(const IndexExpr& flat, int64_t divisor) {
  if (divisor == 1) return flat;
  if (flat.is_constant()) return floor_divide(flat.constant_, divisor);
  thread_local IndexMemo quotients;
  return quotients.of(flat, divisor, [&] { return divide_anew(flat, divisor); });
}

IndexExpr IndexAlgebra::divide_anew(const IndexExpr& flat, int64_t divisor) {
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
std::pair<IndexExpr, IndexExpr> IndexAlgebra::split(const IndexExpr& sum, int64_t factor) {
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
IndexExpr IndexAlgebra::divide_terms(const IndexExpr& sum, int64_t divisor) {
  auto [multiple, rest] = split(sum, divisor);
  const IndexExpr quotient = flatten(multiple);
  return combine(quotient, 1, divide_rest(flatten(rest), divisor));
}

// The largest factor of the divisor by which all terms of a presented sum can be divided but some that never reach
// it: 6 for 12*i + 6*k + j by 24, with j in [0, 5]. 0 if there is none.
int64_t IndexAlgebra::absorbing_factor(const IndexExpr& sum, int64_t divisor) {
  int64_t best = 0;
  for (const Term& term : sum.terms_) {
    const int64_t factor = std::gcd(term.coefficient, divisor);
    if (factor <= 1 || factor <= best) continue;
    const IndexRange carry = divide_range(split(sum, factor).second.range(), factor);
    if (carry.low == carry.high) best = factor;
  }
  return best;
}

// The quotient of a flat sum taken as a whole.
IndexExpr IndexAlgebra::divide_rest(IndexExpr flat, int64_t divisor) {
  if (divisor == 1) return flat;
  IndexExpr operand = present(flat);
  if (operand.is_constant()) return floor_divide(operand.constant_, divisor);
  const IndexRange range = divide_range(operand.range(), divisor);
  if (range.low == range.high) return range.low;

  // (g*a + b) / (g*n) is a / n where b is in [0, g).
  if (const int64_t factor = absorbing_factor(operand, divisor); factor != 0) {
    auto [multiple, rest] = split(operand, factor);
    const int64_t carry = divide_range(rest.range(), factor).low;
    return divide(combine(flatten(multiple), 1, carry), divisor / factor);
  }

  // (a + b / g) / n is (g*a + b) / (g*n), as long as the rule above does not undo that.
  while (const Term* inner = only_division(operand)) {
    const int64_t factor = inner->atom->divisor;
    int64_t product = 0;
    if (__builtin_mul_overflow(divisor, factor, &product) || !scales(operand, factor)) break;
    const IndexExpr rest = flatten(combine(operand, -1, single(1, inner->atom)));
    IndexExpr wider = combine(inner->atom->flat, factor, rest);
    IndexExpr wider_operand = present(wider);
    if (absorbing_factor(wider_operand, product) != 0) break;
    flat = std::move(wider);
    operand = std::move(wider_operand);
    divisor = product;
  }

  // The operand is moved by a multiple of the divisor so that its lowest value is in [0, divisor).
  const IndexRange reach = operand.range();
  const int64_t shift = floor_divide(reach.low == kLowest ? operand.constant_ : reach.low, divisor);
  const int64_t moved = exact_multiply(shift, -divisor);
  flat.constant_ = exact_add(flat.constant_, moved);
  operand.constant_ = exact_add(operand.constant_, moved);
  IndexExpr quotient = single(1, make_composite(AtomKind::kFloorDiv, std::move(operand), divisor, std::move(flat)));
  quotient.constant_ = shift;
  return quotient;
}

// The one division that is a term with coefficient 1; nullptr if there is none, or several.
const Term* IndexAlgebra::only_division(const IndexExpr& sum) {
  const Term* only = nullptr;
  for (const Term& term : sum.terms_) {
    if (term.atom->kind != AtomKind::kFloorDiv || term.coefficient != 1) continue;
    if (only != nullptr) return nullptr;
    only = &term;
  }
  return only;
}

// Whether the sum can be multiplied within 64 bits, coefficients and range.
bool IndexAlgebra::scales(const IndexExpr& sum, int64_t factor) {
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

}  // namespace sinter
