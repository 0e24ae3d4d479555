// Random numbers: Threefry 2x32 with raw keys, the bits of jax.random in its default, partitionable layout.
#include <algorithm>
#include <cmath>
#include <limits>

#include "frontend/grain/compiler.h"

namespace sinter::grain {
namespace {

struct RandomFunction {
  const char* name;
  std::vector<std::string> parameters;
  size_t required;
  const char* usage;
};

const std::vector<RandomFunction>& random_functions() {
  static const std::vector<RandomFunction> kFunctions = {
      {"split", {"key", "n"}, 2, "split(key, n)"},
      {"fold_in", {"key", "i"}, 2, "fold_in(key, i)"},
      {"bits", {"key", "shape"}, 2, "bits(key, [shape])"},
      {"uniform", {"key", "shape", "low", "high"}, 2, "uniform(key, [shape], low = 0, high = 1)"},
      {"normal", {"key", "shape"}, 2, "normal(key, [shape])"},
      {"gumbel", {"key", "shape"}, 2, "gumbel(key, [shape])"},
      {"bernoulli", {"key", "p", "shape"}, 3, "bernoulli(key, p, [shape])"},
      {"randint", {"key", "shape", "low", "high"}, 4, "randint(key, [shape], low, high)"},
      {"permutation", {"key", "n"}, 2, "permutation(key, n)"}};
  return kFunctions;
}

}  // namespace

std::vector<Type> Compiler::check_random(Expr& expr) {
  const std::string& name = expr.text;
  const auto& all = random_functions();
  const auto function = std::find_if(all.begin(), all.end(), [&](const RandomFunction& f) { return name == f.name; });
  for (const Argument& argument : expr.arguments) {
    if (argument.name.empty() || std::find(function->parameters.begin(), function->parameters.end(), argument.name) !=
                                     function->parameters.end())
      continue;
    std::string near;
    for (const std::string& parameter : function->parameters) {
      if (parameter.rfind(argument.name, 0) == 0) near = parameter;
    }
    fail(argument.loc, "E0758", "'" + name + "' has no parameter '" + argument.name + "'",
         (near.empty() ? "" : "did you mean '" + near + "'? ") + std::string(function->usage));
  }
  place_arguments(expr, name, function->parameters, function->required);
  Expr& key = **expr.placed[0];
  check(key);
  add_indices(expr, key);
  if (key.type.element.kind != Element::Kind::kKey || key.type.rank() != 0) {
    fail({key.begin}, "E0753", name + " takes one key, " + quote(key) + " is " + text(key.type), function->usage);
  }
  // A key gives the same numbers again.
  if (key.kind == Expr::Kind::kName && name != "split" && name != "fold_in" && lowering_) {
    const Binding* binding = find(key.text);
    const std::string used = std::to_string(binding->loc.offset) + ":" + call_->path;
    const auto [before, is_new] = key_uses_.emplace(used, key.loc);
    if (!is_new && before->second.offset != key.loc.offset) {
      warn(key.loc, "W0771",
           "'" + key.text + "' was used at " + where(before->second) + ": the same numbers come again",
           "k = split(" + key.text + ", 2), then k[0] and k[1]");
    }
  }
  const auto scalar = [&](size_t i, DType dtype) {
    if (expr.placed[i] == nullptr) return;
    Expr& argument = **expr.placed[i];
    check(argument);
    add_indices(expr, argument);
    settle(argument, Element::of(dtype));
    if (!argument.type.element.is(dtype) || argument.type.rank() != 0) {
      fail({argument.begin}, "E0753",
           "'" + function->parameters[i] + "' of " + name + " is one " + std::string(dtype_name(dtype)) + ", " +
               quote(argument) + " is " + text(argument.type));
    }
  };
  Element key_element;
  key_element.kind = Element::Kind::kKey;
  if (name == "split") {
    constant_argument(**expr.placed[1], "split's n");
    return {Type{key_element, {dimension(**expr.placed[1], false)}}};
  }
  if (name == "fold_in") {
    Expr& data = **expr.placed[1];
    check(data);
    add_indices(expr, data);
    settle(data, Element::of(DType::kU32));
    if (!data.type.element.is_integer() || dtype_bits(data.type.element.dtype) != 32 || data.type.rank() != 0) {
      fail({data.begin}, "E0753", "fold_in takes one integer of 32 bits, " + quote(data) + " is " + text(data.type));
    }
    return {Type{key_element, {}}};
  }
  if (name == "permutation") {
    constant_argument(**expr.placed[1], "permutation's n");
    return {Type{Element::of(DType::kS32), {dimension(**expr.placed[1], false)}}};
  }
  const std::vector<Formula> dims = shape_argument(**expr.placed[name == "bernoulli" ? 2 : 1]);
  if (name == "bits") return {Type{Element::of(DType::kU32), dims}};
  if (name == "bernoulli") {
    scalar(1, DType::kF32);
    return {Type{Element::of(DType::kPred), dims}};
  }
  const DType dtype = name == "randint" ? DType::kS32 : DType::kF32;
  for (size_t i = 2; i < function->parameters.size(); ++i) scalar(i, dtype);
  return {Type{Element::of(dtype), dims}};
}

// Twenty rounds over two words, in JAX's order.
Computation* Compiler::threefry(const Dims& dims, const Dims& key_dims) {
  std::string known = "k";
  for (const int64_t d : key_dims) known += std::to_string(d) + ",";
  known += "x";
  for (const int64_t d : dims) known += std::to_string(d) + ",";
  Computation*& computation = threefry_[known];
  if (computation != nullptr) return computation;
  const Place place = builder_.place;
  builder_.place = Place();
  computation = builder_.module().add_computation("threefry2x32");
  builder_.begin(computation);
  const Shape words = Shape::array(DType::kU32, dims);
  const auto whole = [&](Instruction* word) {
    Dims where;
    for (size_t i = 0; i < key_dims.size(); ++i) where.push_back(static_cast<int64_t>(i));
    return builder_.broadcast(word, dims, where);
  };
  Instruction* k0 = builder_.parameter(Shape::array(DType::kU32, key_dims), "k0");
  Instruction* k1 = builder_.parameter(Shape::array(DType::kU32, key_dims), "k1");
  Instruction* x0 = builder_.parameter(words, "x0");
  Instruction* x1 = builder_.parameter(words, "x1");
  const auto op = [&](Opcode opcode, Instruction* a, Instruction* b) { return builder_.make(opcode, {a, b}); };
  const auto splat = [&](int64_t value, const Dims& shape) {
    return builder_.broadcast(builder_.integer(DType::kU32, value), shape, {});
  };
  constexpr int64_t kParity = 466688986;  // 0x1BD11BDA
  Instruction* both = op(Opcode::kXor, k0, k1);
  Instruction* k2 = op(Opcode::kXor, both, splat(kParity, key_dims));
  Instruction* keys[3] = {whole(k0), whole(k1), whole(k2)};
  constexpr int64_t kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  x0 = op(Opcode::kAdd, x0, keys[0]);
  x1 = op(Opcode::kAdd, x1, keys[1]);
  for (size_t group = 0; group < 5; ++group) {
    for (const int64_t rotation : kRotations[group % 2]) {
      x0 = op(Opcode::kAdd, x0, x1);
      Instruction* left = op(Opcode::kShiftLeft, x1, splat(rotation, dims));
      Instruction* right = op(Opcode::kShiftRightLogical, x1, splat(32 - rotation, dims));
      x1 = op(Opcode::kXor, x0, op(Opcode::kOr, left, right));
    }
    x0 = op(Opcode::kAdd, x0, keys[(group + 1) % 3]);
    x1 = op(Opcode::kAdd, x1, keys[(group + 2) % 3]);
    x1 = op(Opcode::kAdd, x1, splat(static_cast<int64_t>(group) + 1, dims));
  }
  computation->set_root(builder_.tuple({x0, x1}));
  builder_.end();
  builder_.place = place;
  return computation;
}

// Word 0 or 1 of keys.
Part Compiler::key_word(const Part& key, int64_t word) {
  Instruction* value = builder_.here(key.value);
  const size_t axis = value->shape.dims.size() - 1;
  Dims dims = value->shape.dims;
  dims.pop_back();
  return {builder_.reshape(builder_.slice(value, axis, word, word + 1), dims), key.frame, std::nullopt};
}

// Threefry of the counters 0, 1, 2, ... over an array, for each of the frame's keys.
std::array<Part, 2> Compiler::random_words(const Part& key, const Dims& dims) {
  const Dims key_dims = frame_dims(key.frame);
  Dims all = key_dims;
  all.insert(all.end(), dims.begin(), dims.end());
  Instruction* counter = nullptr;
  int64_t stride = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    Instruction* along = builder_.iota(DType::kU64, dims, static_cast<int64_t>(d));
    if (stride != 1)
      along = builder_.make(Opcode::kMultiply,
                            {along, builder_.broadcast(builder_.integer(DType::kU64, stride), dims, {})});
    counter = counter == nullptr ? along : builder_.make(Opcode::kAdd, {along, counter});
    stride *= dims[d];
  }
  if (counter == nullptr) counter = builder_.integer(DType::kU64, 0);
  Instruction* high = builder_.make(Opcode::kShiftRightLogical,
                                    {counter, builder_.broadcast(builder_.integer(DType::kU64, 32), dims, {})});
  const auto words = [&](Instruction* value) {
    Dims where;
    for (size_t i = 0; i < dims.size(); ++i) where.push_back(static_cast<int64_t>(key_dims.size() + i));
    return builder_.broadcast(builder_.convert(value, DType::kU32), all, where);
  };
  Instruction* result = builder_.call(threefry(all, key_dims),
                                      {key_word(key, 0).value, key_word(key, 1).value, words(high), words(counter)});
  return {Part{builder_.tuple_element(result, 0), key.frame, std::nullopt},
          Part{builder_.tuple_element(result, 1), key.frame, std::nullopt}};
}

Part Compiler::random_bits(const Part& key, const Dims& dims) {
  const std::array<Part, 2> words = random_words(key, dims);
  return elementwise(Opcode::kXor, {words[0], words[1]});
}

// Both words of each counter, as the last axis.
Part Compiler::split_key(const Part& key, int64_t count) {
  const std::array<Part, 2> words = random_words(key, {count});
  std::vector<Instruction*> pieces;
  for (const Part& word : words) {
    Dims dims = word.value->shape.dims;
    dims.push_back(1);
    pieces.push_back(builder_.reshape(word.value, dims));
  }
  return {builder_.concatenate(pieces, pieces[0]->shape.dims.size() - 1), key.frame, std::nullopt};
}

// Key i of several.
Part Compiler::key_at(const Part& keys, int64_t i) {
  Instruction* value = builder_.here(keys.value);
  Dims dims = frame_dims(keys.frame);
  dims.push_back(2);
  return {builder_.reshape(builder_.slice(value, keys.frame.size(), i, i + 1), dims), keys.frame, std::nullopt};
}

// Numbers sorted by random bits, as often as equal bits leave hardly a trace of the order before: JAX's count.
Part Compiler::random_permutation(Part key, int64_t n) {
  Part order{builder_.iota(DType::kS32, {n}, 0), {}, Interval{0, n - 1}};
  const double rounds = std::ceil(3 * std::log(static_cast<double>(std::max<int64_t>(n, 1))) / std::log(UINT32_MAX));
  for (int round = 0; round < static_cast<int>(rounds); ++round) {
    const Part keys = split_key(key, 2);
    key = key_at(keys, 0);
    order = sort_parts({random_bits(key_at(keys, 1), {n}), order}, 1, 1)[0];
  }
  return order;
}

// Floats from the upper 23 bits: [1, 2) less 1, then scaled; never below `low`.
Part Compiler::random_uniform(const Part& key, const Dims& dims, const Part& low, const Part& high) {
  const Part bits = random_bits(key, dims);
  const Part mantissa = elementwise(Opcode::kShiftRightLogical, {bits, one(DType::kU32, 9)});
  constexpr double kOneBits = 0x3F800000;
  Part floats = elementwise(Opcode::kOr, {mantissa, one(DType::kU32, kOneBits)});
  floats.value =
      builder_.make_as(Opcode::kBitcastConvert, Shape::array(DType::kF32, floats.value->shape.dims), {floats.value});
  floats = arithmetic("-", floats, one(DType::kF32, 1));
  const Part scaled = arithmetic("+", arithmetic("*", floats, arithmetic("-", high, low)), low);
  return arithmetic("max", low, scaled);
}

Value Compiler::lower_random(Expr& expr) {
  const std::string& name = expr.text;
  const Part key = lower(**expr.placed[0]).parts[0];
  Value result;
  result.type = expr.type;
  const auto give = [&](const Part& part) {
    result.parts.push_back(part);
    return result;
  };
  if (name == "split") return give(split_key(key, value_of(dimension(**expr.placed[1], false), expr.loc)));
  if (name == "permutation")
    return give(random_permutation(key, value_of(dimension(**expr.placed[1], false), expr.loc)));
  if (name == "fold_in") {
    // The key of the data: threefry of (0, data).
    Part data = lower(**expr.placed[1]).parts[0];
    data.value = builder_.convert(builder_.here(data.value), DType::kU32);
    const Part k0 = key_word(key, 0), k1 = key_word(key, 1);
    const Frame frame = join({k0, k1, data});
    const Dims dims = frame_dims(frame);
    Instruction* zero = builder_.broadcast(builder_.integer(DType::kU32, 0), dims, {});
    Instruction* words = builder_.call(threefry(dims, dims),
                                       {expand(k0, frame, {}), expand(k1, frame, {}), zero, expand(data, frame, {})});
    Dims with_one = dims;
    with_one.push_back(1);
    std::vector<Instruction*> pieces;
    for (size_t i = 0; i < 2; ++i) pieces.push_back(builder_.reshape(builder_.tuple_element(words, i), with_one));
    return give({builder_.concatenate(pieces, dims.size()), frame, std::nullopt});
  }
  const Dims dims = numbers(shape_argument(**expr.placed[name == "bernoulli" ? 2 : 1]));
  const auto number = [&](double value) { return one(DType::kF32, value); };
  const auto option = [&](size_t i, double standard) {
    return i < expr.placed.size() && expr.placed[i] != nullptr ? lower(**expr.placed[i]).parts[0] : number(standard);
  };
  // Between two numbers, made one after the other.
  const auto uniform_between = [&](double low, double high) {
    const Part from = number(low), to = number(high);
    return random_uniform(key, dims, from, to);
  };
  if (name == "bits") return give(random_bits(key, dims));
  if (name == "uniform") {
    const Part from = option(2, 0), to = option(3, 1);
    return give(random_uniform(key, dims, from, to));
  }
  if (name == "bernoulli") {
    const Part uniform = uniform_between(0, 1);
    return give(arithmetic("<", uniform, option(1, 0.5)));
  }
  if (name == "normal") {
    constexpr double kAboveMinusOne = -0.99999994;  // the next f32 above -1
    const Part inverse = erf_inv(uniform_between(kAboveMinusOne, 1));
    return give(arithmetic("*", inverse, number(1.41421354)));
  }
  if (name == "gumbel") {
    const Part uniform = uniform_between(std::numeric_limits<float>::min(), 1);
    const auto minus_log = [&](const Part& x) {
      return elementwise(Opcode::kNegate, {elementwise(Opcode::kLog, {x})});
    };
    return give(minus_log(minus_log(uniform)));
  }
  // randint: two draws of 32 bits, so that the rest of a division by the span is close to uniform.
  const Part low = lower(**expr.placed[2]).parts[0], high = lower(**expr.placed[3]).parts[0];
  const Part keys = split_key(key, 2);
  const Part upper = random_bits(key_at(keys, 0), dims), lower_bits = random_bits(key_at(keys, 1), dims);
  Part difference = arithmetic("-", high, low);
  difference = {builder_.convert(builder_.here(difference.value), DType::kU32), difference.frame, std::nullopt};
  const Part span = elementwise(Opcode::kSelect, {arithmetic("<=", high, low), one(DType::kU32, 1), difference});
  Part multiplier = arithmetic("%", one(DType::kU32, 65536), span);
  multiplier = arithmetic("%", arithmetic("*", multiplier, multiplier), span);
  const Part high_part = arithmetic("*", arithmetic("%", upper, span), multiplier);
  const Part sum = arithmetic("+", high_part, arithmetic("%", lower_bits, span));
  Part offset = arithmetic("%", sum, span);
  offset = {builder_.convert(builder_.here(offset.value), DType::kS32), offset.frame, std::nullopt};
  Part drawn = arithmetic("+", low, offset);
  if (low.interval && high.interval && high.interval->low > low.interval->high)
    drawn.interval = Interval{low.interval->low, high.interval->high - 1};
  return give(drawn);
}

}  // namespace sinter::grain
