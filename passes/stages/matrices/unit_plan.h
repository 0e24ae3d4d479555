// Which values of a thread program have an array of the thread's own, and where each value is: the first half of
// reading one (thread_program.cpp has the second).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "passes/stages/matrices/thread_program.h"

namespace sinter {

// A computation as the thread comes to it.
struct ThreadLevel {
  const Computation* computation = nullptr;
  const Instruction* loop = nullptr;  // whose body it is
  std::vector<const Instruction*> units;
  std::set<const Instruction*> inlined;  // parts of what reads them
  std::vector<size_t> handed_on;         // carries of a body that steps hand on
};

class UnitPlan {
 protected:
  explicit UnitPlan(const Computation& computation) : computation_(computation) {}

  struct Place {
    int array = -1;
    const Instruction* memory = nullptr;
  };

  static bool is_loop(const Instruction& value) { return value.opcode == Opcode::kWhile; }
  static bool is_solve(const Instruction& value);
  const WhileInfo& info_of(const Instruction* loop);
  // What the elements of such a value are made of is seen from where they are.
  bool is_made_of_indices(const Instruction& value);
  // Whether the value is part of what reads it, so many times.
  bool is_inlined(const Instruction& value, int64_t reads);
  // Whether a part of memory is read by gathers alone, which find each element there.
  bool is_gathered_of_memory(const Instruction& slice);
  // Whether elements of the operand are read again and again.
  static bool repeats(const Instruction& reader, size_t position);
  // The units of a level in their order, with arrays for what they fill. `forced`: values that have one in any case.
  bool plan(ThreadLevel* level, const std::vector<const Instruction*>& roots, std::set<const Instruction*> forced);
  int add_array(const Instruction& value, const Shape& shape);
  void add_filled(ThreadLevel* level, const Instruction& value);
  bool plan_solve(ThreadLevel* level, const Instruction& call);
  // Its batch is in front of the last `kept` dimensions.
  bool settle_leading(OwnArray* array, int64_t batch, int64_t kept);
  // A result that steps only fill, part by part: the update of a step.
  const Instruction* stacked(const Instruction& loop, size_t carry);
  bool is_result(const Instruction& value) const;
  bool plan_loop(ThreadLevel* level, const Instruction& loop, std::map<const Instruction*, int64_t>* reads,
                 std::set<const Instruction*>* forced);
  bool is_counter(const Instruction& value);
  std::optional<Place> place_of(const Instruction* value);
  int constant_array(const Instruction& constant);
  void settle(OwnArray* array, int batch);
  // The dimension that counts threads where nothing has said so yet: the first of that many.
  void settle_by_extent(OwnArray* array);

  const Computation& computation_;
  ThreadProgram program_;
  size_t planned_ = 0;
  std::map<const Instruction*, WhileInfo> loops_;
  std::map<const Instruction*, ThreadLevel> bodies_;
  std::map<const Computation*, const Instruction*> loop_of_body_;
  std::map<const Instruction*, bool> made_of_indices_;  // of what has been asked for
  std::map<const Instruction*, int> unit_array_, constant_array_;
  std::map<const Instruction*, int> held_array_;  // of a carry that becomes another one
  std::map<std::pair<const Instruction*, size_t>, int> carry_array_;
  std::map<std::pair<const Instruction*, int>, int> result_array_;  // of solver calls
  std::map<const Instruction*, std::vector<int>> arrays_of_solve_;
  std::map<const Instruction*, SolveDemand> solves_;
};

}  // namespace sinter
