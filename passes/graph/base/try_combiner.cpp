#include "passes/graph/base/try_combiner.h"

#include <algorithm>
#include <cmath>
#include <complex>
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
    const bool real = is_float(value.shape().dtype);
    const double number = real ? value.real_at(0) : static_cast<double>(value.integer_at(0));
    if (!std::isfinite(number)) continue;
    marks.reals.insert(marks.reals.end(), {number, -number});
    marks.largest = std::max(marks.largest, std::abs(number));
    if (std::abs(number) > 0x1p62 || number != std::trunc(number)) continue;
    const auto whole = static_cast<int64_t>(number);
    marks.integers.insert(marks.integers.end(), {whole, -whole, whole - 1, whole + 1});
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
  for (int64_t i = 0; is_complex(dtype) && i < 2 * kTrials; ++i)
    result.mutable_values<double>()[static_cast<size_t>(i)] = draw_real(0.0, marks, computed, draws);
  for (int64_t i = 0; !is_complex(dtype) && i < kTrials; ++i) {
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

bool can_be_tried(const Instruction& instruction, bool begins) {
  if (instruction.shape.is_tuple()) return true;
  const DType dtype = instruction.shape.dtype;
  if (is_complex(dtype) && !begins && instruction.opcode != Opcode::kConstant) return true;
  if (!is_float(dtype) && !is_integer(dtype) && dtype != DType::kPred) return false;
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
    if (instruction.opcode == Opcode::kConstant && is_complex(instruction.shape.dtype))
      instruction.literal = Literal(Shape::scalar(DType::kC128));  // the zero of initial values, which nothing asks for
    instruction.shape.dtype = tried_as(instruction.shape.dtype);
  }
}

bool are_same(const Literal& one, const Literal& other, bool to_the_bit, const std::vector<double>& scale) {
  const bool reals = is_float(one.shape().dtype);
  for (int64_t i = 0; is_complex(one.shape().dtype) && i < kTrials; ++i) {
    using Complex = std::complex<double>;
    const auto number = static_cast<size_t>(i);
    const Complex a = one.values<Complex>()[number], b = other.values<Complex>()[number];
    if (!(std::abs(a - b) <= kSame * std::max({std::abs(a), std::abs(b), scale[number]}))) return false;
  }
  for (int64_t i = 0; !is_complex(one.shape().dtype) && i < kTrials; ++i) {
    if (!reals) {
      if (one.integer_at(i) != other.integer_at(i)) return false;
      continue;
    }
    const double a = one.real_at(i), b = other.real_at(i);
    if (std::isnan(a) && std::isnan(b)) continue;
    if (a == b && (!to_the_bit || std::signbit(a) == std::signbit(b))) continue;
    if (to_the_bit || !std::isfinite(a) || !std::isfinite(b)) return false;
    if (!(std::abs(a - b) <= kSame * std::max({std::abs(a), std::abs(b), scale[static_cast<size_t>(i)]}))) return false;
  }
  return true;
}

// What is tried of the initial values: nothing, that they change nothing where they stand once more, or anywhere.
enum class Beginning : uint8_t { kNone, kAgain, kNothing };

bool passes_trial(const Computation& function, const std::vector<Literal>& initials, Beginning tried) {
  const bool begins = tried != Beginning::kNone;
  if (!gives_elements(function) ||
      !std::ranges::all_of(function.instructions(), [&](const auto& each) { return can_be_tried(each, begins); }))
    return false;
  const size_t count = initials.size();
  const bool chooses = only_chooses(function);
  const Marks marks = marks_of(function);
  // f(f(a, b), c) and f(a, f(b, c)); with i for the initial values, f(i, a), f(f(i, a), i) and f(i, f(i, a)).
  Module module;
  Computation* entry = module.add_computation("trial");
  module.set_entry(entry);
  GraphBuilder build(*entry);
  Draws draws;
  std::vector<Values> operands(3);
  std::vector<Literal> arguments;
  std::vector<double> scale(kTrials, 0.0);
  for (Values& values : operands) {
    for (const Literal& initial : initials) {
      const DType dtype = initial.shape().dtype;
      values.push_back(build.parameter(Shape::array(dtype, {kTrials}), "x"));
      arguments.push_back(draw(initial, tried_as(dtype), marks, !chooses, &draws));
      for (int64_t i = 0; is_float(dtype) && i < kTrials; ++i) {
        const double size = std::abs(arguments.back().real_at(i));
        if (std::isfinite(size)) scale[static_cast<size_t>(i)] = std::max(scale[static_cast<size_t>(i)], size);
      }
    }
  }
  Values beginning;
  for (const Literal& initial : initials) beginning.push_back(build.splat(build.constant(initial), {kTrials}));
  Instruction* end = build.tuple({});
  const auto combined = [&](const Values& a, const Values& b) {
    Values both = a;
    both.insert(both.end(), b.begin(), b.end());
    return on_arrays(*end, function, both, {kTrials});
  };
  const Values first = combined(combined(operands[0], operands[1]), operands[2]);
  const Values second = combined(operands[0], combined(operands[1], operands[2]));
  const Values begun = combined(beginning, operands[0]);
  const Values begun_again = combined(beginning, begun), ended = combined(begun, beginning);
  const Values ended_only = combined(operands[0], beginning);
  Values all;
  for (const Values* values :
       {&first, &second, &begun, &begun_again, &ended, &std::as_const(operands[0]), &ended_only}) {
    if (values->size() != count) return false;
    all.insert(all.end(), values->begin(), values->end());
  }
  widen(entry);
  entry->set_root(GraphBuilder(*entry).tuple(all));
  const Source nowhere;
  Diagnostics diagnostics(nowhere);
  if (!check_evaluable(module, diagnostics)) return false;
  const std::optional<Literal> results = evaluate(module, arguments, diagnostics);
  if (!results) return false;
  const std::vector<Literal>& values = results->elements();
  for (size_t i = 0; i < count; ++i) {
    if (!are_same(values[i], values[count + i], chooses, scale)) return false;
    if (!begins) continue;
    if (!are_same(values[2 * count + i], values[3 * count + i], chooses, scale)) return false;
    if (!are_same(values[2 * count + i], values[4 * count + i], chooses, scale)) return false;
    if (tried != Beginning::kNothing) continue;
    if (!are_same(values[2 * count + i], values[5 * count + i], chooses, scale)) return false;
    if (!are_same(values[6 * count + i], values[5 * count + i], chooses, scale)) return false;
  }
  return true;
}

}  // namespace

bool may_be_parted(const Computation& function, const std::vector<Literal>& initials) {
  return passes_trial(function, initials, Beginning::kAgain);
}

bool begins_with_nothing(const Computation& function, const std::vector<Literal>& initials) {
  return passes_trial(function, initials, Beginning::kNothing);
}

bool is_associative(const Computation& function) {
  std::vector<Literal> zeros;
  const std::vector<Instruction*> parameters = function.parameters();
  for (size_t i = 0; i < parameters.size() / 2; ++i) zeros.emplace_back(parameters[i]->shape);
  return passes_trial(function, zeros, Beginning::kNone);
}

}  // namespace sinter
