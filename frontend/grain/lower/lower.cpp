// Expressions to instructions. A value inside a larger frame stays at its own; it is broadcast by the operation that
// needs it so, and nothing is computed more often than it is written.
#include <algorithm>
#include <limits>

#include "frontend/grain/compiler.h"

namespace sinter::grain {
namespace {

bool contains(const Frame& frame, const Index* index) {
  return std::find(frame.begin(), frame.end(), index) != frame.end();
}

std::optional<int64_t> product(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

// Intervals beyond the type's range say nothing: its numbers wrap.
std::optional<Interval> in_type(std::optional<Interval> interval, DType dtype) {
  if (!interval || !is_integer(dtype)) return std::nullopt;
  return interval->within(range_of(dtype)) ? interval : std::nullopt;
}

std::optional<Interval> interval_after(const std::string& sign, const std::optional<Interval>& a,
                                       const std::optional<Interval>& b) {
  if (!b) return std::nullopt;
  if (sign == "%" && b->low > 0) {
    const int64_t most = b->high - 1;
    if (!a) return Interval{-most, most};
    if (a->low >= 0) return Interval{0, std::min(a->high, most)};
    return Interval{-most, most};
  }
  if (!a) return std::nullopt;
  if (sign == "+") return Interval{a->low + b->low, a->high + b->high};
  if (sign == "-") return Interval{a->low - b->high, a->high - b->low};
  if (sign == "min") return Interval{std::min(a->low, b->low), std::min(a->high, b->high)};
  if (sign == "max") return Interval{std::max(a->low, b->low), std::max(a->high, b->high)};
  if (sign == "/" && b->low > 0) {
    const auto [low, high] = std::minmax({a->low / b->low, a->low / b->high, a->high / b->low, a->high / b->high});
    return Interval{low, high};
  }
  if (sign == "*") {
    Interval result{INT64_MAX, INT64_MIN};
    for (const int64_t x : {a->low, a->high}) {
      for (const int64_t y : {b->low, b->high}) {
        const std::optional<int64_t> p = product(x, y);
        if (!p) return std::nullopt;
        result = {std::min(result.low, *p), std::max(result.high, *p)};
      }
    }
    return result;
  }
  return std::nullopt;
}

}  // namespace

Dims Compiler::frame_dims(const Frame& frame) const {
  Dims dims;
  for (const Index* index : frame) dims.push_back(index->extent);
  return dims;
}

Dims Compiler::type_dims(const Part& part) const {
  const Dims& dims = part.value->shape.dims;
  return Dims(dims.begin() + static_cast<int64_t>(part.frame.size()), dims.end());
}

// The frame of all parts: the largest one's order where it has every index, else the order of binding.
Frame Compiler::join(const std::vector<Part>& parts) const {
  const Part* largest = &parts[0];
  Frame all;
  for (const Part& part : parts) {
    if (part.frame.size() > largest->frame.size()) largest = &part;
    for (const Index* index : part.frame) {
      if (!contains(all, index)) all.push_back(index);
    }
  }
  if (largest->frame.size() == all.size()) return largest->frame;
  std::sort(all.begin(), all.end(), [](const Index* a, const Index* b) { return a->serial < b->serial; });
  return all;
}

// The part with these axes: transposed where the order differs, broadcast along what it lacks.
Instruction* Compiler::expand(const Part& part, const Frame& frame, const Dims& type_dims) {
  Dims permutation, where;
  for (size_t i = 0; i < frame.size(); ++i) {
    const auto found = std::find(part.frame.begin(), part.frame.end(), frame[i]);
    if (found == part.frame.end()) continue;
    permutation.push_back(found - part.frame.begin());
    where.push_back(static_cast<int64_t>(i));
  }
  sinter::check(permutation.size() == part.frame.size(), "grain", "a frame lacks an index of " + part.value->name);
  for (size_t d = 0; d < part.type_rank(); ++d) {
    permutation.push_back(static_cast<int64_t>(part.frame.size() + d));
    where.push_back(static_cast<int64_t>(frame.size() + d));
  }
  Dims dims = frame_dims(frame);
  dims.insert(dims.end(), type_dims.begin(), type_dims.end());
  return builder_.broadcast(builder_.transpose(builder_.here(part.value), permutation), dims, where);
}

Part Compiler::elementwise(Opcode opcode, const std::vector<Part>& parts, const Attributes& attributes) {
  Part result;
  result.frame = join(parts);
  Dims dims;
  for (const Part& part : parts) {
    if (part.type_rank() > dims.size()) dims = type_dims(part);
  }
  std::vector<Instruction*> operands;
  for (const Part& part : parts) operands.push_back(expand(part, result.frame, dims));
  result.value = builder_.make(opcode, operands, attributes);
  return result;
}

Part Compiler::one(DType dtype, double value) {
  Part part{builder_.number(dtype, value), {}, std::nullopt};
  if (is_integer(dtype)) part.interval = Interval{static_cast<int64_t>(value), static_cast<int64_t>(value)};
  return part;
}

Value Compiler::lower_number(const Number& number, const Element& element) {
  Value value;
  value.type.element = element;
  Part part;
  if (is_float(element.dtype)) {
    part.value = builder_.constant(real_literal(element.dtype, number.real));
  } else if (is_complex(element.dtype)) {
    part.value = builder_.number(element.dtype, number.real);
  } else {
    part.value = builder_.constant(integer_literal(element.dtype, number.integer));
    if (element.is_integer()) part.interval = Interval{number.integer, number.integer};
  }
  value.parts.push_back(part);
  return value;
}

Value Compiler::by_leaf(const Type& type, const std::vector<Value>& operands,
                        const std::function<Part(const std::vector<Part>&)>& apply) {
  Value result;
  result.type = type;
  size_t count = 1;
  for (const Value& operand : operands) count = std::max(count, operand.parts.size());
  for (size_t leaf = 0; leaf < count; ++leaf) {
    std::vector<Part> parts;
    for (const Value& operand : operands)
      parts.push_back(operand.parts.size() == 1 ? operand.parts[0] : operand.parts[leaf]);
    result.parts.push_back(apply(parts));
  }
  return result;
}

Value Compiler::lower(Expr& expr) {
  const Deeper deeper(*this, expr.loc);
  if (expr.number) {
    if (expr.type.element.is_open()) {
      // It never met a value: a subscript, a bound.
      return lower_number(*expr.number, Element::of(expr.number->is_integer ? DType::kS32 : DType::kF32));
    }
    return lower_number(*expr.number, expr.type.element);
  }
  Value value;
  switch (expr.kind) {
    case Expr::Kind::kNumber:
      break;
    case Expr::Kind::kName: {
      if (const Index* index = expr.index) {
        Part part;
        part.frame = {index};
        part.value = builder_.iota(DType::kS32, {index->extent}, 0);
        if (index->first != 0) {
          const Part offset = one(DType::kS32, static_cast<double>(index->first));
          part = elementwise(Opcode::kAdd, {part, offset});
        }
        part.interval = Interval{index->first, index->first + index->extent - 1};
        value.parts.push_back(part);
      } else {
        const Binding* known = find(expr.text);
        value = known != nullptr ? known->value : weights_.at(names().weights.at(expr.text));
      }
      break;
    }
    case Expr::Kind::kPrimed:
      value = find(expr.text + "'")->value;
      break;
    case Expr::Kind::kUnary:
      value = lower_unary(expr);
      break;
    case Expr::Kind::kBinary:
      value = lower_binary(expr);
      break;
    case Expr::Kind::kIf:
      value = lower_if(expr);
      break;
    case Expr::Kind::kAccess:
      value = lower_access(expr);
      break;
    case Expr::Kind::kField:
      value = lower_field(expr);
      break;
    case Expr::Kind::kCall: {
      if (!expr.function.empty() || dtype_from_name(expr.text) || call_->generics.count(expr.text) != 0) {
        value = lower_conversion(expr);
      } else if (expr.callee != nullptr) {
        value = lower_user_call(expr)[0];
      } else if (expr.type.element.is_record() && find_record(expr.text) != nullptr && !is_library(expr.text)) {
        for (size_t i = 0; i < expr.placed.size(); ++i) {
          Value field = lower(**expr.placed[i]);
          const Type type = field_type(expr.type.element, find_record(expr.text)->fields[i]);
          // One element goes with an array of records.
          Type whole = type;
          whole.dims = expr.type.dims;
          whole.dims.insert(whole.dims.end(), type.dims.begin(), type.dims.end());
          if (field.type.rank() != whole.rank()) field = broadcast_to(field, whole);
          value.parts.insert(value.parts.end(), field.parts.begin(), field.parts.end());
        }
      } else {
        value = lower_library(expr)[0];
      }
      break;
    }
    case Expr::Kind::kArray:
      value = lower_array(expr);
      break;
    case Expr::Kind::kReduce:
      value = lower_reduce(expr);
      break;
    case Expr::Kind::kWith:
      value = lower_with(expr);
      break;
    case Expr::Kind::kParens:
      value = lower(*expr.children[0]);
      break;
  }
  value.type = expr.type;
  return value;
}

Value Compiler::lower_unary(Expr& expr) {
  const Value a = lower(*expr.children[0]);
  const Opcode opcode = expr.text == "-" ? Opcode::kNegate : Opcode::kNot;
  return by_leaf(expr.type, {a}, [&](const std::vector<Part>& parts) {
    Part result = elementwise(opcode, parts);
    if (expr.text == "-" && parts[0].interval) {
      result.interval = in_type(Interval{-parts[0].interval->high, -parts[0].interval->low}, result.value->shape.dtype);
    }
    return result;
  });
}

Part Compiler::arithmetic(const std::string& sign, const Part& a, const Part& b) {
  static const std::map<std::string, Opcode> kOpcodes = {
      {"+", Opcode::kAdd},       {"-", Opcode::kSubtract}, {"*", Opcode::kMultiply},   {"/", Opcode::kDivide},
      {"%", Opcode::kRemainder}, {"&", Opcode::kAnd},      {"|", Opcode::kOr},         {"^", Opcode::kXor},
      {"and", Opcode::kAnd},     {"or", Opcode::kOr},      {"<<", Opcode::kShiftLeft}, {"**", Opcode::kPower},
      {"min", Opcode::kMinimum}, {"max", Opcode::kMaximum}};
  static const std::map<std::string, std::string> kDirections = {{"==", "EQ"}, {"!=", "NE"}, {"<", "LT"},
                                                                 {"<=", "LE"}, {">", "GT"},  {">=", "GE"}};
  if (const auto direction = kDirections.find(sign); direction != kDirections.end()) {
    Attributes attributes;
    attributes.direction = direction->second;
    return elementwise(Opcode::kCompare, {a, b}, attributes);
  }
  Opcode opcode = Opcode::kAdd;
  if (sign == ">>") {
    opcode = is_signed_integer(a.value->shape.dtype) ? Opcode::kShiftRightArithmetic : Opcode::kShiftRightLogical;
  } else {
    opcode = kOpcodes.at(sign);
  }
  Part result = elementwise(opcode, {a, b});
  result.interval = in_type(interval_after(sign, a.interval, b.interval), result.value->shape.dtype);
  return result;
}

// x ** k of a whole k is products, as JAX's integer_pow multiplies; another exponent is a `power`.
Part Compiler::power(const Part& base, Expr& exponent) {
  if (exponent.number && exponent.number->is_integer && exponent.type.element.is_open()) {
    int64_t k = exponent.number->integer;
    const bool is_inverse = k < 0;
    k = std::abs(k);
    const DType dtype = base.value->shape.dtype;
    std::optional<Part> result;
    Part square = base;
    for (; k > 0; k /= 2) {
      if (k % 2 == 1) result = result ? arithmetic("*", *result, square) : square;
      if (k > 1) square = arithmetic("*", square, square);
    }
    if (!result) {
      Part ones = one(dtype, 1);
      return {expand(ones, base.frame, type_dims(base)), base.frame, std::nullopt};
    }
    return is_inverse ? arithmetic("/", one(dtype, 1), *result) : *result;
  }
  return arithmetic("**", base, lower(exponent).parts[0]);
}

Value Compiler::lower_binary(Expr& expr) {
  Expr& a = *expr.children[0];
  Expr& b = *expr.children[1];
  const Value x = lower(a);
  if (expr.text == "**") {
    if (b.number && b.number->is_integer && b.type.element.is_open()) {
      return by_leaf(expr.type, {x}, [&](const std::vector<Part>& parts) { return power(parts[0], b); });
    }
    const Value y = lower(b);
    return by_leaf(expr.type, {x, y},
                   [&](const std::vector<Part>& parts) { return arithmetic("**", parts[0], parts[1]); });
  }
  const Value y = lower(b);
  return by_leaf(expr.type, {x, y},
                 [&](const std::vector<Part>& parts) { return arithmetic(expr.text, parts[0], parts[1]); });
}

Value Compiler::lower_if(Expr& expr) {
  const Value condition = lower(*expr.children[0]);
  const Value a = lower(*expr.children[1]);
  const Value b = lower(*expr.children[2]);
  return by_leaf(expr.type, {condition, a, b}, [&](const std::vector<Part>& parts) {
    Part result = elementwise(Opcode::kSelect, parts);
    if (const std::optional<Interval> either = hull(parts[1].interval, parts[2].interval)) result.interval = either;
    return result;
  });
}

Value Compiler::field_of(const Value& value, const std::string& field) {
  Value result;
  size_t first = 0;
  for (const Slot& slot : value.type.element.record->fields) {
    const Type type = field_type(value.type.element, slot);
    const size_t count = leaves(type.element).size();
    if (slot.name == field) {
      result.parts.assign(value.parts.begin() + static_cast<int64_t>(first),
                          value.parts.begin() + static_cast<int64_t>(first + count));
      result.type = type;
      return result;
    }
    first += count;
  }
  return result;
}

Value Compiler::lower_field(Expr& expr) {
  Expr& base = *expr.children[0];
  Expr& inner = plain(base);
  if (inner.kind == Expr::Kind::kCall && inner.callee != nullptr && inner.callee->results.size() > 1) {
    const std::vector<Value> values = lower_user_call(inner);
    for (size_t i = 0; i < values.size(); ++i) {
      if (inner.callee->results[i].name == expr.text) return values[i];
    }
  }
  return field_of(lower(base), expr.text);
}

// One behind the other along the first axis of their own, or stacked along a new one before it; leaf by leaf.
Value Compiler::concatenate(const std::vector<Value>& values, bool stacked) {
  Value result;
  for (size_t leaf = 0; leaf < values[0].parts.size(); ++leaf) {
    std::vector<Part> parts;
    for (const Value& value : values) parts.push_back(value.parts[leaf]);
    Part joined = {.value = nullptr, .frame = join(parts), .interval = parts[0].interval};
    std::vector<Instruction*> pieces;
    for (const Part& part : parts) {
      const Dims dims = type_dims(part);
      pieces.push_back(expand(part, joined.frame, dims));
      joined.interval = hull(joined.interval, part.interval);
      if (!stacked) continue;
      Dims with_axis = frame_dims(joined.frame);
      with_axis.push_back(1);
      with_axis.insert(with_axis.end(), dims.begin(), dims.end());
      pieces.back() = builder_.reshape(pieces.back(), with_axis);
    }
    joined.value = builder_.concatenate(pieces, joined.frame.size());
    result.parts.push_back(joined);
  }
  return result;
}

Value Compiler::lower_array(Expr& expr) {
  std::vector<Value> children;
  for (const ExprPtr& child : expr.children) children.push_back(lower(*child));
  return concatenate(children, true);
}

Value Compiler::lower_conversion(Expr& expr) {
  const Value from = lower(*expr.arguments[0].value);
  const DType dtype = expr.type.element.dtype;
  return by_leaf(expr.type, {from}, [&](const std::vector<Part>& parts) {
    Part result = parts[0];
    Instruction* value = builder_.here(parts[0].value);
    if (!expr.function.empty()) {
      const Shape shape = Shape::array(dtype, value->shape.dims);
      result.value = value->shape.dtype == dtype ? value : builder_.make_as(Opcode::kBitcastConvert, shape, {value});
      result.interval.reset();
      return result;
    }
    const DType old = value->shape.dtype;
    if (dtype == DType::kPred && old != DType::kPred) {
      return arithmetic("!=", parts[0], one(old, 0));
    }
    if (is_complex(old) && !is_complex(dtype)) value = builder_.make(Opcode::kReal, {value});
    result.value = builder_.convert(value, dtype);
    if (old == DType::kPred) result.interval = Interval{0, 1};
    if (is_integer(old) && dtype_bits(old) < 32 && !result.interval) result.interval = range_of(old);
    result.interval = in_type(result.interval, dtype);
    return result;
  });
}

// The last axes of a part's type become indices.
Part Compiler::lift(const Part& part, const std::vector<const Index*>& axes) {
  if (part.type_rank() < axes.size()) return part;  // a single element
  Part result = part;
  result.frame.insert(result.frame.end(), axes.begin(), axes.end());
  return result;
}

// And back: these indices become the first axes of its type.
Part Compiler::lower_axes(const Part& part, const std::vector<const Index*>& axes) {
  Frame frame;
  for (const Index* index : part.frame) {
    if (std::find(axes.begin(), axes.end(), index) == axes.end()) frame.push_back(index);
  }
  Frame whole = frame;
  whole.insert(whole.end(), axes.begin(), axes.end());
  Part result = part;
  result.value = expand(part, whole, type_dims(part));
  result.frame = frame;
  return result;
}

}  // namespace sinter::grain
