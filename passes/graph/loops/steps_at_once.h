// What the steps of a loop compute of what they walk along and of what does not change, as arrays of all steps: each
// value has one more dimension in front, the step.
//
//   body:  %x = f32[1,8] dynamic-slice(%xs, %t, 0)          %x = f32[50,1,8] reshape(%xs)
//          %y = f32[1,8] sine(%x)                     =>    %y = f32[50,1,8] sine(%x)
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "passes/analysis/loops/by_element.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/graph/base/graph_builder.h"

namespace sinter {

// Whether a loop, which something is read of, can carry more, and its steps can be numbered from 0 on in the type of
// its counter; and the number of the step.
bool can_number_steps(const CarriedLoop& loop, const WhileInfo& info);
GraphBuilder::Value step_number(const CarriedLoop& loop, const WhileInfo& info, GraphBuilder& inside);

// Which dimension of an array the steps walk along, step t at `start` + t, or backwards from there.
struct Walk {
  size_t dimension = 0;
  int64_t start = 0;
  bool backwards = false;
  bool operator==(const Walk&) const = default;
};

// Of a loop of one or more steps that is taken apart, and whose state and next state are tuples that are built here.
class StepsAtOnce {
 public:
  using Value = GraphBuilder::Value;
  using Dims = GraphBuilder::Dims;

  // `info` is of the loop. No array of all steps may have more than `most_bytes`, but for a number a step.
  StepsAtOnce(const CarriedLoop& loop, const WhileInfo& info, int64_t most_bytes);

  int64_t steps() const { return steps_; }

  // Whether a value of the body may be another one in another step.
  bool depends_on_step(const Instruction& value) const { return depends_.at(&value); }
  // Whether all steps of it can be made of those of its operands, ...
  bool supports(const Instruction& value);
  // ... and are not too many elements.
  bool fits(const Instruction& value) const;
  // Whether all steps of it can be made of what there is before the loop.
  bool can_make(const Instruction& value) const { return available_.count(&value) > 0; }

  // Which dimension a dynamic slice or update walks along, an element a step; of all others it has the whole.
  std::optional<Walk> walk(const Instruction& access);

  // Of a carry: each step updates an element of one dimension, all do all, and nothing else reads it.
  bool fills(size_t carry);

  // Whether all that steps add up can be added at once: a product of two values that depend on the step, a sum over
  // elements, or what reshapes, transposes or adds such.
  bool can_sum(const Instruction& value) const { return summable_.count(&value) > 0; }
  // What that is made of.
  std::vector<const Instruction*> summed(const Instruction& value) const;

  // All steps of a value are there, [steps, ...].
  void give(const Instruction& value, Value all) { all_[&value] = all; }
  // Those of what a carry was filled with, by its array after the loop.
  Value pieces(size_t carry, Value array, GraphBuilder& at) const;

  // Makes these, and what they are made of, at `at`, before `position`.
  void make(const std::vector<const Instruction*>& values, Instruction& position);

  // Of what has been made or given. All steps of a value, [steps, ...], ...
  Value all(const Instruction& value, GraphBuilder& at);
  // ... a value that is the same in all, ...
  Value common(const Instruction& value) const { return common_.at(&value); }
  // ... the sum over all steps, and what a carry is filled with in the end.
  Value sum(const Instruction& value, Instruction& position);
  Value filled(size_t carry, GraphBuilder& at);

 private:
  std::optional<Carry> counts(const Instruction& value) const;
  bool walks(const Instruction& instruction, size_t first, const Dims& whole, const Dims& piece);
  void note_dependence(const Instruction& value);
  bool is_available(const Instruction& value);
  bool is_summable(const Instruction& value) const;
  Value made(const Instruction& value, Instruction& position);
  Value product(const Instruction& dot, bool sums, Instruction& position);
  Value walked(const Instruction& slice, GraphBuilder& at) const;

  const CarriedLoop& loop_;
  const WhileInfo& info_;
  const int64_t steps_, most_bytes_;
  std::unordered_map<const Instruction*, bool> depends_;
  InstructionSet available_, summable_;
  std::unordered_map<const Instruction*, Walk> walks_;
  std::unordered_map<const Instruction*, Value> common_, all_, sums_;  // of one step; of all; over all
};

}  // namespace sinter
