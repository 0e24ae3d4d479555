// What the loops of a demand graph stack up in device memory: a piece of an array in each iteration.
#include <cstdlib>

#include "passes/analysis/loops/stacked_reductions.h"
#include "passes/analysis/values/hardware.h"
#include "passes/demand/demand.h"

namespace sinter {

namespace {

// The reduction of a whole array that an iteration's piece of one element is; nullptr if it is none.
const Instruction* reduction_of(const Instruction* piece) {
  while ((piece->opcode == Opcode::kReshape || piece->opcode == Opcode::kBitcast) &&
         piece->shape.element_count() == 1) {
    piece = piece->operand(0);
  }
  return is_made_in_parts(*piece) ? piece : nullptr;
}

}  // namespace

int64_t stacked_bytes(const DemandGraph& graph) {
  int64_t bytes = 0;
  for (const DemandLoop& loop : graph.loops) {
    for (const DemandLoop::Stack& stack : loop.stacks) {
      if (stack.reduce != nullptr) bytes += dtype_bytes(stack.reduce->shape.dtype);
    }
  }
  return bytes;
}

std::optional<std::vector<IndexExpr>> DemandGraph::stack_start(int number, const Instruction* update) {
  std::vector<IndexExpr> start;
  int counted_dimensions = 0;
  const Shape& piece = update->operand(1)->shape;
  for (size_t d = 0; d < piece.dims.size(); ++d) {
    const NodeId node = resolve({loops[number].frame, 0, update->operand(2 + d), 0, no_index_});
    if (failure) return std::nullopt;
    start.push_back(index_of(node));
    const int64_t size = update->shape.dims[d];
    const IndexRange range = start.back().range();
    const bool whole = piece.dims[d] == size && start.back() == IndexExpr(0);
    const bool counted = piece.dims[d] == 1 && loops[number].counter >= 0 && range == IndexRange{0, size - 1} &&
                         coordinates[loops[number].counter].extent == size &&
                         std::abs(start.back().coefficient_of_coordinate(loops[number].counter)) == 1;
    // With two, a diagonal: the rest of the array is what it was.
    counted_dimensions += !whole && counted;
    if (!whole && (!counted || counted_dimensions > 1)) {
      fail(update, "stack-partial");
      return std::nullopt;
    }
  }
  return start;
}

bool DemandGraph::demand_stack(int number, size_t stack, const std::vector<int>& parallel_coordinates) {
  const int carry = loops[number].stacks[stack].carry;
  const Instruction* update = state_element(loops[number].instruction->attributes->body.value()->root(), carry);
  const Instruction* piece = update->operand(1);
  const Instruction* reduce = reduction_of(piece);
  if (reduce != nullptr && reduces_over_threads(number, *reduce))
    return demand_stacked_reduction(number, stack, *reduce);
  const std::optional<ElementSpread> elements = spread(*this, piece->shape.dims, parallel_coordinates);
  if (!elements) {
    fail(update, "stack-row-large");
    return false;
  }
  loops[number].stacks[stack].owners = elements->owners;
  const std::optional<std::vector<IndexExpr>> start = stack_start(number, update);
  if (!start) return false;
  for (const std::vector<IndexExpr>& index : elements->indices) {
    const NodeId node = resolve({loops[number].frame, 0, piece, 0, keep(index)});
    if (failure || !drain()) return false;
    std::vector<IndexExpr> place;
    for (size_t d = 0; d < index.size(); ++d) place.push_back((*start)[d] + index[d]);
    loops[number].stacks[stack].stores.emplace_back(linearize(place, update->shape.dims), node);
  }
  return true;
}

bool DemandGraph::reduces_over_threads(int number, const Instruction& reduce) const {
  if (!block_coordinates_.empty() || frames_[loops[number].frame].parent != 0 || loops[number].guard != 0 ||
      loops[number].counter < 0) {
    return false;
  }
  int64_t threads = 1;
  for (const int id : parallel_coordinates_) threads *= coordinates[id].extent;
  const int64_t steps = coordinates[loops[number].counter].extent;
  return blocks_reduce(reduce.operand(0)->shape.element_count(), threads, steps) &&
         own_index(reduce.operand(0)->shape).has_value();
}

bool DemandGraph::demand_stacked_reduction(int number, size_t stack, const Instruction& reduce) {
  const int carry = loops[number].stacks[stack].carry;
  const Instruction* update = state_element(loops[number].instruction->attributes->body.value()->root(), carry);
  const std::optional<std::vector<IndexExpr>> start = stack_start(number, update);
  if (!start) return false;
  const IndexExpr place = linearize(*start, update->shape.dims);
  if (!(place == coordinate(loops[number].counter))) fail(update, "stack-partial");
  if (stacked_bytes(*this) + dtype_bytes(reduce.shape.dtype) > kSharedBytesUnasked / kWarp)
    fail(update, "stack-row-large");
  if (failure) return false;
  const NodeId own =
      resolve({loops[number].frame, 0, reduce.operand(0), 0, keep(*own_index(reduce.operand(0)->shape))});
  if (failure || !drain()) return false;
  DemandLoop::Stack& made = loops[number].stacks[stack];
  made.reduce = &reduce;
  made.stores = {{place, own}};
  return true;
}

}  // namespace sinter
