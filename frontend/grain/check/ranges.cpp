// How far indices run (docs/grain.md, section 5): as far as is written, as the dimension on the left, as the one that
// they subscript alone, or from 0 as far as all of their subscripts stay in range.
#include <algorithm>

#include "frontend/grain/compiler.h"

namespace sinter::grain {

std::optional<Affine> Compiler::affine(const Expr& expr) {
  if (expr.kind == Expr::Kind::kParens) return affine(*expr.children[0]);
  if (expr.index != nullptr) {
    Affine result;
    result.terms.emplace_back(expr.index, Formula(1));
    return result;
  }
  if (const std::optional<Formula> constant = formula(expr); constant && expr.indices.empty()) {
    Affine result;
    result.constant = *constant;
    return result;
  }
  if (expr.kind == Expr::Kind::kUnary && expr.text == "-") {
    std::optional<Affine> a = affine(*expr.children[0]);
    if (!a) return std::nullopt;
    a->constant = Formula(-1) * a->constant;
    for (auto& [index, factor] : a->terms) factor = Formula(-1) * factor;
    return a;
  }
  if (expr.kind != Expr::Kind::kBinary) return std::nullopt;
  if (expr.text != "+" && expr.text != "-" && expr.text != "*") return std::nullopt;
  std::optional<Affine> a = affine(*expr.children[0]), b = affine(*expr.children[1]);
  if (!a || !b) return std::nullopt;
  if (expr.text == "*") {
    if (!a->terms.empty() && !b->terms.empty()) return std::nullopt;
    if (a->terms.empty()) std::swap(a, b);
    const Formula factor = b->constant;
    a->constant = a->constant * factor;
    for (auto& [index, coefficient] : a->terms) coefficient = coefficient * factor;
  } else {
    const Formula sign = expr.text == "-" ? Formula(-1) : Formula(1);
    a->constant = a->constant + sign * b->constant;
    for (const auto& [index, coefficient] : b->terms) {
      const auto same_index = [wanted = index](const auto& term) { return term.first == wanted; };
      const auto found = std::find_if(a->terms.begin(), a->terms.end(), same_index);
      if (found == a->terms.end()) {
        a->terms.emplace_back(index, sign * coefficient);
      } else {
        found->second = found->second + sign * coefficient;
      }
    }
  }
  std::erase_if(a->terms, [](const auto& term) { return term.second.is_zero(); });
  return a;
}

Interval Compiler::interval_of(const Affine& affine) {
  Interval result{value_of(affine.constant, {}), value_of(affine.constant, {})};
  for (const auto& [index, coefficient] : affine.terms) {
    const int64_t factor = value_of(coefficient, {});
    const int64_t a = factor * index->first, b = factor * (index->first + index->extent - 1);
    result.low += std::min(a, b);
    result.high += std::max(a, b);
  }
  return result;
}

// An index alone in a subscript runs over that dimension, wherever else its range is from.
void Compiler::check_lone_uses() {
  for (const IndexUse& use : uses_) {
    Index* index = plain(*use.subscript).index;
    if (index == nullptr) continue;
    if (index->range == Index::Range::kWritten || index->range == Index::Range::kNone) continue;
    if (index->high == use.dim && index->low.is_zero()) continue;
    const Type& base = use.access->children[0]->type;
    const std::string name = quote(*use.access->children[0]);
    const std::string which = base.rank() == 1 ? "dimension is" : ordinal(use.axis) + " dimension is";
    const Formula more = index->high - use.dim;
    const bool is_part = more.value(call_->values).value_or(0) < 0;
    const std::string shorter = is_part         ? index->high.text()
                                : more.number() ? use.dim.text()
                                                : "min(" + index->high.text() + ", " + use.dim.text() + ")";
    std::string hint = "for a part of a longer axis write the range: [" + index->name + " in 0.." + shorter + "]";
    const bool is_swap = index->high.value(call_->values) == use.dim.value(call_->values);
    if (is_swap) hint = "if the two are equal always: require " + index->high.text() + " == " + use.dim.text();
    fail({use.subscript->begin}, "E0711",
         "'" + index->name + "' runs over '" + index->high.text() + "' (" + index->range_from + "), " +
             (base.rank() == 1 ? "but " : "but ") + name + "'s " + which + " '" + use.dim.text() + "'",
         hint);
  }
}

void Compiler::resolve_ranges(const std::vector<Index*>& indices) {
  for (const IndexUse& use : uses_) {
    Index* index = plain(*use.subscript).index;
    if (index == nullptr || index->range != Index::Range::kNone) continue;
    index->range = Index::Range::kSubscript;
    index->high = use.dim;
    index->range_from = quote(*use.access->children[0]) + ", " + where({use.subscript->begin});
  }
  check_lone_uses();
  // What is left: each from 0 as far as its subscripts stay in range.
  for (bool changed = true; changed;) {
    changed = false;
    for (Index* index : indices) {
      if (index->range != Index::Range::kNone) continue;
      std::optional<Formula> least;
      bool waits = false;
      for (const IndexUse& use : uses_) {
        const std::optional<Affine> sum = affine(*use.subscript);
        if (!sum || use.has_rule) continue;
        const auto is_this = [&](const auto& term) { return term.first == index; };
        const auto own = std::find_if(sum->terms.begin(), sum->terms.end(), is_this);
        if (own == sum->terms.end()) continue;
        // factor * index + most <= dim - 1, where `most` is the largest value of the rest.
        Formula most = sum->constant;
        for (const auto& [other, factor] : sum->terms) {
          if (other == index) continue;
          const std::optional<int64_t> sign = factor.value(call_->values);
          if (other->range == Index::Range::kNone || !sign) {
            waits = true;
            continue;
          }
          most = most + factor * (*sign > 0 ? other->high - Formula(1) : other->low);
        }
        const std::optional<int64_t> factor = own->second.number();
        if (!factor || *factor == 0) continue;
        Formula extent = *factor > 0 ? use.dim - most : most + Formula(1);
        const int64_t step = std::abs(*factor);
        if (step > 1) extent = Formula::opaque("div", extent - Formula(1), Formula(step)) + Formula(1);
        if (!least) {
          least = extent;
        } else if (!(*least == extent)) {
          const std::optional<int64_t> difference = (*least - extent).number();
          if (!difference) {
            fail(index->loc, "E0709",
                 "'" + index->name + "' may run over " + least->text() + " or over " + extent.text(),
                 "write its range: " + index->name + " in 0..min(" + least->text() + ", " + extent.text() + ")");
          }
          if (*difference > 0) least = extent;
        }
      }
      if (!least || waits) continue;
      index->range = Index::Range::kFitted;
      index->high = *least;
      index->range_from = "its subscripts";
      changed = true;
    }
  }
  for (Index* index : indices) {
    if (index->range == Index::Range::kNone) {
      const bool has_use = std::any_of(uses_.begin(), uses_.end(), [&](const IndexUse& use) {
        const auto& used = use.subscript->indices;
        return std::find(used.begin(), used.end(), index) != used.end();
      });
      fail(index->loc, "E0709",
           "nothing says how far '" + index->name + "' runs" +
               (has_use ? ": its uses have an edge rule, or other subscripts" : ""),
           "write it: " + index->name + " in 0..n");
    }
    number_index(*index);
  }
  warn_of_comparisons();
}

// `j <= b` of an index over `time` and one over `batch`; `i < n` of numbers says nothing.
void Compiler::warn_of_comparisons() {
  for (const Expr* expr : compared_) {
    const Index& a = *plain(*expr->children[0]).index;
    const Index& b = *plain(*expr->children[1]).index;
    if (a.range == Index::Range::kWritten || b.range == Index::Range::kWritten || a.high == b.high) continue;
    if (!a.high.lone_name() || !b.high.lone_name()) continue;
    warn(expr->loc, "W0604", "compares an index over '" + a.high.text() + "' with one over '" + b.high.text() + "'",
         "if it is meant: " + quote(*expr) + " + 0");
  }
  compared_.clear();
}

void Compiler::number_index(Index& index) {
  if (!lowering_) return;
  index.first = value_of(index.low, index.loc);
  index.extent = value_of(index.high, index.loc) - index.first;
  if (index.extent >= 0) return;
  fail(index.loc, "E0648",
       "the range of '" + index.name + "' runs backwards: " + index.low.text() + ".." + index.high.text(),
       "from " + std::to_string(index.first) + " to " + std::to_string(index.first + index.extent));
}

}  // namespace sinter::grain
