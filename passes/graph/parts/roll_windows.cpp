// roll_windows: cumulative windows whose function is no single operation become loops along them, of which each element
// makes one step, where the function is associative and the initial values change nothing (try_combiner.h).
//
//   %c = f32[32,1024,1024] reduce-window(%x, -inf), window={size=1x1024x1 pad=0_0x1023_0x0_0}, to_apply=logaddexp
//                                                  =>
//   %c = three loops: scan_in_parts.h
//
// A function that is not associative becomes one loop along all elements, from the first on.
//
// split_windows makes the same of pieces, of which each element combines all before it: more applications, fewer
// launches. The scheduler plans without this pass, too, and what is faster stays.
#include <algorithm>

#include "passes/analysis/shapes/cumulative_window.h"
#include "passes/graph/base/on_arrays.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/base/scan_in_parts.h"
#include "passes/graph/base/try_combiner.h"
#include "passes/graph/parts/ordered_window.h"
#include "passes/graph/parts/thread_rows.h"

namespace sinter {
namespace {

bool roll_window(Instruction& window) {
  const std::optional<OrderedWindow> ordered = ordered_window(window);
  if (!ordered || ordered->length <= kOrderedPart) return false;
  const Computation& function = **window.attributes->to_apply;
  const bool in_parts = begins_with_nothing(function, ordered->initials);
  // What is in no parts takes a loop along all elements, which each goes through those before it otherwise: their
  // order is the same where they come first.
  const bool in_order = !ordered->reverse && ordered->length <= INT32_MAX;  // the loop counts its steps in s32
  if (!in_parts && (!in_order || may_be_parted(function, ordered->initials))) return false;
  GraphBuilder build(window);
  const size_t count = ordered->initials.size();
  PartedScan scan = {
      .function = &function,
      .arrays = {window.operands().begin(), window.operands().begin() + static_cast<std::ptrdiff_t>(count)},
      .along = ordered->along,
      .reverse = ordered->reverse,
      .in_order = !in_parts};
  for (size_t i = 0; i < count; ++i) {
    scan.results.push_back(i);
    scan.neutral.push_back(build.constant(ordered->initials[i]));
  }
  become_results(window, scan_in_parts(build, scan));
  return true;
}

}  // namespace

bool roll_windows(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* window : instructions_of(module, Opcode::kReduceWindow)) changed |= roll_window(*window);
  if (changed) {
    remove_dead_code(module);
    module.sort_computations();
  }
  return changed;
}

}  // namespace sinter
