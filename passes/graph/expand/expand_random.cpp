// expand_random: random bits become integer operations over counters.
//
//   %r = (u64[2], u32[100]) rng-bit-generator(%state), algorithm=rng_philox
//     =>  %words = (u32[25], u32[25], u32[25], u32[25]) call(%key_low, %key_high, %counter_0, ...),
//     to_apply=%philox4x32
//         element i is word i % 4 of counter i / 4
//
// philox4x32 and threefry2x32 are per-element functions, which kernels call; order of the elements and new states are
// XLA's, bit for bit (ir/evaluate/arrays/evaluate_random.cpp has the same as loops).
#include <algorithm>
#include <array>

#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

// C++ leaves the order of a call's arguments open: of those that make instructions, one at most stands inside a call.

using Value = GraphBuilder::Value;
using Dims = GraphBuilder::Dims;

constexpr DType kWord = DType::kU32;
constexpr DType kCounter = DType::kU64;

int64_t product(const Dims& dims) {
  int64_t result = 1;
  for (const int64_t dim : dims) result *= dim;
  return result;
}

Value rotated(GraphBuilder& at, Value a, int amount) {
  Value left = at.shift_left(a, amount);
  return at.make(Opcode::kOr, {left, at.shift_right(a, 32 - amount)});
}

Value exclusive_or(GraphBuilder& at, Value a, Value b) { return at.make(Opcode::kXor, {a, b}); }

Value low_word(GraphBuilder& at, Value wide) { return at.convert(wide, kWord); }
Value high_word(GraphBuilder& at, Value wide) { return at.convert(at.shift_right(wide, 32), kWord); }
// The low and the high word of each.
std::vector<Value> words_of(GraphBuilder& at, const std::vector<Value>& wide) {
  std::vector<Value> words;
  for (const Value value : wide) {
    words.push_back(low_word(at, value));
    words.push_back(high_word(at, value));
  }
  return words;
}
Value joined(GraphBuilder& at, Value low, Value high) {
  return at.make(Opcode::kOr, {at.convert(low, kCounter), at.shift_left(at.convert(high, kCounter), 32)});
}

// A function of two key words, which are scalars, and counter words.
struct Function {
  Function(Module& module, std::string name) : computation(module.add_computation(std::move(name))), at(*computation) {}
  Computation* computation;
  GraphBuilder at;
  std::vector<Value> keys, words;
};

Function begin_function(Module& module, std::string name, const Dims& dims, int words) {
  Function function(module, std::move(name));
  GraphBuilder& at = function.at;
  for (int k = 0; k < 2; ++k) {
    function.keys.push_back(at.parameter(Shape::scalar(kWord), "key_" + std::to_string(k)));
  }
  for (int w = 0; w < words; ++w) {
    function.words.push_back(at.parameter(Shape::array(kWord, dims), "counter_" + std::to_string(w)));
  }
  return function;
}

Computation* end_function(Function& function) {
  function.computation->set_root(function.at.tuple(function.words));
  return function.computation;
}

// Threefry-2x32, 20 rounds.
Computation* make_threefry(Module& module, const Dims& dims) {
  constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  Function function = begin_function(module, "threefry2x32", dims, 2);
  GraphBuilder& at = function.at;
  Value parity = exclusive_or(at, function.keys[0], function.keys[1]);
  parity = exclusive_or(at, parity, at.integer(kWord, 0x1BD11BDA));
  const std::array<Value, 3> keys = {at.splat(function.keys[0], dims), at.splat(function.keys[1], dims),
                                     at.splat(parity, dims)};
  Value x0 = at.add({function.words[0], keys[0]});
  Value x1 = at.add({function.words[1], keys[1]});
  for (size_t group = 1; group <= 5; ++group) {
    for (const int rotation : kRotations[(group - 1) % 2]) {
      x0 = at.add({x0, x1});
      x1 = exclusive_or(at, x0, rotated(at, x1, rotation));
    }
    x0 = at.add({x0, keys[group % 3]});
    x1 = at.add({x1, at.add({keys[(group + 1) % 3], at.integer(kWord, static_cast<int64_t>(group), dims)})});
  }
  function.words = {x0, x1};
  return end_function(function);
}

// Philox-4x32, 10 rounds.
Computation* make_philox(Module& module, const Dims& dims) {
  constexpr int64_t kMultipliers[2] = {0xD2511F53, 0xCD9E8D57};
  constexpr int64_t kWeyl[2] = {0x9E3779B9, 0xBB67AE85};
  Function function = begin_function(module, "philox4x32", dims, 4);
  GraphBuilder& at = function.at;
  std::vector<Value>& c = function.words;
  std::vector<Value>& k = function.keys;
  const Value multiplier_0 = at.integer(kWord, kMultipliers[0], dims);
  const Value multiplier_1 = at.integer(kWord, kMultipliers[1], dims);
  for (int round = 0; round < 10; ++round) {
    const Value high_0 = at.make(Opcode::kMulhi, {multiplier_0, c[0]});
    const Value high_1 = at.make(Opcode::kMulhi, {multiplier_1, c[2]});
    const Value low_0 = at.multiply({multiplier_0, c[0]});
    const Value low_1 = at.multiply({multiplier_1, c[2]});
    const Value key_0 = at.splat(k[0], dims);
    const Value first = exclusive_or(at, exclusive_or(at, high_1, c[1]), key_0);
    const Value key_1 = at.splat(k[1], dims);
    const Value third = exclusive_or(at, exclusive_or(at, high_0, c[3]), key_1);
    c = {first, low_1, third, low_0};
    for (size_t i = 0; i < 2; ++i) k[i] = at.add({k[i], at.integer(kWord, kWeyl[i])});
  }
  return end_function(function);
}

// The results of a function, a value each.
std::vector<Value> call_function(GraphBuilder& at, Computation* function, const std::vector<Value>& arguments) {
  const Value all = at.call(function, arguments);
  std::vector<Value> results;
  for (size_t i = 0; i < all->shape.elements.size(); ++i) {
    results.push_back(at.tuple_element(all, static_cast<int64_t>(i)));
  }
  return results;
}

// [a, b, ...]: element (..., p, ...) of a new dimension `where` is that of piece p.
Value interleaved(GraphBuilder& at, const std::vector<Value>& pieces, int64_t where) {
  Dims dims = pieces[0]->shape.dims;
  Dims kept;
  for (int64_t d = 0; d <= static_cast<int64_t>(dims.size()); ++d) {
    if (d != where) kept.push_back(d);
  }
  dims.insert(dims.begin() + where, static_cast<int64_t>(pieces.size()));
  const Value piece = at.iota(kWord, dims, where);
  Value result = at.broadcast(pieces.back(), dims, kept);
  for (size_t p = pieces.size() - 1; p-- > 0;) {
    const Value is_here = at.compare({piece, at.integer(kWord, static_cast<int64_t>(p), dims)}, "EQ");
    result = at.select({is_here, at.broadcast(pieces[p], dims, kept), result});
  }
  return result;
}

struct Generated {
  Value bits = nullptr;            // u32, or u64 for 64-bit results, of the result's dimensions
  std::vector<Value> new_counter;  // low, high
};

// Pairs of words go to neighbours along one dimension: the first of even size, else the largest.
Generated threefry_words(GraphBuilder& at, Module& module, Value key, Value start, const Dims& dims) {
  const Dims from = dims.empty() ? Dims{1} : dims;
  auto split = std::find_if(from.begin(), from.end(), [](int64_t dim) { return dim % 2 == 0; });
  if (split == from.end()) split = std::max_element(from.begin(), from.end());
  const int64_t along = split - from.begin();
  Dims half = from;
  half[static_cast<size_t>(along)] = (*split + 1) / 2;
  const int64_t count = product(half);
  Value counter = at.reshape(at.iota(kCounter, {count}, 0), half);
  counter = at.add({counter, at.splat(start, half)});
  const std::vector<Value> arguments = words_of(at, {key, counter});
  const std::vector<Value> words = call_function(at, make_threefry(module, half), arguments);
  Value pairs = interleaved(at, words, along + 1);
  Dims even = half;
  even[static_cast<size_t>(along)] *= 2;
  pairs = at.slice(at.reshape(pairs, even), along, 0, *split);
  return {at.reshape(pairs, dims), {at.add({start, at.integer(kCounter, count)})}};
}

Generated threefry_wide(GraphBuilder& at, Module& module, Value key, Value start, const Dims& dims) {
  const int64_t count = product(dims);
  const Value counter = at.add({at.iota(kCounter, {count}, 0), at.splat(start, {count})});
  const std::vector<Value> arguments = words_of(at, {key, counter});
  const std::vector<Value> words = call_function(at, make_threefry(module, {count}), arguments);
  return {at.reshape(joined(at, words[0], words[1]), dims), {at.add({start, at.integer(kCounter, count)})}};
}

// Four words a counter of 128 bits, in order of the elements.
Generated philox_words(GraphBuilder& at, Module& module, Value key, Value low, Value high, const Dims& dims,
                       bool is_wide) {
  const int64_t elements = product(dims);
  const int64_t words_each = is_wide ? 2 : 1;
  const int64_t count = (elements * words_each + 3) / 4;
  const Dims line = {count};
  // The sum of a counter and a number below 2^64, with the carry.
  const auto advanced = [&](Value by, const Dims& as) {
    const Value low_start = at.splat(low, as);
    const Value low_sum = at.add({by, low_start});
    const Value carry = at.convert(at.compare({low_sum, low_start}, "LT"), kCounter);
    return std::vector<Value>{low_sum, at.add({at.splat(high, as), carry})};
  };
  const std::vector<Value> counter = advanced(at.iota(kCounter, line, 0), line);
  const std::vector<Value> arguments = words_of(at, {key, counter[0], counter[1]});
  std::vector<Value> words = call_function(at, make_philox(module, line), arguments);
  if (is_wide) words = {joined(at, words[0], words[1]), joined(at, words[2], words[3])};
  Value bits = at.reshape(interleaved(at, words, 1), {count * static_cast<int64_t>(words.size())});
  bits = at.reshape(at.slice(bits, 0, 0, elements), dims);
  return {bits, advanced(at.integer(kCounter, count), {})};
}

void expand_bit_generator(Instruction& generator) {
  GraphBuilder at(generator);
  Module& module = *generator.parent()->parent();
  const Value state = generator.operand(0);
  const Shape& shape = generator.shape.elements[1];
  const bool is_wide = dtype_bits(shape.dtype) == 64;
  const Value key = at.element(state, 0);
  const Value low = at.element(state, 1);
  const bool has_high = state->shape.dims[0] > 2;
  Generated made;
  if (shape.element_count() == 0) {
    made = {at.integer(is_wide ? kCounter : kWord, 0, shape.dims), {low}};
    if (has_high) made.new_counter.push_back(at.element(state, 2));
  } else if (generator.attributes->algorithm.value() != "rng_three_fry") {
    made = philox_words(at, module, key, low, has_high ? at.element(state, 2) : key, shape.dims, is_wide);
  } else {
    made = is_wide ? threefry_wide(at, module, key, low, shape.dims) : threefry_words(at, module, key, low, shape.dims);
    if (has_high) made.new_counter.push_back(at.element(state, 2));
  }
  std::vector<Value> new_state = {at.slice(state, 0, 0, 1), at.reshape(made.new_counter[0], {1})};
  if (has_high) new_state.push_back(at.reshape(made.new_counter[1], {1}));
  become(generator, Opcode::kTuple, {at.concatenate(new_state, 0), at.convert(made.bits, shape.dtype)});
}

}  // namespace

bool expand_random(Module& module, const GraphPassOptions&) {
  const std::vector<Instruction*> generators = instructions_of(module, Opcode::kRngBitGenerator);
  for (Instruction* generator : generators) expand_bit_generator(*generator);
  if (!generators.empty()) module.sort_computations();
  return !generators.empty();
}

}  // namespace sinter
