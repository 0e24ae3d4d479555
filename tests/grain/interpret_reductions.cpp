// Reductions and updates, one index value after the other.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tests/grain/interpret.h"

namespace sinter::grain_test {

using grain::Expr;
using grain::Subscript;

Value Interpreter::evaluate_reduce(const Expr& expr, const Wanted& wanted) {
  const std::string& word = expr.text;
  std::vector<std::pair<std::string, Range>> indices;
  for (const grain::Binder& binder : expr.binders) {
    const auto known = call_->ranges.find(&binder);
    if (known == call_->ranges.end() && !probes_) throw Meaningless("an index without a range");
    indices.emplace_back(binder.name, known == call_->ranges.end() ? Range{0, 1} : known->second);
  }
  const Expr& term = *expr.children[0];
  std::vector<Value> terms;
  Dims counts;
  for (const auto& [name, range] : indices) counts.push_back(range.low);
  std::vector<int64_t> places;  // of the first index, for argmax
  each_index(indices, [&] {
    if (expr.condition && evaluate(*expr.condition).one.integer == 0) return;
    places.push_back(call_->indices[indices[0].first]);
    terms.push_back(evaluate(term, wanted));
  });
  // Of nothing, the type alone is asked for.
  Value like;
  if (terms.empty()) {
    const bool was_probing = probes_;
    std::map<std::string, int64_t> before = call_->indices;
    probes_ = true;
    for (const auto& [name, range] : indices) call_->indices[name] = range.low;
    like = evaluate(term, wanted);
    call_->indices = std::move(before);
    probes_ = was_probing;
  } else {
    like = terms[0];
  }
  if (word == "reduce") {
    const grain::Function* function = find_function(expr.function);
    Value result = evaluate(*expr.children[1], {like.is_typed() ? std::optional(like.dtype) : std::nullopt, nullptr});
    for (const Value& value : terms) result = call_lifted(*function, {result, value}).at(0);
    return result;
  }
  if (like.is_open()) {
    if (!wanted.dtype) return Value::open(like.is_whole, {});
    like = settled(like, *wanted.dtype);
    for (Value& value : terms) value = settled(value, *wanted.dtype);
  }
  const DType dtype = like.dtype;
  if (word == "any" || word == "all") {
    const auto is_true = [](const Value& value) { return value.one.integer != 0; };
    return Value::pred(word == "any" ? std::any_of(terms.begin(), terms.end(), is_true)
                                     : std::all_of(terms.begin(), terms.end(), is_true));
  }
  if (word == "argmax" || word == "argmin") {
    if (terms.empty()) return Value::integer(DType::kS32, indices[0].second.low);
    size_t best = 0;
    const auto is_nan = [&](size_t i) { return is_float(dtype) && std::isnan(terms[i].one.real); };
    for (size_t i = 1; i < terms.size(); ++i) {
      if (is_nan(best)) break;
      if (is_nan(i) || holds(word == "argmax" ? ">" : "<", dtype, terms[i].one, terms[best].one)) best = i;
    }
    return Value::integer(DType::kS32, places[best]);
  }
  if (word == "max" || word == "min") {
    Cell result;
    const bool is_max = word == "max";
    if (is_float(dtype)) {
      result.real = is_max ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    } else {
      const int64_t low = is_signed_integer(dtype) ? int64_t{-1} << (dtype_bits(dtype) - 1) : 0;
      result = is_max ? Cell{low, 0, 0} : combine("-", dtype, {low, 0, 0}, {1, 0, 0});
    }
    for (const Value& value : terms) result = combine(word, dtype, result, value.one);
    return Value::typed(dtype, result);
  }
  // Sums of floats are rounded once (docs/numerics.md: they accumulate in f64).
  const std::string sign = word == "prod" ? "*" : "+";
  const bool accumulates = sign == "+" && is_float(dtype);
  const DType inside = accumulates ? DType::kF64 : dtype;
  Cell result = word == "prod" ? power(dtype, {}, 0) : Cell();
  for (const Value& value : terms) result = combine(sign, inside, result, value.one);
  if (accumulates) result.real = rounded(dtype, result.real);
  if (word == "mean") result = combine("/", dtype, result, {0, rounded(dtype, static_cast<double>(terms.size())), 0});
  return Value::typed(dtype, result);
}

Value Interpreter::evaluate_with(const Expr& expr, const Wanted& wanted) {
  Value base = evaluate(*expr.children[0], wanted);
  if (base.dims.empty() && wanted.dims != nullptr) base = repeated(base, *wanted.dims);
  if (base.is_record()) throw Unknown("an update of records");
  if (base.is_open()) throw Meaningless("an update of what has no type");
  std::vector<std::pair<std::string, Range>> indices;
  for (const std::string& name : update_indices(expr)) {
    const auto known = call_->ranges.find(update_key(expr, name));
    if (known == call_->ranges.end() && !probes_) throw Meaningless("an index without a range");
    indices.emplace_back(name, known == call_->ranges.end() ? Range{0, 1} : known->second);
  }
  const auto has_rule = [&](size_t i, const std::string& name) {
    const bool each = expr.rules.size() == expr.subscripts.size() && expr.rules.size() > 1;
    return std::any_of(expr.rules.begin(), expr.rules.end(), [&](const grain::Rule& rule) {
      return rule.name == name && (!each || &rule == &expr.rules[i] || name == "unique");
    });
  };
  Value result = base;
  result.many = std::make_shared<std::vector<Cell>>(*base.many);
  std::set<int64_t> written;
  const std::string sign = expr.text.substr(0, expr.text.size() - 1);
  each_index(indices, [&] {
    const Value value = settle(evaluate(*expr.children[1], {base.dtype, nullptr}), *expr.children[1], base.dtype);
    Dims firsts, extents;
    bool is_dropped = false;
    for (size_t i = 0; i < expr.subscripts.size(); ++i) {
      const Subscript& subscript = expr.subscripts[i];
      const int64_t dim = base.dims[i];
      if (!subscript.value && !subscript.binder) {
        firsts.push_back(0);
        extents.push_back(dim);
        continue;
      }
      if (subscript.high && !subscript.binder) {
        firsts.push_back(integer(*subscript.value));
        extents.push_back(integer(*subscript.high) - firsts.back());
        continue;
      }
      int64_t at = subscript.binder ? call_->indices.at(subscript.binder->name) : integer(*subscript.value);
      if (at < 0 || at >= dim) {
        if (has_rule(i, "clamp")) {
          at = std::clamp<int64_t>(at, 0, dim - 1);
        } else if (has_rule(i, "wrap")) {
          at = ((at % dim) + dim) % dim;
        } else if (has_rule(i, "drop")) {
          is_dropped = true;
        } else if (!probes_) {
          throw Meaningless("a place is outside");
        }
      }
      firsts.push_back(at);
      extents.push_back(1);
    }
    if (is_dropped || probes_) return;
    size_t from = 0;
    each_place(extents, [&](const Dims& place) {
      Dims at = place;
      for (size_t i = 0; i < at.size(); ++i) at[i] += firsts[i];
      const int64_t to = position(base.dims, at);
      const Cell& given = value.cell(value.dims.empty() ? 0 : from++);
      Cell& cell = (*result.many)[static_cast<size_t>(to)];
      if (sign.empty()) {
        if (!written.insert(to).second) throw Meaningless("a place is written twice");
        cell = given;
      } else {
        cell = combine(sign, base.dtype, cell, given);
      }
    });
  });
  return result;
}

}  // namespace sinter::grain_test
