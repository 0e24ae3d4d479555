// turn_products: a dot that is read transposed alone, its rows along the last dimension, has its operands in the other
// order: where the two transpose each other nothing is left of them, and elsewhere rows stay rows.
//
//   %d = f32[512,256] dot(%g, %x), contracting {0} and {0}      =>   %w = f32[256,512] dot(%x, %g)
//   %w = f32[256,512] transpose(%d), dimensions={1,0}
//
// Gradients of weights are written so by JAX, and products of einsum whose letters stand in another order.
#include <algorithm>
#include <set>

#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/analysis/shapes/masked_operand.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/finish/outline.h"
#include "passes/graph/finish/swap_operands.h"

namespace sinter {
namespace {

// Elements that are neighbours in the transposed array and along the rows of the dot's left operand, one for each of
// its columns.
int64_t run_of_rows(const Instruction& transpose, const Instruction& dot) {
  const OperandDims left = operand_dims(dot, 0);
  const auto first = static_cast<int64_t>(left.batch.size());
  int64_t next = first + static_cast<int64_t>(left.free.size()) - 1, run = 1;
  const std::vector<int64_t>& dims = transpose.shape.dims;
  for (size_t d = dims.size(); d-- > 0;) {
    while (next >= first && dot.shape.dims[static_cast<size_t>(next)] == 1) --next;
    if (dims[d] == 1) continue;
    if (next < first || (*transpose.attributes->dimensions)[d] != next) break;
    run *= dims[d];
    --next;
  }
  return run;
}

bool is_read_turned(const Instruction& dot) {
  constexpr int64_t kLeastRun = 16;  // neighbours, below which rows are as good as columns
  if (dot.users().empty() || &dot == dot.parent()->root() || !dot.shape.is_static()) return false;
  // Blocks skip what a mask of the left operand leaves out.
  if (is_masked_in_segments(dot) || is_masked_by_batch(dot, 0)) return false;
  return std::ranges::all_of(dot.users(), [&](const Instruction* user) {
    return user->opcode == Opcode::kTranspose && run_of_rows(*user, dot) >= kLeastRun;
  });
}

void turn(Instruction& dot) {
  const std::vector<int64_t> places = dimensions_when_swapped(dot);
  swap_operands(dot);
  const std::vector<Instruction*> users(dot.users().begin(), dot.users().end());
  for (Instruction* transpose : users) {
    std::vector<int64_t>& dimensions = *transpose->attributes.edit().dimensions;
    for (int64_t& d : dimensions) d = places[static_cast<size_t>(d)];
    if (std::ranges::is_sorted(dimensions)) transpose->replace_all_uses_with(&dot);
  }
}

}  // namespace

bool turn_products(Module& module, const GraphPassOptions&) {
  bool changed = false;
  const std::set<const Computation*> done = computations_of_stages(module);
  for (Instruction* dot : instructions_of(module, Opcode::kDot)) {
    if (done.contains(dot->parent()) || !is_read_turned(*dot)) continue;
    turn(*dot);
    changed = true;
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
