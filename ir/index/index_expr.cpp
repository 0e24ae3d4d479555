// The public face of index expressions: see ir/index/index_algebra.h for how they are computed.
#include "ir/index/index_expr.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ir/index/index_algebra.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace sinter {

// The sum, flat, with each atom replaced by what `values` (composite atoms) and `replacement` (leaves) say; nullopt if
// none of them is replaced.
std::optional<IndexExpr> IndexAlgebra::rebuild(const IndexExpr& flat, const AtomValues& values,
                                               Replacement replacement) {
  IndexExpr kept = flat.constant_, replaced;
  bool changed = false;
  for (const Term& term : flat.terms_) {
    std::optional<IndexExpr> value;
    if (is_composite(*term.atom)) {
      value = values.find(term.atom)->second;
    } else if ((value = replacement(*term.atom))) {
      value = flatten(*value);
    }
    if (value) {
      replaced = combine(replaced, term.coefficient, *value);
      changed = true;
    } else {
      kept.terms_.push_back(term);
    }
  }
  if (!changed) return std::nullopt;
  return combine(kept, 1, replaced);
}

IndexExpr IndexAlgebra::substitute(const IndexExpr& expr, Replacement replacement) {
  const IndexExpr flat = flatten(expr);
  AtomValues values;
  llvm::SmallVector<const Atom*, 8> pending;
  const auto push_inner = [&](const IndexExpr& sum) {
    bool any = false;
    for (const Term& term : sum.terms_) {
      if (!is_composite(*term.atom) || values.contains(term.atom)) continue;
      pending.push_back(term.atom);
      any = true;
    }
    return any;
  };
  push_inner(flat);
  while (!pending.empty()) {
    const Atom* atom = pending.back();
    if (!values.contains(atom)) {
      if (push_inner(atom->flat)) continue;
      std::optional<IndexExpr> operand = rebuild(atom->flat, values, replacement);
      if (operand) operand = divide(*operand, atom->divisor);
      values.try_emplace(atom, std::move(operand));
    }
    pending.pop_back();
  }
  const std::optional<IndexExpr> sum = rebuild(flat, values, replacement);
  return sum ? present(*sum) : expr;
}

// Horner's rule on flat sums; presented once.
IndexExpr IndexAlgebra::linearize(const std::vector<IndexExpr>& index, const std::vector<int64_t>& dims) {
  if (dims.size() == 1) return index[0];  // it is presented
  IndexExpr sum;
  for (size_t i = 0; i < dims.size(); ++i) {
    sum = combine(flatten(index[i]), 1, combine(IndexExpr(), dims[i], sum));
  }
  return present(sum);
}

std::vector<IndexExpr> IndexAlgebra::delinearize(const IndexExpr& linear, const std::vector<int64_t>& dims) {
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

bool IndexExpr::operator==(const IndexExpr& other) const {
  return constant_ == other.constant_ && std::equal(terms_.begin(), terms_.end(), other.terms_.begin(),
                                                    other.terms_.end(), [](const Term& a, const Term& b) {
                                                      return a.coefficient == b.coefficient &&
                                                             same_atom(*a.atom, *b.atom);
                                                    });
}

int IndexExpr::compare(const IndexExpr& other) const {
  const size_t common = std::min(terms_.size(), other.terms_.size());
  for (size_t i = 0; i < common; ++i) {
    const int order = compare_atoms(terms_[i].atom, other.terms_[i].atom);
    if (order != 0) return order;
    const int64_t left = terms_[i].coefficient, right = other.terms_[i].coefficient;
    if (left != right) return left < right ? -1 : 1;
  }
  if (terms_.size() != other.terms_.size()) return terms_.size() < other.terms_.size() ? -1 : 1;
  if (constant_ != other.constant_) return constant_ < other.constant_ ? -1 : 1;
  return 0;
}

IndexExpr IndexExpr::substitute(llvm::function_ref<std::optional<IndexExpr>(const Atom&)> replacement) const {
  return IndexAlgebra::substitute(*this, replacement);
}

void IndexExpr::visit_leaves(llvm::function_ref<void(const Atom&)> visit) const {
  const bool flat =
      std::none_of(terms_.begin(), terms_.end(), [](const Term& term) { return is_composite(*term.atom); });
  if (flat) {
    for (const Term& term : terms_) visit(*term.atom);
    return;
  }
  llvm::SmallPtrSet<const Atom*, 8> seen;
  llvm::SmallVector<const Atom*, 8> pending;
  const auto push = [&](const IndexExpr& expr) {
    for (size_t i = expr.terms_.size(); i-- > 0;) pending.push_back(expr.terms_[i].atom);
  };
  push(*this);
  while (!pending.empty()) {
    const Atom* atom = pending.pop_back_val();
    if (!is_composite(*atom)) {
      visit(*atom);
    } else if (seen.insert(atom).second) {
      push(atom->operand);
    }
  }
}

bool IndexExpr::reads_coordinate(int id) const {
  bool found = false;
  visit_leaves([&](const Atom& leaf) { found |= leaf.kind == AtomKind::kCoordinate && leaf.id == id; });
  return found;
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
