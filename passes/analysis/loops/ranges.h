// Interval analysis: for each integer or pred value, bounds that all its elements keep, from constants, iotas,
// counters of loops with a known trip count, remainders, clamps and so on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/module/module.h"
#include "passes/analysis/loops/while_analysis.h"

namespace sinter {

struct Interval {
  int64_t low = 0;
  int64_t high = 0;  // inclusive
  bool is_single() const { return low == high; }
  bool contains(const Interval& other) const { return low <= other.low && other.high <= high; }
  bool operator==(const Interval&) const = default;
};

// What a sum, difference or product of integers in these ranges comes to before it is cut to a type; nullopt for other
// operations.
struct ExactInterval {
  __int128 low = 0, high = 0;  // inclusive
};
std::optional<ExactInterval> exact_result(Opcode opcode, const Interval& x, const Interval& y);
// Whether the type holds all of it; u64 is said to end with s64.
bool holds(DType dtype, const ExactInterval& exact);

// What a comparison (HLO's direction) of two values comes to: {0, 0}, {1, 1}, or {0, 1} where their bounds do not say.
Interval compare_range(const std::string& direction, const Interval& x, const Interval& y);

// Everything an element type holds; nullopt for floats, and for u64, whose values need not fit.
std::optional<Interval> whole_range(DType dtype);

// Whether a sort by this function gives a permutation whatever it finds: not where NaNs compare as neither before nor
// after any number, so that there is no order.
bool orders_all(const Computation& comparator);

class Ranges {
 public:
  explicit Ranges(const Module& module);

  // nullopt: nothing is known (or it is no integer). Otherwise within the type's own range.
  std::optional<Interval> of(const Instruction& instruction) const;

 private:
  using Elements = std::vector<std::optional<Interval>>;  // of a tuple; one for an array

  void analyze(const Computation& computation);
  std::optional<Interval> infer(const Instruction& instruction) const;
  std::optional<Interval> infer_binary(const Instruction& instruction) const;
  std::optional<Interval> infer_element(const Instruction& read) const;
  std::optional<Interval> infer_reduce(const Instruction& reduce) const;
  std::optional<Interval> infer_window(const Instruction& window) const;
  // Of the elements that come first along the dimension, or last.
  std::optional<Interval> first_along(const Instruction& value, int64_t dimension, bool last) const;
  // Element `index` of a sort's, a top-k's or a reduction's results.
  std::optional<Interval> infer_result(const Instruction& operation, size_t index) const;
  // Of a value where a predicate has come out so: of x + 16 where x < 0.
  std::optional<Interval> of_where(const Instruction& value, const Instruction& predicate, bool is_true,
                                   int depth = 0) const;
  void enter_loop(const Instruction& loop);
  Elements preserved(const Computation& body, const Elements& init, const std::vector<size_t>& unbounded,
                     Elements inside);
  void enter_branches(const Instruction& conditional);
  Elements elements_of(const Instruction& tuple) const;

  std::unordered_map<const Instruction*, Interval> intervals_;
  // What a computation's tuple parameter holds, where it has one caller; and what a loop or conditional returns.
  std::unordered_map<const Computation*, Elements> arguments_;
  std::unordered_map<const Instruction*, Elements> results_;
  std::unordered_map<const Computation*, int> callers_;
  std::unordered_set<const Computation*> analyzed_;
};

}  // namespace sinter
