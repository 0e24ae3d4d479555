// The library's functions of arrays, along their first axis. Indices of what they are given are axes before it.
#include <algorithm>
#include <limits>

#include "frontend/grain/compiler.h"

namespace sinter::grain {
namespace {

bool is_random(const std::string& name) {
  constexpr const char* kRandom[] = {"split",  "fold_in",   "bits",    "uniform",    "normal",
                                     "gumbel", "bernoulli", "randint", "permutation"};
  return std::find(std::begin(kRandom), std::end(kRandom), name) != std::end(kRandom);
}

bool is_cumulative(const std::string& name) {
  return name == "cumsum" || name == "cumprod" || name == "cummax" || name == "cummin";
}

}  // namespace

// [n, m]: a shape given as an argument.
std::vector<Formula> Compiler::shape_argument(Expr& expr) {
  Expr& list = plain(expr);
  if (list.kind != Expr::Kind::kArray)
    fail({expr.begin}, "E0646", "a shape is a list of constants in brackets", "[n], [rows, columns]");
  std::vector<Formula> dims;
  for (const ExprPtr& dim : list.children) dims.push_back(dimension(*dim, false));
  return dims;
}

int64_t Compiler::constant_argument(Expr& expr, const std::string& what) {
  check(expr);
  if (!expr.number || !expr.number->is_integer) {
    fail({expr.begin}, "E0646", what + " must be a constant: sizes are known when compiled",
         "dim k = 4, or take the most you need and mask the rest with 'if'");
  }
  return expr.number->integer;
}

const Type& Compiler::check_array_argument(Expr& expr, Expr& x) {
  check(x);
  add_indices(expr, x);
  if (x.type.rank() == 0) {
    fail({x.begin}, "E0712", expr.text + " takes an array, " + quote(x) + " is " + text(x.type),
         "of the row x[i, :], say");
  }
  return x.type;
}

std::vector<Type> Compiler::check_array_function(Expr& expr) {
  const std::string& name = expr.text;
  if (is_random(name)) return check_random(expr);
  const auto argument = [&](size_t i) -> Expr& { return **expr.placed[i]; };
  const auto take = [&](const std::vector<std::string>& parameters, size_t required) {
    place_arguments(expr, name, parameters, required);
  };
  const auto array = [&](Expr& x) -> const Type& { return check_array_argument(expr, x); };
  const auto typed = [&](Expr& x) {
    if (x.type.element.is_open()) fail({x.begin}, "E0754", "nothing says of which type " + quote(x) + " is");
  };
  if (is_cumulative(name)) {
    take({"x"}, 1);
    const Type& x = array(argument(0));
    typed(argument(0));
    if (!x.element.is_number())
      fail({argument(0).begin}, "E0753", name + " takes numbers, " + quote(argument(0)) + " is " + text(x),
           "s32(...) of pred counts");
    return {x};
  }
  if (name == "scan") {
    take({"f", "x"}, 2);
    Expr& function = plain(argument(0));
    const Function* found = function.kind == Expr::Kind::kName ? find_function(function.text) : nullptr;
    if (found == nullptr)
      fail({argument(0).begin}, "E0604", "scan takes a function of two values first",
           "scan(add, x) with fn add(a, b: f32) -> f32 = a + b");
    const Type& x = array(argument(1));
    typed(argument(1));
    if (x.rank() != 1)
      fail({argument(1).begin}, "E0712", "scan runs along one dimension, " + quote(argument(1)) + " is " + text(x),
           "y[i, :] = scan(f, x[i, :])");
    check_pair_function(*found, "scan", x.element, {argument(0).begin});
    expr.callee = nullptr;
    return {x};
  }
  if (name == "reverse") {
    take({"x"}, 1);
    const Type& x = array(argument(0));
    return {x};
  }
  if (name == "diagonal") {
    take({"x"}, 1);
    const Type& x = array(argument(0));
    if (x.rank() != 2 || !(x.dims[0] == x.dims[1]))
      fail({argument(0).begin}, "E0712", "diagonal takes a square matrix, " + quote(argument(0)) + " is " + text(x));
    return {Type{x.element, {x.dims[0]}}};
  }
  if (name == "reshape") {
    take({"x", "shape"}, 2);
    const Type& x = array(argument(0));
    const std::vector<Formula> dims = shape_argument(argument(1));
    Formula before(1), after(1);
    for (const Formula& dim : x.dims) before = before * dim;
    for (const Formula& dim : dims) after = after * dim;
    const bool equal = before == after || (before.number() && before.number() == after.number()) ||
                       (before.value(call_->values) && before.value(call_->values) == after.value(call_->values) &&
                        call_->dims.empty());
    if (!equal) {
      fail({argument(1).begin}, "E0712",
           quote(argument(0)) + " has " + before.text() + " elements, the shape " + after.text(),
           "a reshape keeps all elements in their order");
    }
    return {Type{x.element, dims}};
  }
  if (name == "concat") {
    if (expr.arguments.empty()) fail(expr.loc, "E0756", "concat takes arrays");
    Type result;
    expr.placed.clear();
    for (Argument& one_argument : expr.arguments) expr.placed.push_back(&one_argument.value);
    Expr* typed_one = nullptr;
    for (ExprPtr* one_argument : expr.placed) {
      array(**one_argument);
      if (!(*one_argument)->type.element.is_open()) typed_one = one_argument->get();
    }
    for (ExprPtr* one_argument : expr.placed) {
      Expr& x = **one_argument;
      if (typed_one != nullptr) settle(x, typed_one->type.element, quote(*typed_one));
      typed(x);
      if (one_argument == expr.placed[0]) {
        result = x.type;
        continue;
      }
      const std::vector<Formula> rest(x.type.dims.begin() + 1, x.type.dims.end());
      const std::vector<Formula> wanted(result.dims.begin() + 1, result.dims.end());
      if (!(x.type.element == result.element))
        fail({x.begin}, "E0751", "concat joins arrays of one type: " + text(result) + " and " + text(x.type));
      if (rest != wanted)
        fail({x.begin}, "E0712",
             "concat joins along the first dimension; the others are equal: " + text(result) + " and " + text(x.type));
      result.dims[0] = result.dims[0] + x.type.dims[0];
    }
    return {result};
  }
  if (name == "sort") {
    size_t count = 0;
    int64_t keys = 1;
    expr.placed.clear();
    std::vector<Type> types;
    for (Argument& one_argument : expr.arguments) {
      if (one_argument.name == "keys") {
        keys = constant_argument(*one_argument.value, "keys");
        continue;
      }
      if (!one_argument.name.empty())
        fail(one_argument.loc, "E0758", "'sort' has no parameter '" + one_argument.name + "'", "sort(a, b, keys = 1)");
      types.push_back(array(*one_argument.value));
      typed(*one_argument.value);
      expr.placed.push_back(&one_argument.value);
      ++count;
      if (types[0].dims != types.back().dims) {
        fail({one_argument.value->begin}, "E0712",
             "sorted arrays have equal shapes: " + text(types[0]) + " and " + text(types.back()));
      }
      if (!types.back().element.is_dtype() || types.back().element.is_complex()) {
        fail({one_argument.value->begin}, "E0753",
             "sort takes numbers, " + quote(*one_argument.value) + " is " + text(types.back()));
      }
    }
    if (count == 0) fail(expr.loc, "E0756", "sort takes arrays");
    if (keys < 1 || keys > static_cast<int64_t>(count))
      fail(expr.loc, "E0756", "keys is 1 to " + std::to_string(count));
    return types;
  }
  if (name == "argsort") {
    take({"x"}, 1);
    const Type& x = array(argument(0));
    typed(argument(0));
    if (!x.element.is_dtype() || x.element.is_complex()) fail({argument(0).begin}, "E0753", "argsort takes numbers");
    return {Type{Element::of(DType::kS32), x.dims}};
  }
  if (name == "top_k") {
    take({"x", "k"}, 2);
    const Type x = array(argument(0));
    typed(argument(0));
    if (x.rank() != 1)
      fail({argument(0).begin}, "E0712", "top_k takes one dimension, " + quote(argument(0)) + " is " + text(x),
           "value[b, :], id[b, :] = top_k(x[b, :], k)");
    if (!x.element.is_float() && !x.element.is_integer()) fail({argument(0).begin}, "E0753", "top_k takes numbers");
    const int64_t k = constant_argument(argument(1), "top_k's k");
    Formula count = formula(argument(1)).value_or(Formula(k));
    if (lowering_ && (k < 0 || k > value_of(x.dims[0], expr.loc)))
      fail({argument(1).begin}, "E0648",
           "top_k takes 0 to " + x.dims[0].text() + " elements, k is " + std::to_string(k));
    return {Type{x.element, {count}}, Type{Element::of(DType::kS32), {count}}};
  }
  if (name == "fft" || name == "ifft" || name == "rfft" || name == "irfft") {
    take(name == "irfft" ? std::vector<std::string>{"x", "n"} : std::vector<std::string>{"x"}, name == "irfft" ? 2 : 1);
    const Type x = array(argument(0));
    typed(argument(0));
    if (x.rank() != 1)
      fail({argument(0).begin}, "E0712", name + " takes one dimension, " + quote(argument(0)) + " is " + text(x),
           "y[i, :] = " + name + "(x[i, :])");
    const bool takes_real = name == "rfft";
    if (takes_real ? !(x.element.is(DType::kF32) || x.element.is(DType::kF64)) : !x.element.is_complex()) {
      fail({argument(0).begin}, "E0753",
           name + " takes " + (takes_real ? "f32 or f64" : "complex numbers") + ", " + quote(argument(0)) + " is " +
               text(x),
           takes_real ? "" : "c64(" + quote(argument(0)) + ")");
    }
    if (name == "rfft") {
      return {Type{Element::of(x.element.is(DType::kF32) ? DType::kC64 : DType::kC128),
                   {Formula::opaque("div", x.dims[0], Formula(2)) + Formula(1)}}};
    }
    if (name == "irfft") {
      const Formula n = dimension(argument(1), false);
      if (lowering_ && value_of(n, expr.loc) / 2 + 1 != value_of(x.dims[0], expr.loc)) {
        fail({argument(1).begin}, "E0712",
             "irfft of " + x.dims[0].text() + " numbers has n with div(n, 2) + 1 of them");
      }
      return {Type{Element::of(x.element.is(DType::kC64) ? DType::kF32 : DType::kF64), {n}}};
    }
    return {x};
  }
  return check_matrix_function(expr);
}

std::vector<Value> Compiler::lower_array_function(Expr& expr) {
  const std::string& name = expr.text;
  if (is_random(name)) return {lower_random(expr)};
  if (name == "sort" || name == "argsort") return lower_sort(expr);
  if (name == "top_k") return lower_top_k(expr);
  if (name == "scan") return {lower_scan(expr)};
  if (name == "fft" || name == "ifft" || name == "rfft" || name == "irfft") return {lower_fft(expr)};
  if (is_matrix_function(name)) return lower_matrix_function(expr);
  Value result;
  if (name == "concat") {
    std::vector<Value> values;
    for (ExprPtr* argument : expr.placed) values.push_back(lower(**argument));
    result = concatenate(values, false);
    result.type = expr.type;
    return {result};
  }
  result.type = expr.type;
  const Value x = lower(**expr.placed[0]);
  for (const Part& part : x.parts) {
    Part made = part;
    Instruction* value = builder_.here(part.value);
    const size_t axis = part.frame.size();
    if (is_cumulative(name)) {
      made = lower_cumulative(part, name == "cumsum"    ? Opcode::kAdd
                                    : name == "cumprod" ? Opcode::kMultiply
                                    : name == "cummax"  ? Opcode::kMaximum
                                                        : Opcode::kMinimum);
      if (name == "cummax" || name == "cummin") made.interval = part.interval;
    } else if (name == "reverse") {
      made.value = builder_.reverse(value, axis);
    } else if (name == "reshape") {
      Dims dims = frame_dims(part.frame);
      const Dims own = numbers(shape_argument(**expr.placed[1]));
      dims.insert(dims.end(), own.begin(), own.end());
      // A leaf's own dimensions stay.
      dims.insert(dims.end(), value->shape.dims.begin() + static_cast<int64_t>(axis + (*expr.placed[0])->type.rank()),
                  value->shape.dims.end());
      made.value = builder_.reshape(value, dims);
    } else {  // diagonal
      const int64_t n = value->shape.dims[axis];
      Instruction* places = builder_.iota(DType::kS32, {n, 2}, 0);
      Attributes attributes;
      attributes.index_vector_dim = 1;
      attributes.offset_dims = Dims();
      attributes.slice_sizes = Dims();
      Dims result_order;
      size_t offset = 0;
      Dims permutation;
      for (size_t d = 0; d < value->shape.dims.size(); ++d) {
        const bool taken = d == axis || d == axis + 1;
        attributes.slice_sizes->push_back(taken ? 1 : value->shape.dims[d]);
        if (!taken) attributes.offset_dims->push_back(static_cast<int64_t>(d < axis ? offset : offset + 1));
        if (!taken) ++offset;
      }
      attributes.collapsed_slice_dims = Dims{static_cast<int64_t>(axis), static_cast<int64_t>(axis) + 1};
      attributes.start_index_map = *attributes.collapsed_slice_dims;
      made.value = builder_.make(Opcode::kGather, {value, places}, attributes);
    }
    result.parts.push_back(made);
  }
  return {result};
}

Part Compiler::lower_cumulative(const Part& x, Opcode opcode) {
  Instruction* value = builder_.here(x.value);
  const DType dtype = value->shape.dtype;
  const size_t axis = x.frame.size();
  Attributes attributes;
  attributes.window.emplace();
  attributes.window->resize(value->shape.dims.size());
  WindowDimension& window = (*attributes.window)[axis];
  window.size = std::max<int64_t>(value->shape.dims[axis], 1);
  window.pad_low = window.size - 1;
  attributes.to_apply = builder_.combiner(opcode, dtype);
  Instruction* start = nullptr;
  if (opcode == Opcode::kMaximum || opcode == Opcode::kMinimum) {
    const bool low = opcode == Opcode::kMaximum;
    if (is_integer(dtype)) {
      const int bits = dtype_bits(dtype);
      const bool is_signed = is_signed_integer(dtype);
      const int64_t most =
          bits == 64 ? (is_signed ? INT64_MAX : -1) : (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
      start = builder_.constant(integer_literal(dtype, low ? (is_signed ? -most - 1 : 0) : most));
    } else {
      start = builder_.number(dtype,
                              low ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity());
    }
  } else {
    start = builder_.number(dtype, opcode == Opcode::kMultiply ? 1 : 0);
  }
  return {builder_.make(Opcode::kReduceWindow, {value, start}, attributes), x.frame, std::nullopt};
}

// A scan by halves: pairs are combined, the half is scanned, and what lies between follows; JAX's associative_scan.
Value Compiler::lower_scan(Expr& expr) {
  const Function& function = *find_function(plain(**expr.placed[0]).text);
  Value x = lower(**expr.placed[1]);
  const Frame frame = join(x.parts);
  for (Part& part : x.parts) part = {expand(part, frame, type_dims(part)), frame, std::nullopt};
  const size_t axis = frame.size();
  Type element = x.type;
  element.dims.clear();
  Signature signature;
  for (const Generic& generic : function.generics) signature.generics[generic.name] = x.type.element;
  using Arrays = std::vector<Instruction*>;
  const auto length = [&](const Arrays& arrays) { return arrays[0]->shape.dims[axis]; };
  const auto slice = [&](const Arrays& arrays, int64_t from, int64_t to, int64_t step) {
    Arrays result;
    for (Instruction* array : arrays) result.push_back(builder_.slice(array, axis, from, to, step));
    return result;
  };
  const auto combine = [&](const Arrays& a, const Arrays& b) {
    Index* index = new_index("", expr.loc);
    index->extent = length(a);
    index->high = Formula(index->extent);
    index->range = Index::Range::kWritten;
    Frame lanes = frame;
    lanes.push_back(index);
    std::vector<Value> arguments(2);
    for (size_t side = 0; side < 2; ++side) {
      arguments[side].type = element;
      for (Instruction* array : side == 0 ? a : b) arguments[side].parts.push_back({array, lanes, std::nullopt});
    }
    Arrays result;
    const std::vector<Value> combined = call_function(function, &signature, arguments, expr.loc);
    for (const Part& part : combined[0].parts) {
      result.push_back(expand(part, lanes, type_dims(part)));
    }
    return result;
  };
  const std::function<Arrays(const Arrays&)> scan = [&](const Arrays& arrays) -> Arrays {
    const int64_t n = length(arrays);
    if (n < 2) return arrays;
    const Arrays evens = slice(arrays, 0, n - 1, 2);
    const Arrays halves = combine(evens, slice(arrays, 1, n, 2));
    const Arrays odd = scan(halves);
    Arrays even;
    const int64_t half = length(odd);
    const Arrays rest = slice(arrays, 2, n, 2);
    if (n % 2 == 0) {
      even = half < 2 ? Arrays() : combine(slice(odd, 0, half - 1, 1), rest);
    } else {
      even = combine(odd, rest);
    }
    const Arrays first = slice(arrays, 0, 1, 1);
    Arrays result;
    for (size_t i = 0; i < arrays.size(); ++i) {
      Instruction* evens = even.empty() ? first[i] : builder_.concatenate({first[i], even[i]}, axis);
      // Interleaved: each followed by a gap of one, the one shifted by one.
      const DType dtype = arrays[i]->shape.dtype;
      const auto spread = [&](Instruction* array, int64_t low) {
        Attributes attributes;
        attributes.padding.emplace();
        attributes.padding->resize(array->shape.dims.size());
        const int64_t count = array->shape.dims[axis];
        (*attributes.padding)[axis] = {low, n - low - (2 * count - 1), 1};
        return builder_.make(Opcode::kPad, {array, builder_.number(dtype, 0)}, attributes);
      };
      const Opcode join_opcode = dtype == DType::kPred ? Opcode::kOr : Opcode::kAdd;
      result.push_back(builder_.make(join_opcode, {spread(evens, 0), spread(odd[i], 1)}));
    }
    return result;
  };
  Arrays arrays;
  for (const Part& part : x.parts) arrays.push_back(part.value);
  Value result;
  result.type = expr.type;
  for (Instruction* array : scan(arrays)) result.parts.push_back({array, frame, std::nullopt});
  return result;
}

// The comparator of JAX: -0 is 0, every NaN is one, and the order is total.
std::vector<Value> Compiler::lower_sort(Expr& expr) {
  std::vector<Part> parts;
  int64_t keys = 1;
  for (Argument& argument : expr.arguments) {
    if (argument.name == "keys") {
      keys = argument.value->number->integer;
    } else {
      parts.push_back(lower(*argument.value).parts[0]);
    }
  }
  const bool places = expr.text == "argsort";
  if (places) {
    const Dims& dims = parts[0].value->shape.dims;
    const auto axis = static_cast<int64_t>(parts[0].frame.size());
    parts.push_back(
        {builder_.iota(DType::kS32, dims, axis), parts[0].frame, Interval{0, dims[static_cast<size_t>(axis)] - 1}});
  }
  std::vector<Value> results;
  for (const Part& part : sort_parts(parts, keys, places ? 1 : 0)) {
    Value value;
    value.type = {Element::of(part.value->shape.dtype), {}};
    value.parts.push_back(part);
    results.push_back(value);
  }
  return results;
}

std::vector<Part> Compiler::sort_parts(const std::vector<Part>& parts, int64_t keys, size_t first) {
  const Frame frame = join(parts);
  const Dims own = type_dims(parts[0]);
  std::vector<Instruction*> operands;
  for (const Part& part : parts) operands.push_back(expand(part, frame, own));
  Computation* comparator = builder_.module().add_computation("compare");
  builder_.begin(comparator);
  std::vector<Instruction*> pairs;
  for (size_t i = 0; i < operands.size(); ++i) {
    pairs.push_back(builder_.parameter(Shape::scalar(operands[i]->shape.dtype), "a"));
    pairs.push_back(builder_.parameter(Shape::scalar(operands[i]->shape.dtype), "b"));
  }
  const auto canonical = [&](Instruction* x) {
    const DType dtype = x->shape.dtype;
    if (!is_float(dtype)) return x;
    Instruction* is_nan = builder_.compare(x, x, "NE");
    Instruction* zero = builder_.number(dtype, 0);
    Instruction* value = builder_.make(Opcode::kSelect, {builder_.compare(x, zero, "EQ"), zero, x});
    return builder_.make(Opcode::kSelect,
                         {is_nan, builder_.number(dtype, std::numeric_limits<double>::quiet_NaN()), value});
  };
  const auto ordered = [&](Instruction* a, Instruction* b, const char* direction) {
    Attributes attributes;
    attributes.direction = direction;
    if (is_float(a->shape.dtype)) attributes.comparison_type = "TOTALORDER";
    return builder_.make(Opcode::kCompare, {a, b}, attributes);
  };
  Instruction* less = nullptr;
  for (int64_t key = keys - 1; key >= 0; --key) {
    Instruction* a = canonical(pairs[static_cast<size_t>(2 * key)]);
    Instruction* b = canonical(pairs[static_cast<size_t>(2 * key) + 1]);
    Instruction* this_less = ordered(a, b, "LT");
    less = less == nullptr
               ? this_less
               : builder_.make(Opcode::kOr, {this_less, builder_.make(Opcode::kAnd, {ordered(a, b, "EQ"), less})});
  }
  comparator->set_root(less);
  builder_.end();
  Attributes attributes;
  attributes.dimensions = Dims{static_cast<int64_t>(frame.size())};
  attributes.is_stable = true;
  attributes.to_apply = comparator;
  Instruction* sorted = builder_.make(Opcode::kSort, operands, attributes);
  std::vector<Part> results;
  for (size_t i = first; i < operands.size(); ++i)
    results.push_back({operands.size() == 1 ? sorted : builder_.tuple_element(sorted, i), frame, parts[i].interval});
  return results;
}

std::vector<Value> Compiler::lower_top_k(Expr& expr) {
  const Part x = lower(**expr.placed[0]).parts[0];
  Instruction* value = builder_.here(x.value);
  Attributes attributes;
  attributes.k = (*expr.placed[1])->number->integer;
  attributes.largest = true;
  Instruction* top = builder_.make(Opcode::kTopk, {value}, attributes);
  std::vector<Value> results(2);
  results[0].parts.push_back({builder_.tuple_element(top, 0), x.frame, x.interval});
  results[1].parts.push_back({builder_.tuple_element(top, 1), x.frame, Interval{0, value->shape.dims.back() - 1}});
  return results;
}

Value Compiler::lower_fft(Expr& expr) {
  const Part x = lower(**expr.placed[0]).parts[0];
  Instruction* value = builder_.here(x.value);
  Attributes attributes;
  attributes.fft_type = expr.text == "fft"    ? "FFT"
                        : expr.text == "ifft" ? "IFFT"
                        : expr.text == "rfft" ? "RFFT"
                                              : "IRFFT";
  int64_t length = value->shape.dims.back();
  if (expr.text == "irfft") length = value_of(dimension(**expr.placed[1], false), expr.loc);
  attributes.fft_length = Dims{length};
  Value result;
  result.type = expr.type;
  result.parts.push_back({builder_.make(Opcode::kFft, {value}, attributes), x.frame, std::nullopt});
  return result;
}

}  // namespace sinter::grain
