// Writing random HLO text that is valid by construction, and knowing how its values behave.
//
// With each value goes what is known of its numbers, so that a program's results can be compared strictly:
//   exact programs    every float is an integer small enough that no sum or product rounds: results are equal by bits
//   ordinary programs every value carries a bound on its magnitude, on how much it grows an error of the loop's carries
//                     (`slope`, a Lipschitz constant in the maximum norm) and on the error made on the way (`error`)
// Values are kept tame: what grows is clamped or scaled as it is made.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ir/values/dtype.h"
#include "tests/random/random.h"

namespace sinter {

// What a dimension is to the kernel: spread over threads (rows and columns of a row kernel are, too), or held whole
// in every thread.
enum class DimKind : uint8_t { kFirst, kSecond, kSmall };

struct Dim {
  int64_t size = 1;
  DimKind kind = DimKind::kSmall;
  bool operator==(const Dim&) const = default;
};
using Dims = std::vector<Dim>;

struct Value {
  std::string name;
  DType dtype = DType::kF32;
  Dims dims;
  double magnitude = 1;  // of floats
  double slope = 0;
  double error = 0;
  bool exact = true;  // its bits do not depend on how sums are ordered or functions are rounded
  int slot = -1;      // for generators: which carry it is
};

std::string shape_text(DType dtype, const Dims& dims);
inline std::string shape_text(const Value& value) { return shape_text(value.dtype, value.dims); }

// The text of a module as it grows: computations are opened, written and closed, callees before callers.
class HloText {
 public:
  // Opens a computation inside which `line` adds; several may be open, the last one opened is written.
  void open(const std::string& name, bool entry = false);
  std::string close();  // its name
  // Adds `name = right`, with a fresh name made of `hint`.
  std::string line(const std::string& hint, const std::string& right, bool root = false);
  std::string fresh(const std::string& hint) { return hint + "." + std::to_string(next_++); }
  // "f32 add": a combiner computation, made once.
  std::string combiner(const std::string& opcode, DType dtype);
  std::string module(const std::string& name) const;

 private:
  struct Computation {
    std::string name;
    std::string text;
  };
  std::vector<Computation> open_;
  std::string done_;
  std::vector<std::string> combiners_;
  int next_ = 1;
};

// One input of the program, and how its elements are drawn.
struct RandomInput {
  DType dtype = DType::kF32;
  std::vector<int64_t> dims;
  double magnitude = 1;  // floats: |x| <= magnitude; integers: 0 <= x <= magnitude, any bits where it is 0
};

class Scribe {
 public:
  Scribe(HloText& text, Random& random, bool exact) : text(text), random(random), exact(exact) {}

  // An instruction whose numbers are those of `like`, but for dims and dtype.
  Value add(const std::string& hint, const std::string& right, DType dtype, const Dims& dims, const Value& like);
  Value scalar(DType dtype, double number);
  // `number` in every element.
  Value filled(DType dtype, double number, const Dims& dims);
  // Operand dimension i becomes dimension mapping[i].
  Value broadcast(const Value& value, const Dims& dims, const std::vector<int64_t>& mapping);
  Value reshape(const Value& value, const Dims& dims);
  Value slice(const Value& value, size_t dim, int64_t begin, int64_t end, int64_t step = 1);
  Value reverse(const Value& value, size_t dim);
  Value transpose(const Value& value, const std::vector<int64_t>& order);
  Value concatenate(const Value& a, const Value& b, size_t dim);
  Value pad(const Value& value, size_t dim, int64_t low, int64_t high, int64_t interior);
  // Sum, maximum or minimum (by opcode) over `dims_reduced`, ascending; sums in ordinary programs become means.
  Value reduce(const Value& value, const std::string& opcode, const std::vector<int64_t>& dims_reduced);
  Value convert(const Value& value, DType dtype);
  Value select(const Value& predicate, const Value& a, const Value& b);
  // -1, 0 or 1 in place of a comparison's operands being equal or not: a pred of a's dims.
  Value compare(const Value& a, const Value& b);

  // Random elementwise ops; operands have the same dims and dtype.
  Value unary(const Value& a);
  Value binary(const Value& a, const Value& b);
  // Magnitude and slope within bounds again.
  Value tame(const Value& value);
  Value clamp(const Value& value, double limit);

  HloText& text;
  Random& random;
  const bool exact;

 private:
  Value float_unary(const Value& a);
  Value float_binary(const Value& a, const Value& b);
  Value integer_unary(const Value& a);
  Value integer_binary(const Value& a, const Value& b);
  Value op(const std::string& opcode, const Value& a);
  Value op(const std::string& opcode, const Value& a, const Value& b);
};

// A generated program.
struct RandomProgram {
  std::string name;
  std::string text;
  bool exact = true;
  double tolerance = 0;         // bound on the absolute error of f32 results, 0 for exact programs
  double narrow_tolerance = 0;  // the same of bf16 results
  std::vector<RandomInput> inputs;
};

}  // namespace sinter
