// The arrays of a thread's, or a warp's, matrices: where they are, loops over their elements, and expressions of what
// they hold. The statements are in lower_matrices.cpp.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "passes/analysis/values/hardware.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/stages/matrices/matrices_stage.h"

namespace sinter {

// Loops over a thread's own arrays are unrolled.
void unroll_all(Block* block);

class MatricesArrays {
 protected:
  MatricesArrays(const StageInput& input, const MatricesDemand& demand, DType index)
      : input_(input),
        demand_(demand),
        program_(demand.program),
        spread_(demand.program.spread_loop()),
        writer_(input, "", index),
        kernel_(writer_.kernel) {}

  const Expr* reference(int array) { return kernel_.reference(variable(array)); }
  Variable* variable(int array);
  std::string name_of(const OwnArray& array) const;
  // Those of a warp are in shared memory.
  bool is_shared(int array) const;
  void name_solved(const std::vector<ThreadUnit>& units);
  void place_arrays(Block* block);
  // Until lanes see what others have written, and may write what others have read.
  void sync(Block* block);
  void sync_after(const ThreadUnit& unit, Block* block);
  void declare(int array, Block* block);
  bool is_read(int array) const;
  const Expr* braces(const OwnArray& array, size_t depth, int64_t first, int64_t count);
  void declare_constant(int array, Block* block);
  const Expr* element_of(int array, const std::vector<const Expr*>& place);
  std::vector<int64_t> extents(int array) const;
  // Memory that no step changes.
  void copy(int array, Block* block);
  Expressions expressions_of(const OwnElements& elements, const std::vector<const Expr*>& place);
  std::vector<int64_t> extents(const OwnElements& elements) const;
  // The value of an element; a sum in a loop of its own is called so, as its array has its name.
  const Expr* value_of(const OwnElements& elements, Expressions expressions, Block* block);
  static std::string name_of_array(const SolveDemand& solve, const SolveArray& array);

  // for (int row = 0; row < 4; ++row) for (int column = 0; ...): by extent; the innermost body is written by `inner`.
  // Of a warp lanes have an element each.
  template <class Inner>
  void nest(const std::vector<int64_t>& extents, Block* block, const Inner& inner) {
    if (program_.by_warp) return nest_of_lanes(extents, block, inner);
    std::vector<const Expr*> place;
    std::vector<Statement> loops;
    for (size_t k = 0; k < extents.size(); ++k) {
      const std::string name = k == 0 ? "row" : k == 1 ? "column" : "place";
      loops.push_back(writer_.counted_loop(name, "", std::to_string(extents[k])));
      loops.back().value = kernel_.integer(extents[k]);
      place.push_back(kernel_.reference(loops.back().variable));
    }
    Block body;
    inner(place, &body);
    for (size_t k = loops.size(); k-- > 0;) {
      loops[k].body = std::move(body);
      body = {};
      body.push_back(std::move(loops[k]));
    }
    unroll_all(&body);
    block->insert(block->end(), body.begin(), body.end());
  }

  template <class Inner>
  void nest_of_lanes(const std::vector<int64_t>& extents, Block* block, const Inner& inner) {
    std::vector<const Expr*> place;
    if (extents.empty()) return inner(place, block);
    int64_t all = 1;
    for (const int64_t extent : extents) all *= extent;
    Statement lanes;
    lanes.kind = Statement::Kind::kFor;
    lanes.variable = kernel_.variable(extents.size() == 1 ? "row" : "place", kInteger);
    lanes.begin = lane_;
    lanes.value = kernel_.integer(all);
    lanes.step = kWarp;
    lanes.text = "kWarp";
    const Expr* rest = kernel_.reference(lanes.variable);
    if (extents.size() == 1) place.push_back(rest);
    for (size_t k = 0; k < extents.size() && extents.size() > 1; ++k) {
      all /= extents[k];
      const std::string name = k == 0 ? "row" : k == 1 ? "column" : "layer";
      const Expr* index = all == 1 ? rest : kernel_.infix(rest, "/", kernel_.integer(all), kInteger);
      if (k > 0) index = kernel_.infix(index, "%", kernel_.integer(extents[k]), kInteger);
      place.push_back(kernel_.reference(writer_.let(name, kInteger, index, &lanes.body)));
    }
    Block body;
    inner(place, &body);
    unroll_all(&body);
    lanes.body.insert(lanes.body.end(), body.begin(), body.end());
    block->push_back(std::move(lanes));
  }

  struct Counter {
    Variable* variable = nullptr;
    bool unrolled = false;
  };

  const StageInput& input_;
  const MatricesDemand& demand_;
  const ThreadProgram& program_;
  const ThreadUnit* spread_;  // the loop whose steps are threads, if one's are
  StageWriter writer_;
  Kernel& kernel_;
  int64_t threads_ = 1, teams_ = 1;
  const Expr* batch_ = nullptr;
  const Expr* warp_ = nullptr;  // of a block of several
  const Expr* lane_ = nullptr;
  std::map<const Instruction*, Variable*> memory_;  // by parameter
  std::vector<Variable*> outputs_;                  // by result
  std::map<int, Variable*> variables_;              // by array
  std::map<int, std::string> names_;                // of arrays that calls give
  std::set<int> declared_;
  std::vector<Counter> counters_;  // of the loops around
};

}  // namespace sinter
