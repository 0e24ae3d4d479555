// Reductions: `reduce` along the axes of their indices; the sum of a product of two is a `dot`.
#include <algorithm>

#include "frontend/grain/compiler.h"
#include "frontend/grain/lower/reduction.h"

namespace sinter::grain {
namespace {

// The integer that every other is above, or below.
Literal limit(DType dtype, bool low) {
  const int bits = dtype_bits(dtype);
  if (!is_signed_integer(dtype)) {
    return integer_literal(dtype, low ? 0 : bits == 64 ? -1 : (int64_t{1} << bits) - 1);
  }
  const int64_t most = bits == 64 ? INT64_MAX : (int64_t{1} << (bits - 1)) - 1;
  return integer_literal(dtype, low ? -most - 1 : most);
}

// The factors of a product, through parentheses.
void collect_factors(Expr& expr, std::vector<Expr*>& factors) {
  Expr& inner = plain(expr);
  if (inner.kind == Expr::Kind::kBinary && inner.text == "*" && !inner.number) {
    collect_factors(*inner.children[0], factors);
    collect_factors(*inner.children[1], factors);
  } else {
    factors.push_back(&inner);
  }
}

// f32(x) of a narrower float, s32(x) of a narrower integer of the same sign: a dot takes x.
Expr* narrow_operand(Expr& expr, DType wide) {
  if (expr.kind != Expr::Kind::kCall || !expr.function.empty() || expr.arguments.size() != 1) return nullptr;
  if (expr.text != dtype_name(wide)) return nullptr;
  Expr& inner = *expr.arguments[0].value;
  const Element& from = inner.type.element;
  if (!from.is_dtype() || inner.number) return nullptr;
  const bool same_class = dtype_class(from.dtype) == dtype_class(wide);
  return same_class && dtype_bits(from.dtype) < dtype_bits(wide) ? &inner : nullptr;
}

}  // namespace

// The part with all of these indices among its axes.
Part Compiler::with_frame(const Part& part, const std::vector<Index*>& indices) {
  Frame frame = part.frame;
  for (const Index* index : indices) {
    if (std::find(frame.begin(), frame.end(), index) == frame.end()) frame.push_back(index);
  }
  Part result = part;
  result.value = expand(part, frame, type_dims(part));
  result.frame = frame;
  return result;
}

Part Compiler::reduce_part(const Part& part, const std::vector<Index*>& indices, Opcode opcode, double initial) {
  const Part whole = with_frame(part, indices);
  const DType dtype = whole.value->shape.dtype;
  Attributes attributes;
  attributes.dimensions = Dims();
  Part result;
  for (size_t i = 0; i < whole.frame.size(); ++i) {
    if (std::find(indices.begin(), indices.end(), whole.frame[i]) != indices.end()) {
      attributes.dimensions->push_back(static_cast<int64_t>(i));
    } else {
      result.frame.push_back(whole.frame[i]);
    }
  }
  Instruction* start = nullptr;
  if (is_integer(dtype) && (opcode == Opcode::kMaximum || opcode == Opcode::kMinimum)) {
    start = builder_.constant(limit(dtype, opcode == Opcode::kMaximum));
  } else {
    start = builder_.number(dtype, initial);
  }
  attributes.to_apply = builder_.combiner(opcode, dtype);
  result.value = builder_.make(Opcode::kReduce, {whole.value, start}, attributes);
  return result;
}

Value Compiler::lower_reduce(Expr& expr) {
  const std::string& word = expr.text;
  if (word == "reduce") return lower_user_reduce(expr);
  if (word == "argmax" || word == "argmin") return lower_argmax(expr);
  Value result;
  result.type = expr.type;
  std::vector<Index*> indices;
  for (const Binder& binder : expr.binders) {
    number_index(*binder.index);
    indices.push_back(binder.index);
  }
  if (word == "sum" && !expr.condition) {
    if (const std::optional<Part> contraction = lower_contraction(expr)) {
      result.parts.push_back(*contraction);
      return result;
    }
  }
  if (!expr.condition) {
    if (const std::optional<Part> window = lower_reduce_window(expr)) {
      result.parts.push_back(*window);
      return result;
    }
  }
  Part term = lower(*expr.children[0]).parts[0];
  const std::optional<Interval> interval = term.interval;
  const DType dtype = term.value->shape.dtype;
  Opcode opcode = Opcode::kAdd;
  double identity = 0;
  if (word == "prod") opcode = Opcode::kMultiply, identity = 1;
  if (word == "max") opcode = Opcode::kMaximum, identity = lowest(dtype);
  if (word == "min") opcode = Opcode::kMinimum, identity = -lowest(dtype);
  if (word == "any") opcode = Opcode::kOr;
  if (word == "all") opcode = Opcode::kAnd, identity = 1;
  int64_t count = 1;
  for (const Index* index : indices) count *= index->extent;
  std::optional<Part> kept;
  if (expr.condition) {
    kept = lower(*expr.condition).parts[0];
    Part other = one(dtype, identity);
    if (is_integer(dtype) && (word == "max" || word == "min"))
      other = {builder_.constant(limit(dtype, word == "max")), {}, std::nullopt};
    term = elementwise(Opcode::kSelect, {*kept, term, other});
  }
  Part reduced = reduce_part(term, indices, opcode, identity);
  if (interval && !expr.condition && count > 0) {
    if (word == "max" || word == "min") reduced.interval = interval;
    int64_t low = 0, high = 0;
    if (word == "sum" && !__builtin_mul_overflow(interval->low, count, &low) &&
        !__builtin_mul_overflow(interval->high, count, &high) && high < INT32_MAX && low > INT32_MIN) {
      reduced.interval = Interval{low, high};
    }
  }
  if (word == "mean") {
    if (kept) {
      const Part ones = {builder_.convert(builder_.here(kept->value), dtype), kept->frame, std::nullopt};
      reduced = arithmetic("/", reduced, reduce_part(ones, indices, Opcode::kAdd, 0));
    } else {
      reduced = arithmetic("/", reduced, one(dtype, static_cast<double>(count)));
    }
  }
  result.parts.push_back(reduced);
  return result;
}

// A sum of products as one dot, where each summed index is in both factors.
std::optional<Part> Compiler::lower_contraction(Expr& expr) {
  std::vector<Expr*> factors;
  collect_factors(*expr.children[0], factors);
  const DType dtype = expr.type.element.dtype;
  if (factors.size() < 2 || dtype == DType::kPred) return std::nullopt;
  std::vector<Index*> summed;
  for (const Binder& binder : expr.binders) summed.push_back(binder.index);
  const auto has_summed = [&](const Expr* factor) {
    return std::any_of(factor->indices.begin(), factor->indices.end(),
                       [&](Index* index) { return contains(summed, index); });
  };
  std::vector<Expr*> outside, inside;
  for (Expr* factor : factors) (has_summed(factor) ? inside : outside).push_back(factor);
  // A factor whose indices are all in another's joins it; what is left are two, or the whole frame is computed.
  std::vector<std::vector<Expr*>> groups;
  for (Expr* factor : inside) groups.push_back({factor});
  const auto covers = [](const std::vector<Expr*>& group, const Expr* factor) {
    return std::all_of(factor->indices.begin(), factor->indices.end(),
                       [&](const Index* index) { return contains(group[0]->indices, index); });
  };
  for (size_t i = 0; groups.size() > 2 && i < groups.size(); ++i) {
    for (size_t j = groups.size(); j-- > 0;) {
      if (i == j || groups[i].size() > 1 || !covers(groups[j], groups[i][0])) continue;
      groups[j].push_back(groups[i][0]);
      groups.erase(groups.begin() + static_cast<int64_t>(i));
      --i;
      break;
    }
  }
  if (groups.size() > 2) {
    int64_t products = 1;
    std::vector<Index*> all;
    for (const Expr* factor : inside) {
      for (Index* index : factor->indices) {
        if (contains(all, index)) continue;
        all.push_back(index);
        products *= index->extent;
      }
    }
    std::string names;
    for (const Index* index : all) names += (names.empty() ? "" : ", ") + index->name;
    const char* count = groups.size() == 3 ? "three" : "several";
    warn(expr.loc, "W0731",
         std::string("a sum of a product of ") + count + " is computed over all of " + names + ": " +
             std::to_string(products) + " products",
         "sum the product of two of them first");
  }
  if (groups.size() != 2 || (!outside.empty() && is_integer(dtype))) return std::nullopt;
  std::optional<Part> result;
  bool is_window = false;
  for (Expr* factor : inside) {
    Expr* converted = narrow_operand(*factor, dtype);
    const Expr* access = converted != nullptr ? &plain(*converted) : factor;
    if (access->kind != Expr::Kind::kAccess) continue;
    for (const Subscript& subscript : access->subscripts) {
      if (subscript.value && plain(*subscript.value).index == nullptr && subscript.value->indices.size() > 1)
        is_window = true;
    }
  }
  if (is_window) {
    if (!outside.empty() || inside.size() != 2) return std::nullopt;
    for (size_t f = 0; f < 2 && !result; ++f) result = lower_convolution(expr, *inside[f], *inside[1 - f], summed);
    return result;
  }
  for (Index* index : summed) {
    if (!contains(groups[0][0]->indices, index) || !contains(groups[1][0]->indices, index)) return std::nullopt;
  }
  result = lower_dot(groups[0], groups[1], summed, dtype);
  for (Expr* factor : outside) result = arithmetic("*", lower(*factor).parts[0], *result);
  return result;
}

// The factors of each side are multiplied first.
Part Compiler::lower_dot(const std::vector<Expr*>& a, const std::vector<Expr*>& b, const std::vector<Index*>& summed,
                         DType dtype) {
  Expr* narrow_a = a.size() == 1 ? narrow_operand(*a[0], dtype) : nullptr;
  Expr* narrow_b = b.size() == 1 ? narrow_operand(*b[0], dtype) : nullptr;
  const bool narrow = narrow_a != nullptr && narrow_b != nullptr && narrow_a->type.element == narrow_b->type.element;
  const auto side = [&](const std::vector<Expr*>& factors, Expr* narrow_factor) {
    Part product = lower(narrow ? *narrow_factor : *factors[0]).parts[0];
    for (size_t i = 1; i < factors.size(); ++i) product = arithmetic("*", product, lower(*factors[i]).parts[0]);
    return with_frame(product, summed);
  };
  const Part left = side(a, narrow_a);
  const Part right = side(b, narrow_b);
  Attributes attributes;
  Dims lhs_contracting, rhs_contracting, lhs_batch, rhs_batch;
  const auto place = [](const Frame& frame, const Index* index) {
    return static_cast<int64_t>(std::find(frame.begin(), frame.end(), index) - frame.begin());
  };
  for (const Index* index : summed) {
    lhs_contracting.push_back(place(left.frame, index));
    rhs_contracting.push_back(place(right.frame, index));
  }
  Part result;
  const auto is_summed = [&](const Index* index) {
    return std::find(summed.begin(), summed.end(), index) != summed.end();
  };
  for (const Index* index : left.frame) {
    const int64_t other = place(right.frame, index);
    if (is_summed(index) || other == static_cast<int64_t>(right.frame.size())) continue;
    lhs_batch.push_back(place(left.frame, index));
    rhs_batch.push_back(other);
    result.frame.push_back(index);
  }
  for (const Frame* frame : {&left.frame, &right.frame}) {
    for (const Index* index : *frame) {
      if (!is_summed(index) && std::find(result.frame.begin(), result.frame.end(), index) == result.frame.end()) {
        result.frame.push_back(index);
      }
    }
  }
  attributes.lhs_contracting_dims = lhs_contracting;
  attributes.rhs_contracting_dims = rhs_contracting;
  if (!lhs_batch.empty()) {
    attributes.lhs_batch_dims = lhs_batch;
    attributes.rhs_batch_dims = rhs_batch;
  }
  result.value = builder_.make_as(Opcode::kDot, Shape::array(dtype, frame_dims(result.frame)),
                                  {left.value, right.value}, attributes);
  return result;
}

// The comparator of JAX's argmax: the first of equals, or the first NaN.
Value Compiler::lower_argmax(Expr& expr) {
  Index* index = expr.binders[0].index;
  number_index(*index);
  if (index->extent == 0) fail(expr.loc, "E0648", expr.text + " of nothing has no place");
  Part term = lower(*expr.children[0]).parts[0];
  const DType dtype = term.value->shape.dtype;
  const bool is_max = expr.text == "argmax";
  double identity = is_max ? lowest(dtype) : -lowest(dtype);
  Instruction* start = is_integer(dtype) ? builder_.constant(limit(dtype, is_max)) : builder_.number(dtype, identity);
  if (expr.condition) {
    term = elementwise(Opcode::kSelect, {lower(*expr.condition).parts[0], term, Part{start, {}, std::nullopt}});
  }
  const Part whole = with_frame(term, {index});
  const auto axis = std::find(whole.frame.begin(), whole.frame.end(), index) - whole.frame.begin();
  Instruction* places = builder_.iota(DType::kS32, whole.value->shape.dims, axis);
  Computation* function = builder_.module().add_computation(expr.text);
  builder_.begin(function);
  Instruction* x = builder_.parameter(Shape::scalar(dtype), "x");
  Instruction* i = builder_.parameter(Shape::scalar(DType::kS32), "i");
  Instruction* y = builder_.parameter(Shape::scalar(dtype), "y");
  Instruction* j = builder_.parameter(Shape::scalar(DType::kS32), "j");
  Instruction* better = builder_.compare(x, y, is_max ? "GT" : "LT");
  if (is_float(dtype)) better = builder_.make(Opcode::kOr, {better, builder_.compare(x, x, "NE")});
  Instruction* equal = builder_.compare(x, y, "EQ");
  Instruction* first = builder_.make(Opcode::kAnd, {equal, builder_.compare(i, j, "LT")});
  Instruction* take = builder_.make(Opcode::kOr, {better, first});
  Instruction* value = builder_.make(Opcode::kSelect, {better, x, y});
  Instruction* place = builder_.make(Opcode::kSelect, {take, i, j});
  function->set_root(builder_.tuple({value, place}));
  builder_.end();
  Attributes attributes;
  attributes.dimensions = Dims{axis};
  attributes.to_apply = function;
  Instruction* pair =
      builder_.make(Opcode::kReduce, {whole.value, places, start, builder_.integer(DType::kS32, 0)}, attributes);
  Part result;
  for (const Index* other : whole.frame) {
    if (other != index) result.frame.push_back(other);
  }
  result.value = builder_.tuple_element(pair, 1);
  if (index->first != 0) result = arithmetic("+", result, one(DType::kS32, static_cast<double>(index->first)));
  result.interval = Interval{index->first, index->first + index->extent - 1};
  Value out;
  out.type = expr.type;
  out.parts.push_back(result);
  return out;
}

// reduce[k](f, start, e): an operand for each leaf.
Value Compiler::lower_user_reduce(Expr& expr) {
  std::vector<Index*> indices;
  for (const Binder& binder : expr.binders) {
    number_index(*binder.index);
    indices.push_back(binder.index);
  }
  Value term = lower(*expr.children[0]);
  const Value start = lower(*expr.children[1]);
  if (expr.condition) {
    const Value condition = lower(*expr.condition);
    term = by_leaf(term.type, {condition, term, start},
                   [&](const std::vector<Part>& parts) { return elementwise(Opcode::kSelect, parts); });
  }
  Computation* function = function_computation(*expr.callee, {term.type, term.type}, expr.function_loc);
  std::vector<Part> parts = term.parts;
  Frame frame = join(parts);
  for (const Index* index : indices) {
    if (std::find(frame.begin(), frame.end(), index) == frame.end()) frame.push_back(index);
  }
  Attributes attributes;
  attributes.dimensions = Dims();
  Frame kept;
  for (size_t i = 0; i < frame.size(); ++i) {
    if (std::find(indices.begin(), indices.end(), frame[i]) != indices.end()) {
      attributes.dimensions->push_back(static_cast<int64_t>(i));
    } else {
      kept.push_back(frame[i]);
    }
  }
  std::vector<Instruction*> operands;
  for (const Part& part : parts) operands.push_back(expand(part, frame, {}));
  for (const Part& part : start.parts) {
    if (!part.frame.empty()) fail({expr.children[1]->begin}, "E0754", "the start of a reduction is one value for all");
    operands.push_back(builder_.here(part.value));
  }
  attributes.to_apply = function;
  Instruction* reduced = builder_.make(Opcode::kReduce, operands, attributes);
  Value result;
  result.type = expr.type;
  for (size_t i = 0; i < parts.size(); ++i) {
    result.parts.push_back({parts.size() == 1 ? reduced : builder_.tuple_element(reduced, i), kept, std::nullopt});
  }
  return result;
}

}  // namespace sinter::grain
