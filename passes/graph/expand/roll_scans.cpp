// roll_scans: a scan that is written out as jax.lax.associative_scan leaves it becomes what it is: a cumulative window,
// where one operation combines; else loops along it, of which each element makes one step.
//
//   %r = f32[8,2048,64] add(pad(%even, 0), pad(%odd, 0)), and eleven levels like it       (associative_scan.h)
//                                                         =>
//   %r = three loops: scan_in_parts.h
//
// The function is tried, whether it is associative (try_combiner.h): sums of floats are rounded in another
// order than the levels have.
#include <algorithm>

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/shapes/cumulative_window.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/base/scan_in_parts.h"
#include "passes/graph/base/try_combiner.h"
#include "passes/graph/expand/associative_scan.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Values = std::vector<Value>;

// A sum, product, minimum or maximum has a stage of its own.
bool to_window(const AssociativeScan& scan) {
  if (scan.arrays.size() != 1) return false;
  const std::optional<Opcode> operation = simple_combiner(*scan.function);
  const Shape& shape = scan.arrays[0]->shape;
  const std::optional<Literal> neutral = operation ? neutral_value(*operation, shape.dtype) : std::nullopt;
  if (!neutral) return false;
  Instruction& result = *scan.results[0].second;
  Module& module = *result.parent()->parent();
  const bool adds_floats = *operation == Opcode::kAdd && is_float(shape.dtype);
  GraphBuilder build(result);
  const Value initial = build.constant(adds_floats ? Literal(Shape::scalar(shape.dtype)) : *neutral);
  Computation* function = module.add_computation(scan.function->name);
  GraphBuilder inside(*function);
  const Value a = inside.parameter(Shape::scalar(shape.dtype), "a"), b = inside.parameter(a->shape, "b");
  function->set_root(inside.make(*operation, {a, b}));
  Attributes attributes;
  attributes.window = window_of({static_cast<int64_t>(scan.dimension), false}, shape.dims);
  attributes.to_apply = function;
  become(result, Opcode::kReduceWindow, {scan.arrays[0], initial}, std::move(attributes));
  return true;
}

bool roll(const AssociativeScan& scan) {
  if (!is_associative(*scan.function)) return false;
  if (to_window(scan)) return true;
  const auto stands_before = [](const auto& a, const auto& b) { return a.second->position() < b.second->position(); };
  Instruction& last = *std::max_element(scan.results.begin(), scan.results.end(), stands_before)->second;
  std::vector<size_t> results;
  for (const auto& [array, result] : scan.results) results.push_back(array);
  GraphBuilder build(last);
  const Values made = scan_in_parts(
      build, {.function = scan.function, .arrays = scan.arrays, .along = scan.dimension, .results = results});
  for (size_t i = 0; i < made.size(); ++i) scan.results[i].second->replace_all_uses_with(made[i]);
  last.parent()->sort();
  return true;
}

}  // namespace

bool roll_scans(Module& module, const GraphPassOptions&) {
  std::vector<Computation*> computations;
  for (const auto& computation : module.computations()) computations.push_back(computation.get());
  bool changed = false;
  for (Computation* computation : computations) {
    for (const AssociativeScan& scan : associative_scans(*computation)) changed |= roll(scan);
  }
  if (changed) {
    remove_dead_code(module);
    module.sort_computations();
  }
  return changed;
}

}  // namespace sinter
