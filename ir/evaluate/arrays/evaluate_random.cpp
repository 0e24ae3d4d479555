// Evaluating rng-bit-generator (ThreeFry-2x32 and Philox-4x32 over counters, laid out as XLA lays them out) and what
// draws from it.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <string>

#include "ir/evaluate/arrays/evaluate_arrays.h"
#include "ir/module/random_stream.h"
#include "ir/ops/evaluate_ops.h"

namespace sinter {
namespace {

struct Counter {
  uint64_t low = 0;
  uint64_t high = 0;
  Counter plus(uint64_t count) const { return {low + count, high + (low + count < low ? 1 : 0)}; }
};

constexpr uint32_t low_word(uint64_t value) { return static_cast<uint32_t>(value); }
constexpr uint32_t high_word(uint64_t value) { return static_cast<uint32_t>(value >> 32); }

std::array<uint32_t, 2> threefry(uint64_t key, uint64_t counter) {
  constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const uint32_t keys[3] = {low_word(key), high_word(key), low_word(key) ^ high_word(key) ^ 0x1BD11BDA};
  uint32_t x0 = low_word(counter) + keys[0];
  uint32_t x1 = high_word(counter) + keys[1];
  for (uint32_t group = 1; group <= 5; ++group) {
    for (const int rotation : kRotations[(group - 1) % 2]) {
      x0 += x1;
      x1 = std::rotl(x1, rotation) ^ x0;
    }
    x0 += keys[group % 3];
    x1 += keys[(group + 1) % 3] + group;
  }
  return {x0, x1};
}

std::array<uint32_t, 4> philox(uint64_t key, Counter counter) {
  uint32_t k0 = low_word(key);
  uint32_t k1 = high_word(key);
  std::array<uint32_t, 4> c = {low_word(counter.low), high_word(counter.low), low_word(counter.high),
                               high_word(counter.high)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = uint64_t{0xD2511F53} * c[0];
    const uint64_t product1 = uint64_t{0xCD9E8D57} * c[2];
    c = {high_word(product1) ^ c[1] ^ k0, low_word(product1), high_word(product0) ^ c[3] ^ k1, low_word(product0)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return c;
}

// Pairs of words go to neighbours along one dimension: the first of even size, else the largest. Returns how many
// counters were used.
uint64_t fill_threefry_words(uint64_t key, uint64_t counter, const std::vector<int64_t>& dims, Literal& result) {
  size_t split = dims.size();
  for (size_t d = 0; d < dims.size() && split == dims.size(); ++d) {
    if (dims[d] % 2 == 0) split = d;
  }
  if (split == dims.size() && !dims.empty()) {
    split = static_cast<size_t>(std::max_element(dims.begin(), dims.end()) - dims.begin());
  }
  int64_t outer = 1;
  int64_t inner = 1;
  for (size_t d = 0; d < dims.size(); ++d) (d < split ? outer : inner) *= d == split ? 1 : dims[d];
  const int64_t length = dims.empty() ? 1 : dims[split];
  const int64_t half = (length + 1) / 2;
  uint64_t used = 0;
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t h = 0; h < half; ++h) {
      for (int64_t i = 0; i < inner; ++i) {
        const std::array<uint32_t, 2> words = threefry(key, counter + used++);
        for (int64_t w = 0; w < 2 && 2 * h + w < length; ++w) {
          result.set_integer((o * length + 2 * h + w) * inner + i, words[static_cast<size_t>(w)]);
        }
      }
    }
  }
  return used;
}

uint64_t fill_threefry(uint64_t key, uint64_t counter, Literal& result) {
  const Shape& shape = result.shape();
  if (dtype_bits(shape.dtype) < 64) return fill_threefry_words(key, counter, shape.dims, result);
  const int64_t count = result.element_count();
  for (int64_t i = 0; i < count; ++i) {
    const std::array<uint32_t, 2> words = threefry(key, counter + static_cast<uint64_t>(i));
    result.set_integer(i, static_cast<int64_t>(words[0] | uint64_t{words[1]} << 32));
  }
  return static_cast<uint64_t>(count);
}

// Four words a counter, in order of the elements. Returns how many counters were used.
uint64_t fill_philox(uint64_t key, Counter counter, Literal& result) {
  const int64_t count = result.element_count();
  const int64_t words_each = dtype_bits(result.shape().dtype) == 64 ? 2 : 1;
  const int64_t blocks = (count * words_each + 3) / 4;
  for (int64_t block = 0; block < blocks; ++block) {
    const std::array<uint32_t, 4> words = philox(key, counter.plus(static_cast<uint64_t>(block)));
    for (int64_t w = 0; w < 4; w += words_each) {
      const int64_t index = (block * 4 + w) / words_each;
      if (index >= count) break;
      uint64_t value = words[static_cast<size_t>(w)];
      if (words_each == 2) value |= uint64_t{words[static_cast<size_t>(w + 1)]} << 32;
      result.set_integer(index, static_cast<int64_t>(value));
    }
  }
  return static_cast<uint64_t>(blocks);
}

}  // namespace

Literal evaluate_rng_bit_generator(const Instruction& instruction, std::span<const Literal> operands,
                                   EvaluateContext&) {
  const bool is_threefry = instruction.attributes->algorithm.value_or("rng_default") == "rng_three_fry";
  const Literal& state = operands[0];
  Literal result(instruction.shape);
  Literal& bits = result.mutable_elements()[1];
  // The state is words of 64 bits, written as u64[n] or as u32[2 n].
  const std::span<const uint64_t> words = state.values<uint64_t>();
  const uint64_t key = words[0];
  const Counter start = {words[1], words.size() > 2 ? words[2] : key};
  Literal new_state = state;
  const std::span<uint64_t> new_words = new_state.mutable_values<uint64_t>();
  if (is_threefry) {
    new_words[1] = start.low + fill_threefry(key, start.low, bits);
  } else {
    const Counter next = start.plus(fill_philox(key, start, bits));
    new_words[1] = next.low;
    if (new_words.size() > 2) new_words[2] = next.high;
  }
  result.mutable_elements()[0] = std::move(new_state);
  return result;
}

namespace {

// The program's random state, which moves on by `counters`.
Counter advance_random_state(EvaluateContext& context, int64_t counters) {
  const Counter state = {context.random_state[0], context.random_state[1]};
  const Counter next = state.plus(static_cast<uint64_t>(counters));
  context.random_state[0] = next.low;
  context.random_state[1] = next.high;
  return state;
}

}  // namespace

Literal evaluate_rng(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context) {
  const Shape& shape = instruction.shape;
  const DrawnWords words = drawn_words(instruction);
  const bool is_wide = words.dtype == DType::kU64;
  const bool is_normal = instruction.attributes->distribution == "rng_normal";
  const int64_t count = shape.element_count();
  Literal bits(Shape::array(words.dtype, {words.count}));
  fill_philox(kRandomKey, advance_random_state(context, words.counters()), bits);
  Literal result(shape);
  if (is_integer(shape.dtype)) {
    const auto low = static_cast<uint64_t>(operands[0].integer_at(0));
    uint64_t range = static_cast<uint64_t>(operands[1].integer_at(0)) - low;
    if (!is_wide) range &= UINT32_MAX;
    for (int64_t i = 0; i < count; ++i) {
      const auto drawn = static_cast<uint64_t>(bits.integer_at(i));
      result.set_integer(i, static_cast<int64_t>(low + (range == 0 ? drawn : drawn % range)));
    }
    return result;
  }
  const auto unit_interval = [&](int64_t i) {
    const auto word = static_cast<uint64_t>(bits.integer_at(i));
    return is_wide ? static_cast<double>(word >> 11) * 0x1p-53 : static_cast<double>(word >> 8) * 0x1p-24;
  };
  const double a = operands[0].real_at(0);
  const double b = operands[1].real_at(0);
  for (int64_t i = 0; i < count; ++i) {
    double value = unit_interval(i) * (b - a);
    if (is_normal) {
      const double radius = std::sqrt(-2 * std::log(1 - unit_interval(i)));
      value = b * radius * std::cos(2 * std::numbers::pi * unit_interval(count + i));
    }
    result.set_real(i, a + value);
  }
  return result;
}

// The state before it moves on, low word first.
Literal evaluate_rng_get_and_update_state(const Instruction& instruction, std::span<const Literal>,
                                          EvaluateContext& context) {
  const Counter state = advance_random_state(context, instruction.attributes->delta.value_or(0));
  Literal result(instruction.shape);
  result.mutable_values<uint64_t>()[0] = state.low;
  result.mutable_values<uint64_t>()[1] = state.high;
  return result;
}

}  // namespace sinter
