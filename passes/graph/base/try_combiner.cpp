#include "passes/graph/base/try_combiner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <span>
#include <utility>

#include "ir/evaluate/evaluate.h"
#include "ir/ops/op_table.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/on_arrays.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Values = std::vector<Value>;

constexpr int64_t kTrials = 4096;
// Relative to the largest of what is combined: constants are f32, ln 2 say, rounded by up to 2^-25 of them. A decay
// that f32 can hold is twice as far from 1.
constexpr double kSame = 0x1p-25;

// SplitMix64
class Draws {
 public:
  uint64_t next() {
    uint64_t bits = (state_ += 0x9e3779b97f4a7c15u);
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
  }
  int64_t below(int64_t count) { return static_cast<int64_t>(next() % static_cast<uint64_t>(count)); }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  uint64_t state_ = 0;
};

size_t parts_of(DType dtype) { return is_complex(dtype) ? 2 : 1; }

// The numbers of a literal's element: both parts of a complex one.
std::array<double, 2> reals_of(const Literal& value, int64_t index) {
  const auto number = static_cast<size_t>(index);
  switch (value.shape().dtype) {
    case DType::kC64: {
      const std::complex<float> both = value.values<std::complex<float>>()[number];
      return {both.real(), both.imag()};
    }
    case DType::kC128: {
      const std::complex<double> both = value.values<std::complex<double>>()[number];
      return {both.real(), both.imag()};
    }
    default:
      return {value.real_at(index), 0.0};
  }
}

// The numbers that a function names: where it bends or does something else, at a limit or at a mark for "none".
struct Marks {
  std::vector<double> reals;  // finite
  std::vector<int64_t> integers;
  double largest = 0.0;  // of the reals, their sign left out
};

Marks marks_of(const Computation& function) {
  Marks marks;
  for (const Instruction& instruction : function.instructions()) {
    if (instruction.opcode != Opcode::kConstant || !instruction.shape.is_array()) continue;
    const Literal& value = instruction.literal;
    if (value.element_count() != 1) continue;
    const std::array<double, 2> parts = reals_of(value, 0);
    for (const double number : std::span(parts).first(parts_of(value.shape().dtype))) {
      if (!std::isfinite(number)) continue;
      marks.reals.insert(marks.reals.end(), {number, -number});
      marks.largest = std::max(marks.largest, std::abs(number));
      if (std::abs(number) > 0x1p62 || number != std::trunc(number)) continue;
      const auto whole = static_cast<int64_t>(number);
      marks.integers.insert(marks.integers.end(), {whole, -whole, whole - 1, whole + 1});
    }
  }
  return marks;
}

// Of floats a third are special, a third of few values, so that some are equal, a third of any. None is NaN; infinite
// are, where values are computed, only those that a row begins with: what others come to depends on the order.
double draw_real(double initial, const Marks& marks, bool computed, Draws* draws) {
  std::vector<double> special = {initial, 0.0, -0.0};
  if (!computed) special.insert(special.end(), {INFINITY, -INFINITY});
  special.insert(special.end(), marks.reals.begin(), marks.reals.end());
  const int64_t kind = draws->below(3);
  if (kind == 0) return special[draws->below(std::ssize(special))];
  if (kind == 1) return static_cast<double>(draws->below(5) - 2) / 2;
  const double reach = draws->below(2) == 0 ? 4.0 : std::max(4.0, 2 * marks.largest);
  return (2 * draws->uniform() - 1) * reach;
}

int64_t draw_integer(DType dtype, int64_t initial, const Marks& marks, Draws* draws) {
  const int64_t least = integer_min(dtype), most = integer_max(dtype);
  std::vector<int64_t> special = {initial, least, most};
  for (const int64_t mark : marks.integers) {
    if (mark >= least && mark <= most) special.push_back(mark);
  }
  const int64_t kind = draws->below(6);
  if (kind == 0) return special[draws->below(std::ssize(special))];
  if (dtype == DType::kPred) return draws->below(2);
  const int64_t size = kind < 4 || dtype_bits(dtype) < 8
                           ? draws->below(std::min<int64_t>(4, most + 1))
                           : draws->below(std::min<int64_t>(int64_t{1} << (kind == 4 ? 20 : 8), most));
  return least < 0 && draws->below(4) == 0 ? -size : size;
}

Literal draw(const Literal& initial, DType dtype, const Marks& marks, bool computed, Draws* draws) {
  Literal result(Shape::array(dtype, {kTrials}));
  if (is_complex(dtype)) {
    const std::array<double, 2> parts = reals_of(initial, 0);
    for (size_t i = 0; i < 2 * kTrials; ++i)
      result.mutable_values<double>()[i] = draw_real(parts[i % 2], marks, computed, draws);
    return result;
  }
  for (int64_t i = 0; i < kTrials; ++i) {
    if (is_float(dtype)) {
      result.set_real(i, draw_real(initial.real_at(0), marks, computed, draws));
    } else {
      result.set_integer(i, draw_integer(dtype, initial.integer_at(0), marks, draws));
    }
  }
  return result;
}

// Floats of any width are tried as f64: what is so for numbers is not hidden by what is rounded.
DType tried_as(DType dtype) { return is_float(dtype) ? DType::kF64 : is_complex(dtype) ? DType::kC128 : dtype; }

bool can_be_tried(const Instruction& instruction) {
  if (instruction.shape.is_tuple()) return true;
  const DType dtype = instruction.shape.dtype;
  if (!is_float(dtype) && !is_integer(dtype) && !is_complex(dtype) && dtype != DType::kPred) return false;
  return instruction.opcode != Opcode::kBitcastConvert && instruction.opcode != Opcode::kReducePrecision;
}

// Whether nothing is computed: each result is an operand's value, or a minimum or maximum.
bool only_chooses(const Computation& function) {
  return std::ranges::all_of(function.instructions(), [](const Instruction& instruction) {
    switch (instruction.opcode) {
      case Opcode::kParameter:
      case Opcode::kConstant:
      case Opcode::kCompare:
      case Opcode::kSelect:
      case Opcode::kAnd:
      case Opcode::kOr:
      case Opcode::kNot:
      case Opcode::kMaximum:
      case Opcode::kMinimum:
      case Opcode::kReal:
      case Opcode::kImag:
      case Opcode::kTuple:
        return true;
      default:
        return false;
    }
  });
}

void widen(Computation* computation) {
  for (Instruction& instruction : computation->instructions()) {
    if (instruction.shape.is_tuple() || tried_as(instruction.shape.dtype) == instruction.shape.dtype) continue;
    if (instruction.opcode == Opcode::kConstant && is_float(instruction.shape.dtype))
      instruction.literal = real_literal(DType::kF64, instruction.literal.real_at(0));
    if (instruction.opcode == Opcode::kConstant && is_complex(instruction.shape.dtype)) {
      const std::array<double, 2> parts = reals_of(instruction.literal, 0);
      instruction.literal = Literal(Shape::scalar(DType::kC128));
      std::ranges::copy(parts, instruction.literal.mutable_values<double>().begin());
    }
    instruction.shape.dtype = tried_as(instruction.shape.dtype);
  }
}

bool are_same(const Literal& one, const Literal& other, bool to_the_bit, const std::vector<double>& scale) {
  const DType dtype = one.shape().dtype;
  if (!is_float(dtype) && !is_complex(dtype)) {
    for (int64_t i = 0; i < kTrials; ++i) {
      if (one.integer_at(i) != other.integer_at(i)) return false;
    }
    return true;
  }
  // Complex numbers that are equal but for the sign of a zero are as large as each other: either may be chosen.
  const bool keeps_signs = to_the_bit && !is_complex(dtype);
  for (int64_t i = 0; i < kTrials; ++i) {
    const std::array<double, 2> first = reals_of(one, i), second = reals_of(other, i);
    double size = scale[static_cast<size_t>(i)];
    for (const double part : {first[0], first[1], second[0], second[1]}) {
      if (std::isfinite(part)) size = std::max(size, std::abs(part));
    }
    for (size_t part = 0; part < parts_of(dtype); ++part) {
      const double a = first[part], b = second[part];
      if (std::isnan(a) && std::isnan(b)) continue;
      if (a == b && (!keeps_signs || std::signbit(a) == std::signbit(b))) continue;
      if (to_the_bit || !std::isfinite(a) || !std::isfinite(b)) return false;
      if (!(std::abs(a - b) <= kSame * size)) return false;
    }
  }
  return true;
}

// What is tried of the initial values: nothing, that they change nothing where they stand once more, or anywhere.
enum class Beginning : uint8_t { kNone, kAgain, kNothing };

// Values that the function is tried on, with what they are made of.
class Trial {
 public:
  Trial(const Computation& function, const std::vector<Literal>& initials, const ElementValues& known)
      : function_(function),
        initials_(initials),
        known_(known),
        chooses_(only_chooses(function)),
        marks_(marks_of(function)),
        entry_(module_.add_computation("trial")),
        build_(*entry_),
        scale_(kTrials, 0.0) {
    module_.set_entry(entry_);
  }

  // What is associative, and what the initial values change.
  bool passes(Beginning tried) {
    const Values a = operand(), b = operand(), c = operand(), begin = beginning();
    // f(f(a, b), c) and f(a, f(b, c)); with i for the initial values, f(i, a), f(f(i, a), i) and f(i, f(i, a)).
    const Values first = combined(combined(a, b), c), second = combined(a, combined(b, c));
    const Values begun = combined(begin, a), begun_again = combined(begin, begun), ended = combined(begun, begin);
    const Values ended_only = combined(a, begin);
    const std::optional<std::vector<Literal>> values =
        evaluated({&first, &second, &begun, &begun_again, &ended, &a, &ended_only});
    if (!values) return false;
    const size_t count = initials_.size();
    const auto same = [&](size_t one, size_t other) {
      for (size_t i = 0; i < count; ++i) {
        if (!are_same((*values)[one * count + i], (*values)[other * count + i], chooses_, scale_)) return false;
      }
      return true;
    };
    if (!same(0, 1)) return false;
    if (tried != Beginning::kNone && (!same(2, 3) || !same(2, 4))) return false;
    return tried != Beginning::kNothing || (same(2, 5) && same(6, 5));
  }

 private:
  Values combined(const Values& a, const Values& b) {
    Values both = a;
    both.insert(both.end(), b.begin(), b.end());
    Instruction* end = build_.tuple({});
    const Values results = on_arrays(*end, function_, both, {kTrials});
    entry_->remove(end);
    return results;
  }

  Values beginning() {
    Values values;
    for (const Literal& initial : initials_) values.push_back(build_.splat(build_.constant(initial), {kTrials}));
    return values;
  }

  Value drawn(Literal values, DType dtype) {
    arguments_.push_back(std::move(values));
    return build_.parameter(Shape::array(dtype, {kTrials}), "x");
  }

  Values element() {
    Values values;
    for (size_t i = 0; i < initials_.size(); ++i) {
      if (!known_.empty() && known_[i]) {
        values.push_back(build_.splat(build_.constant(*known_[i]), {kTrials}));
        continue;
      }
      Literal numbers = draw(initials_[i], tried_as(initials_[i].shape().dtype), marks_, !chooses_, &draws_);
      const bool real = is_float(numbers.shape().dtype) || is_complex(numbers.shape().dtype);
      for (int64_t k = 0; real && k < kTrials; ++k) {
        for (const double part : reals_of(numbers, k)) {
          double& scale = scale_[static_cast<size_t>(k)];
          if (std::isfinite(part)) scale = std::max(scale, std::abs(part));
        }
      }
      values.push_back(drawn(std::move(numbers), initials_[i].shape().dtype));
    }
    return values;
  }

  // Where it is known what some arrays hold, what a few elements combine to, the initial values among them: a count
  // is a whole number then.
  Values operand() {
    constexpr int kElements = 4;
    Values values = element();
    if (known_.empty()) return values;
    for (int more = 0; more < kElements; ++more) {
      const Values before = combined(values, more == 0 ? beginning() : element());
      Literal flags(Shape::array(DType::kPred, {kTrials}));
      for (int64_t k = 0; k < kTrials; ++k) flags.set_integer(k, draws_.below(2));
      const Value counts = drawn(std::move(flags), DType::kPred);
      for (size_t i = 0; i < values.size(); ++i) values[i] = build_.select({counts, before[i], values[i]});
    }
    return values;
  }

  std::optional<std::vector<Literal>> evaluated(const std::vector<const Values*>& lists) {
    Values all;
    for (const Values* values : lists) {
      if (values->size() != initials_.size()) return std::nullopt;
      all.insert(all.end(), values->begin(), values->end());
    }
    widen(entry_);
    entry_->set_root(GraphBuilder(*entry_).tuple(all));
    const Source nowhere;
    Diagnostics diagnostics(nowhere);
    if (!check_evaluable(module_, diagnostics)) return std::nullopt;
    const std::optional<Literal> results = evaluate(module_, arguments_, diagnostics);
    return results ? std::optional(results->elements()) : std::nullopt;
  }

  const Computation& function_;
  const std::vector<Literal>& initials_;
  const ElementValues& known_;
  const bool chooses_;
  const Marks marks_;
  Module module_;
  Computation* entry_;
  GraphBuilder build_;
  Draws draws_;
  std::vector<Literal> arguments_;
  std::vector<double> scale_;
};

bool passes_trial(const Computation& function, const std::vector<Literal>& initials, const ElementValues& known,
                  Beginning tried) {
  if (!gives_elements(function) || !std::ranges::all_of(function.instructions(), can_be_tried)) return false;
  const ElementValues any;
  if (Trial(function, initials, any).passes(tried)) return true;
  const bool knows = std::ranges::any_of(known, [](const auto& value) { return value.has_value(); });
  return knows && Trial(function, initials, known).passes(tried);
}

}  // namespace

bool may_be_parted(const Computation& function, const std::vector<Literal>& initials, const ElementValues& known) {
  return passes_trial(function, initials, known, Beginning::kAgain);
}

bool begins_with_nothing(const Computation& function, const std::vector<Literal>& initials) {
  return passes_trial(function, initials, {}, Beginning::kNothing);
}

bool is_associative(const Computation& function) {
  std::vector<Literal> zeros;
  const std::vector<Instruction*> parameters = function.parameters();
  for (size_t i = 0; i < parameters.size() / 2; ++i) zeros.emplace_back(parameters[i]->shape);
  return passes_trial(function, zeros, {}, Beginning::kNone);
}

}  // namespace sinter
