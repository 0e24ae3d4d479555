// Expressions: constants stay without a type until they meet a value, and what is open but no constant is computed
// again with the type that it meets.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/grain/interpret.h"

namespace sinter::grain_test {

using grain::Expr;
using grain::Subscript;

namespace {

bool is_comparison(const std::string& sign) {
  return sign == "==" || sign == "!=" || sign == "<" || sign == "<=" || sign == ">" || sign == ">=";
}

double real_of(const Value& constant) {
  return constant.is_whole ? static_cast<double>(constant.one.integer) : constant.one.real;
}

// Records inside say their dimensions, too.
void with_outer(Value& value, size_t before, const Dims& dims) {
  if (!value.is_record()) return;
  Dims all = dims;
  all.insert(all.end(), value.dims.begin() + static_cast<int64_t>(before), value.dims.end());
  value.dims = all;
  for (Value& field : value.fields) with_outer(field, before, dims);
}

Value fold(const std::string& sign, const Value& a, const Value& b) {
  const double x = real_of(a), y = real_of(b);
  if (is_comparison(sign)) {
    return Value::pred(sign == "=="   ? x == y
                       : sign == "!=" ? x != y
                       : sign == "<"  ? x < y
                       : sign == "<=" ? x <= y
                       : sign == ">"  ? x > y
                                      : x >= y);
  }
  if (a.is_whole && b.is_whole && !(sign == "**" && b.one.integer < 0)) {
    const int64_t m = a.one.integer, n = b.one.integer;
    if (sign == "/") {
      if (n == 0 || m % n != 0) throw Meaningless("a division of constants leaves a rest");
      return Value::whole(m / n);
    }
    if (sign == "**") {
      __int128 result = 1;
      for (int64_t i = 0; i < n && result < INT64_MAX && result > INT64_MIN; ++i) result *= m;
      if (result > INT64_MAX || result < INT64_MIN) throw Meaningless("a power of constants is beyond 64 bits");
      return Value::whole(static_cast<int64_t>(result));
    }
    if (sign == "%") {
      if (n == 0) throw Meaningless("a division of constants by 0");
      return Value::whole(n == -1 ? 0 : m % n);
    }
    return Value::whole(combine(sign, DType::kS64, a.one, b.one).integer);
  }
  if (sign == "%") return Value::fraction(std::fmod(x, y));
  return Value::fraction(combine(sign, DType::kF64, {0, x, 0}, {0, y, 0}).real);
}

}  // namespace

int64_t Interpreter::integer(const Expr& expr) {
  Value value = evaluate(expr);
  if (value.is_open() && !value.is_constant()) value = evaluate(expr, {DType::kS32, nullptr});
  if (value.is_open() && !value.is_whole) throw Meaningless("a fraction where an integer belongs");
  return value.one.integer;
}

void Interpreter::each_index(const std::vector<std::pair<std::string, Range>>& indices,
                             const std::function<void()>& visit) {
  Dims extents;
  for (const auto& [name, range] : indices) extents.push_back(range.high - range.low);
  std::map<std::string, int64_t> before = call_->indices;
  each_place(extents, [&](const Dims& place) {
    for (size_t i = 0; i < place.size(); ++i) call_->indices[indices[i].first] = indices[i].second.low + place[i];
    visit();
  });
  call_->indices = std::move(before);
}

Value Interpreter::evaluate(const Expr& expr, const Wanted& wanted) {
  if (++steps_ > kMaxSteps) throw Unknown("it takes too long");
  Value value;
  switch (expr.kind) {
    case Expr::Kind::kNumber: {
      const std::string& digits = expr.text;
      if (digits == "true" || digits == "false") return Value::pred(digits == "true");
      if (digits == "inf") {
        value = Value::fraction(std::numeric_limits<double>::infinity());
      } else if (digits == "nan") {
        value = Value::fraction(std::numeric_limits<double>::quiet_NaN());
      } else if (expr.is_float) {
        value = Value::fraction(std::stod(digits));
      } else {
        value =
            Value::whole(static_cast<int64_t>(std::stoull(digits, nullptr, digits.find_first_of("xX") == 1 ? 16 : 10)));
      }
      break;
    }
    case Expr::Kind::kName:
      value = evaluate_name(expr);
      break;
    case Expr::Kind::kPrimed: {
      const Value* next = find(expr.text + "'");
      if (next == nullptr) throw Meaningless("a next value is read before it is defined");
      return *next;
    }
    case Expr::Kind::kUnary:
      value = evaluate_unary(expr, wanted);
      break;
    case Expr::Kind::kBinary:
      value = evaluate_binary(expr, wanted);
      break;
    case Expr::Kind::kIf:
      value = evaluate_if(expr, wanted);
      break;
    case Expr::Kind::kAccess:
      value = evaluate_access(expr, wanted);
      break;
    case Expr::Kind::kField:
      value = evaluate_field(expr);
      break;
    case Expr::Kind::kCall: {
      std::vector<Value> results = evaluate_call(expr, wanted);
      value = results.at(0);
      break;
    }
    case Expr::Kind::kArray: {
      std::vector<Value> elements;
      std::vector<const Expr*> exprs;
      for (const grain::ExprPtr& child : expr.children) {
        elements.push_back(evaluate(*child, wanted));
        exprs.push_back(child.get());
      }
      meet(elements, exprs, wanted);
      if (elements[0].is_open()) return Value::open(true, {static_cast<int64_t>(elements.size())});
      return stacked({static_cast<int64_t>(elements.size())}, elements, elements[0]);
    }
    case Expr::Kind::kReduce:
      value = evaluate_reduce(expr, wanted);
      break;
    case Expr::Kind::kWith:
      value = evaluate_with(expr, wanted);
      break;
    case Expr::Kind::kParens:
      return evaluate(*expr.children[0], wanted);
  }
  if (wanted.dtype && value.is_constant()) return settled(value, *wanted.dtype);
  return value;
}

// An open value in the type that it meets.
Value Interpreter::settle(Value value, const Expr& expr, DType dtype) {
  if (value.is_constant()) return settled(value, dtype);
  if (value.is_open()) return evaluate(expr, {dtype, nullptr});
  return value;
}

// Operands that meet have the type of those that have one, or else of what is wanted.
void Interpreter::meet(std::vector<Value>& operands, const std::vector<const Expr*>& exprs, const Wanted& wanted) {
  std::optional<DType> dtype;
  const std::function<void(const Value&)> look = [&](const Value& value) {
    if (value.is_typed() && !dtype) dtype = value.dtype;
    if (value.is_record() && !value.fields.empty()) look(value.fields[0]);
  };
  for (const Value& operand : operands) look(operand);
  if (!dtype) dtype = wanted.dtype;
  if (!dtype) return;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].is_open()) operands[i] = settle(operands[i], *exprs[i], *dtype);
  }
}

Value Interpreter::evaluate_name(const Expr& expr) {
  if (const auto index = call_->indices.find(expr.text); index != call_->indices.end())
    return Value::integer(DType::kS32, index->second);
  if (const Value* value = find(expr.text)) return *value;
  if (const auto dim = call_->dims.find(expr.text); dim != call_->dims.end()) return Value::whole(dim->second);
  if (const auto constant = call_->names->constants.find(expr.text); constant != call_->names->constants.end())
    return constant->second;
  if (expr.text == "pi") return Value::fraction(3.14159265358979323846);
  throw Meaningless("nothing is called " + expr.text);
}

Value Interpreter::evaluate_unary(const Expr& expr, const Wanted& wanted) {
  const Expr& operand = *expr.children[0];
  // A constant is turned around before it is rounded.
  Value a = evaluate(operand);
  if (a.is_constant()) {
    if (!a.is_whole) return Value::fraction(-a.one.real);
    return Value::whole(expr.text == "~" ? ~a.one.integer : -a.one.integer);
  }
  if (a.is_open()) {
    if (!wanted.dtype) return a;
    a = settle(a, operand, *wanted.dtype);
  }
  return by_array(a, [&](const Value& array) {
    const DType dtype = array.dtype;
    return lifted({array}, dtype, [&](const std::vector<Cell>& cells) -> Cell {
      if (expr.text == "not") return {cells[0].integer == 0 ? 1 : 0, 0, 0};
      if (expr.text == "~") return combine("^", dtype, cells[0], {-1, 0, 0});
      if (is_float(dtype) || is_complex(dtype)) return {0, -cells[0].real, -cells[0].imag};
      return combine("-", dtype, {}, cells[0]);
    });
  });
}

Value Interpreter::evaluate_binary(const Expr& expr, const Wanted& wanted) {
  const std::string& sign = expr.text;
  std::vector<Value> operands = {evaluate(*expr.children[0]), evaluate(*expr.children[1])};
  Value& a = operands[0];
  Value& b = operands[1];
  if (a.is_constant() && b.is_constant()) return fold(sign, a, b);
  if (sign == "**" && b.is_constant() && b.is_whole) {
    if (a.is_open()) {
      if (!wanted.dtype) return a;
      a = settle(a, *expr.children[0], *wanted.dtype);
    }
    return by_array(a, [&](const Value& array) {
      return lifted({array}, array.dtype,
                    [&](const std::vector<Cell>& cells) { return power(array.dtype, cells[0], b.one.integer); });
    });
  }
  const bool compares = is_comparison(sign);
  meet(operands, {expr.children[0].get(), expr.children[1].get()}, compares ? Wanted() : wanted);
  if (a.is_open()) {
    if (compares) throw Unknown("a comparison of open values");
    return Value::open(a.is_whole && b.is_whole, a.dims.empty() ? b.dims : a.dims);
  }
  const Value* like = &a;
  while (like->is_record()) like = &like->fields.at(0);
  if (a.is_record() || b.is_record()) {
    // Field by field, each in its type.
    const Value& record = a.is_record() ? a : b;
    Value result = record;
    for (size_t i = 0; i < record.fields.size(); ++i) {
      const Value x = a.is_record() ? a.fields[i] : a, y = b.is_record() ? b.fields[i] : b;
      const std::function<Value(const Value&, const Value&)> combined = [&](const Value& p, const Value& q) -> Value {
        if (p.is_record() || q.is_record()) {
          Value inner = p.is_record() ? p : q;
          for (size_t k = 0; k < inner.fields.size(); ++k)
            inner.fields[k] = combined(p.is_record() ? p.fields[k] : p, q.is_record() ? q.fields[k] : q);
          return inner;
        }
        return lifted({p, q}, p.dtype,
                      [&](const std::vector<Cell>& cells) { return combine(sign, p.dtype, cells[0], cells[1]); });
      };
      result.fields[i] = combined(x, y);
    }
    return result;
  }
  const DType dtype = a.dtype;
  if (a.dtype != b.dtype) throw Meaningless("two types meet in " + sign);
  return lifted({a, b}, compares ? DType::kPred : dtype, [&](const std::vector<Cell>& cells) -> Cell {
    if (compares) return {holds(sign, dtype, cells[0], cells[1]) ? 1 : 0, 0, 0};
    return combine(sign, dtype, cells[0], cells[1]);
  });
}

Value Interpreter::evaluate_if(const Expr& expr, const Wanted& wanted) {
  const Value condition = evaluate(*expr.children[0]);
  std::vector<Value> arms = {evaluate(*expr.children[1], wanted), evaluate(*expr.children[2], wanted)};
  meet(arms, {expr.children[1].get(), expr.children[2].get()}, wanted);
  if (arms[0].is_open()) {
    Dims dims = condition.dims;
    for (const Value& arm : arms) {
      if (dims.empty()) dims = arm.dims;
    }
    return Value::open(arms[0].is_whole && arms[1].is_whole, dims);
  }
  const std::function<Value(const Value&, const Value&)> choose = [&](const Value& a, const Value& b) -> Value {
    if (a.is_record() || b.is_record()) {
      Value result = a.is_record() ? a : b;
      if (result.dims.empty()) result.dims = condition.dims;
      for (size_t i = 0; i < result.fields.size(); ++i)
        result.fields[i] = choose(a.is_record() ? a.fields[i] : a, b.is_record() ? b.fields[i] : b);
      return result;
    }
    if (condition.dims.empty() && a.dims == b.dims) return condition.one.integer != 0 ? a : b;
    if (!condition.dims.empty() && a.dims.size() > condition.dims.size())
      throw Unknown("a choice among records with arrays");
    return lifted({condition, a, b}, a.dtype,
                  [](const std::vector<Cell>& cells) { return cells[0].integer != 0 ? cells[1] : cells[2]; });
  };
  return choose(arms[0], arms[1]);
}

Value Interpreter::evaluate_field(const Expr& expr) {
  const Expr& base = plain(*expr.children[0]);
  if (base.kind == Expr::Kind::kName && find(base.text) == nullptr) {
    std::optional<DType> dtype = dtype_from_name(base.text);
    if (const auto generic = call_->generics.find(base.text); generic != call_->generics.end()) dtype = generic->second;
    if (dtype && is_integer(*dtype)) {
      const Cell low{is_signed_integer(*dtype) ? int64_t{-1} << (dtype_bits(*dtype) - 1) : 0, 0, 0};
      return Value::typed(*dtype, expr.text == "lowest" ? low : combine("-", *dtype, low, {1, 0, 0}));
    }
    if (dtype && is_float(*dtype)) {
      const double infinity = std::numeric_limits<double>::infinity();
      double highest = 1, epsilon = 1;
      while (rounded(*dtype, highest * 2) < infinity && highest < 0x1p1023) highest *= 2;
      while (rounded(*dtype, 1 + epsilon / 2) > 1) epsilon /= 2;
      highest = highest * (2 - epsilon);
      return Value::typed(*dtype, {0, expr.text == "max" ? highest : expr.text == "lowest" ? -highest : epsilon, 0});
    }
  }
  if (base.kind == Expr::Kind::kCall) {
    const grain::Function* function = base.function.empty() ? find_function(base.text) : nullptr;
    if (function != nullptr && function->results.size() > 1) {
      const std::vector<Value> results = evaluate_call(base, {});
      for (size_t i = 0; i < results.size(); ++i) {
        if (function->results[i].name == expr.text) return results[i];
      }
    }
  }
  const Value value = evaluate(base);
  if (!value.is_record() || value.record == nullptr) throw Meaningless("a field of what has none");
  for (size_t i = 0; i < value.fields.size(); ++i) {
    if (value.record->fields[i].name == expr.text) return value.fields[i];
  }
  throw Meaningless("no field " + expr.text);
}

Value Interpreter::evaluate_access(const Expr& expr, const Wanted& wanted) {
  const Expr& inner = *expr.children[0];
  // What is named is not copied.
  const Value* named = inner.kind == Expr::Kind::kName && call_->indices.count(inner.text) == 0 ? find(inner.text)
                       : inner.kind == Expr::Kind::kPrimed                                      ? find(inner.text + "'")
                                                                                                : nullptr;
  const Value made = named != nullptr ? Value() : evaluate(inner, wanted);
  const Value& base = named != nullptr ? *named : made;
  if (base.dims.size() != expr.subscripts.size()) throw Meaningless("an access has another rank than its array");
  struct Axis {
    int64_t first = 0, extent = 1;
    bool stays = false;
  };
  std::vector<Axis> axes;
  const grain::Rule* pad = nullptr;
  bool is_padded = false;
  for (size_t i = 0; i < expr.subscripts.size(); ++i) {
    const Subscript& subscript = expr.subscripts[i];
    const int64_t dim = base.dims[i];
    if (!subscript.value) {
      axes.push_back({0, dim, true});
      continue;
    }
    int64_t at = integer(*subscript.value);
    if (subscript.high) {
      axes.push_back({at, integer(*subscript.high) - at, true});
      if (!probes_ && (at < 0 || axes.back().extent < 0 || at + axes.back().extent > dim))
        throw Meaningless("a slice is outside");
      continue;
    }
    const grain::Rule* rule = expr.rules.empty() ? nullptr : &expr.rules[expr.rules.size() == 1 ? 0 : i];
    if (at < 0 || at >= dim) {
      if (probes_) {
        at = 0;
      } else if (rule == nullptr) {
        throw Meaningless("a subscript is outside: " + std::to_string(at) + " of " + std::to_string(dim));
      } else if (rule->name == "clamp") {
        at = std::clamp<int64_t>(at, 0, dim - 1);
      } else if (rule->name == "wrap") {
        at = ((at % dim) + dim) % dim;
      } else {
        pad = rule;
        is_padded = true;
        at = 0;
      }
    }
    axes.push_back({at, 1, false});
  }
  Dims dims;
  for (const Axis& axis : axes) {
    if (axis.stays) dims.push_back(axis.extent);
  }
  Value accessed = by_array(base, [&](const Value& array) {
    Value result = array;
    // A record's field has dimensions of its own behind.
    Dims own(array.dims.begin() + static_cast<int64_t>(axes.size()), array.dims.end());
    result.dims = dims;
    result.dims.insert(result.dims.end(), own.begin(), own.end());
    std::optional<Value> filler;
    if (is_padded) filler = settle(evaluate(*pad->value, {array.dtype, nullptr}), *pad->value, array.dtype);
    Value cells = Value::array(array.dtype, result.dims);
    const int64_t size = count_of(own);
    size_t to = 0;
    each_place(dims, [&](const Dims& place) {
      int64_t from = 0;
      size_t next = 0;
      for (size_t i = 0; i < axes.size(); ++i)
        from = from * array.dims[i] + axes[i].first + (axes[i].stays ? place[next++] : 0);
      for (int64_t k = 0; k < size; ++k, ++to) {
        const auto at = static_cast<size_t>(from * size + k);
        if (filler) {
          (*cells.many)[to] = filler->one;
        } else if (!probes_ || (array.many && at < array.many->size())) {
          (*cells.many)[to] = array.cell(at);
        }
      }
    });
    result.many = cells.many;
    if (result.dims.empty()) {
      result.one = (*cells.many)[0];
      result.many = nullptr;
    }
    return result;
  });
  with_outer(accessed, base.dims.size(), dims);
  return accessed;
}

}  // namespace sinter::grain_test
