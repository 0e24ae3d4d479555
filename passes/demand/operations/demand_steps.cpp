// Steps of map loops in a demand graph: an element that a step fills is that of the step's value, in a frame in which
// the counter is the step's number.
#include "passes/analysis/loops/map_loop.h"
#include "passes/demand/demand.h"

namespace sinter {

const WhileInfo* DemandGraph::map_loop(const Instruction* loop) {
  if (!maps_loops) return nullptr;
  const auto [place, fresh] = map_loops_.try_emplace(loop);
  if (fresh) {
    const WhileInfo info = analyze_while(*loop);
    if (is_map_loop(*loop, info)) place->second = info;
  }
  return place->second ? &*place->second : nullptr;
}

int64_t DemandGraph::steps_of(const Computation* computation) const {
  for (const auto& [loop, info] : map_loops_) {
    if (info && *loop->attributes->body == computation) return *info->trip_count * steps_of(loop->parent());
  }
  return 1;
}

NodeId DemandGraph::build_filled(const Key& key, const Instruction* loop, int carry) {
  const WhileInfo& info = *map_loop(loop);
  const Instruction* init = loop->operand(0)->operand(static_cast<size_t>(carry));
  const Carry& kind = info.carries[static_cast<size_t>(carry)];
  if (kind.kind == CarryKind::kInvariant) return want(key.frame, key.guard, init, key.index);
  if (kind.kind == CarryKind::kInduction) {
    return index_node(kind.start + kind.step * *info.trip_count, init->shape.dtype, init);
  }
  const FilledDimension filled = *filled_dimension(*loop, info, carry);
  std::vector<IndexExpr> index = key.index;
  IndexExpr step = index[filled.dimension];
  if (filled.backwards) step = IndexExpr(*info.trip_count - 1) - step;
  index[filled.dimension] = 0;
  const auto [place, fresh] = frame_of_step_.try_emplace(std::make_tuple(key.frame, loop, step));
  if (fresh) {
    Frame frame;
    frame.parent = key.frame;
    frame.mapped = loop;
    frame.step = step;
    place->second = static_cast<int>(frames_.size());
    frames_.push_back(std::move(frame));
  }
  const Instruction* update = (*loop->attributes->body)->root()->operand(static_cast<size_t>(carry));
  return want(place->second, key.guard, update->operand(1), std::move(index));
}

NodeId DemandGraph::build_step_state(const Key& key, int carry) {
  const Frame& frame = frames_[key.frame];
  const Carry& kind = map_loop(frame.mapped)->carries[static_cast<size_t>(carry)];
  const Instruction* init = frame.mapped->operand(0)->operand(static_cast<size_t>(carry));
  if (kind.kind == CarryKind::kInvariant) return want(frame.parent, key.guard, init, key.index);
  if (kind.kind == CarryKind::kInduction) {
    return index_node(frame.step * kind.step + kind.start, init->shape.dtype, key.instruction);
  }
  return fail(key.instruction, "stack-is-read");
}

}  // namespace sinter
